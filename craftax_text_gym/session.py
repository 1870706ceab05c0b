"""One game as a conversation: texts out, replies in. What every adapter in this package is built on."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
from gymnasium.error import ResetNeeded

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook import instructions, manual
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.scoring.episode import EpisodeRecord, EpisodeTally
from craftax_text_gym.text import TextFormat, resolve
from craftax_text_gym.text.notes import add_notes
from craftax_text_gym.text.progress import Caps, progress_note
from craftax_text_gym.utils.validation import check_flag
from craftax_text_gym.wrappers.action_sequence import ActionSequence
from craftax_text_gym.wrappers.step_cap import StepCap
from craftax_text_gym.wrappers.text_actions import TextActions

Reply = str | int | Mapping[str, object] | Sequence[object]
"""What a model answered: text, a tool call's arguments, or an action's number."""

_ENDINGS = {
    "death": "you died",
    "boss_defeated": "you have won",
    "step_cap": "its last step is played",
    "decision_cap": "your last reply is used up",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of a reply.

    Attributes:
        text: What the model is to read next; after a reply that names no action, it begins with the reason.
        reward: What the reply's actions earned, summed.
        done: Whether the episode is over.
        info: The environment's `info` after the last of the actions.
    """

    text: str
    reward: float
    done: bool
    info: Mapping[str, Any]


class TextSession:
    """One game at a time, played by replies. Methods may be called from any thread; they wait for each other.

    Attributes:
        game: The game's facts.
        text_format: How its observations are written.
        max_actions: How many actions a reply may ask for.
        max_steps: After how many steps of the game an episode ends.
        max_decisions: After how many replies an episode ends; those that name no action count.
        progress: Whether its texts say which achievements are done and which remain.
    """

    def __init__(
        self,
        game: str | GameSpec = "full",
        *,
        text_format: str | Mapping[str, object] | TextFormat = "markdown",
        reveal: Iterable[str] = (),
        env_params: Mapping[str, object] | None = None,
        max_steps: int | None = None,
        max_decisions: int | None = None,
        max_actions: int = 1,
        progress: bool = True,
    ) -> None:
        """Make the session; no JAX starts before the first reset.

        Args:
            game: `"full"`, `"classic"`, an environment id, or a spec.
            text_format: As for the environment.
            reveal: As for the environment.
            env_params: As for the environment.
            max_steps: After how many steps of the game an episode ends; None for the game's own cap.
            max_decisions: After how many replies an episode ends; None for as many as there are steps.
            max_actions: How many actions a reply may ask for.
            progress: Whether its texts say which achievements are done and which remain.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If a name is unknown, or a number is below 1.
        """
        self.game = games.get(game)
        self.text_format = resolve(text_format)
        self.max_steps = self.game.max_steps if max_steps is None else max_steps
        self.max_decisions = self.max_steps if max_decisions is None else max_decisions
        self.max_actions = max_actions
        self.progress = progress
        check_flag("progress", progress)
        self._caps = Caps(self.max_steps, max_decisions)
        env: gym.Env[Any, Any] = gym.make(
            self.game.env_id,
            max_episode_steps=-1,
            text_format=self.text_format,
            reveal=reveal,
            env_params=env_params,
        )
        if max_actions != 1:
            env = ActionSequence(env, max_actions)
        env = StepCap(TextActions(env, on_invalid="noop"), self.max_steps)
        self._env = StepCap(env, self.max_decisions, unit="decision")
        self._lock = threading.RLock()
        self._tally: EpisodeTally | None = None
        self._text = ""
        self._info: Mapping[str, Any] = {}

    @property
    def instructions(self) -> str:
        """How to read the observations and how to reply to them."""
        return instructions(self.game, self.text_format, max_actions=self.max_actions)

    @property
    def system_prompt(self) -> str:
        """The rules in short, the instructions and the episode's caps."""
        return f"{manual(self.game, detail='short')}\n\n{self.instructions}\n\n{self._caps.words()}"

    @property
    def scene(self) -> Scene:
        """What the player sees now.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        with self._lock:
            scene: Scene = self._env.get_wrapper_attr("scene")
            return scene

    @property
    def text(self) -> str:
        """What the model is to read now.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        with self._lock:
            self._current()
            return self._text

    @property
    def started(self) -> bool:
        """Whether there is an episode, over or not."""
        with self._lock:
            return self._tally is not None

    @property
    def done(self) -> bool:
        """Whether there is no game going on: it is over, or none has begun."""
        with self._lock:
            return self._tally is None or self._tally.terminated or self._tally.truncated

    def reset(self, seed: int | None = None) -> str:
        """Begin an episode.

        Args:
            seed: Chooses the world; None for one at random.

        Returns:
            The first observation.

        Raises:
            gymnasium.error.Error: If the seed is negative or no int.
        """
        with self._lock:
            text, self._info = self._env.reset(seed=seed)
            self._tally = EpisodeTally.begin(self.game.key, self._info)
            self._text = add_notes(text, self._notes(self._tally), self.text_format.markup)
            return self._text

    def act(self, reply: Reply) -> Turn:
        """Carry out what a reply asks for.

        Args:
            reply: The text of a reply, or the arguments of a tool call. Whatever it holds, nothing is evaluated; one
                that names no action costs a noop, as in `evaluate`: a step of the game, and a decision.

        Returns:
            What came of it.

        Raises:
            TypeError: If the reply is of a type that no reply has.
            gymnasium.error.ResetNeeded: Before the first reset, and after the end of an episode.
        """
        with self._lock:
            tally = self._current()
            if self.done:
                raise ResetNeeded("The episode is over: call reset() to begin another.")
            text, reward, terminated, truncated, self._info = self._env.step(reply)
            tally.add(reward, terminated, truncated, self._info)
            tally.invalid_replies = self._info["invalid_replies"]
            self._text = add_notes(text, self._notes(tally), self.text_format.markup)
            return Turn(self._text, reward, self.done, self._info)

    def record(self, **extra: Any) -> EpisodeRecord:
        """What came of the episode so far.

        Args:
            **extra: Fields of the record that the session does not know: `input_tokens`, `output_tokens`.

        Returns:
            The record.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        with self._lock:
            return self._current().record(**extra)

    def score(self) -> dict[str, float]:
        """The episode so far in numbers.

        Returns:
            `total_reward`; `achievements`, how many are unlocked, and `achievement_percent`, of all there are;
            `reward_percent`, the achievements' reward as % of all that there is; `steps`, `decisions` and
            `invalid_replies`, each a count.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        record = self.record()
        return {
            "total_reward": record.total_reward,
            "achievements": float(len(record.achievements)),
            "achievement_percent": 100 * len(record.achievements) / len(self.game.achievements),
            "reward_percent": 100 * record.reward_achievements / self.game.total_reward,
            "steps": float(record.length),
            "decisions": float(record.decisions),
            "invalid_replies": float(record.invalid_replies),
        }

    def close(self) -> None:
        """Free the game; a later reset begins anew."""
        with self._lock:
            self._env.close()
            self._tally = None

    def __enter__(self) -> TextSession:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _notes(self, tally: EpisodeTally) -> list[str]:
        """What is told after the observation: the achievements, and what is left of the episode."""
        notes = [progress_note(self.game, self._info["achievements"], self.text_format)] if self.progress else []
        if self.done:
            return [*notes, f"The episode is over: {_ENDINGS[tally.end_reason]}."]
        left = self._caps.left(tally.length, tally.decisions)
        return [*notes, left] if left else notes

    def _current(self) -> EpisodeTally:
        if self._tally is None:
            raise ResetNeeded("There is no game yet: call reset() first.")
        return self._tally
