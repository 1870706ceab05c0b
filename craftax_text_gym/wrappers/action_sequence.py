"""Several actions as one step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym

from craftax_text_gym.availability import feedback
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.spaces import NamedDiscrete
from craftax_text_gym.text.location import find_text, grow_space
from craftax_text_gym.text.notes import clip, put_notes, room_for
from craftax_text_gym.utils.validation import check_choice, check_count
from craftax_text_gym.wrappers.action_spaces import ActionBatch
from craftax_text_gym.wrappers.base import GameWrapper, StepResult
from craftax_text_gym.wrappers.unplayed import LastResult

STOPS = ("death", "damage", "achievement", "invalid")
"""What can stop a batch before its last action."""

_WHY = {"damage": ": you lost health", "achievement": ": you reached an achievement"}
"""What the rest of the text does not say of itself: an end, and what cannot be done, stand there already."""

_NOTE = 1024


@dataclass(slots=True)
class _Played:
    """The results of a batch so far; `told` is the note on what the observation itself says of the last action."""

    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    stopped_by: str = ""
    taken: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    told: int | None = None
    achievements: list[str] = field(default_factory=list)
    reward_achievements: float = 0.0
    reward_health: float = 0.0
    last: tuple[Any, dict[str, Any]] | None = None

    def add(self, action: int, result: StepResult) -> None:
        """Count one action."""
        observation, reward, self.terminated, self.truncated, info = result
        self.taken.append(action)
        self.reward += float(reward)
        self.achievements += [key for key in info["new_achievements"] if key not in self.achievements]
        self.reward_achievements += info["reward_achievements"]
        self.reward_health += info["reward_health"]
        self.last = observation, info


class ActionSequence(GameWrapper):
    """Takes a list of actions as one step, and plays them until an event stops it.

    The whole batch is checked before its first action. Every action is a step of the game and counts against every
    `StepCap(unit="step")`, outside and inside; Gymnasium's `TimeLimit` counts them inside only. The end of an episode
    always stops a batch.

    Observation: the last one, with notes at the end of its text on what the actions did, the last one too unless the
    text's own section `feedback` says it; the space has room for them.
    Action: a list, tuple or array of 1 to `max_actions` numbers or names; the space is an `ActionBatch`.
    Reward: the sum.
    Info: `actions_taken` (tuple of int: those played), `stopped_by` (str: `"death"`, `"damage"`,
    `"achievement"`, `"invalid"`, `"end"` for any other end, else `""`). `new_achievements` is the union in order,
    `reward_achievements` and `reward_health` are sums, the rest is the last step's. If the first action is
    `"invalid"`, nothing is played, no time passes, and `executed_action` is -1.

    Attributes:
        max_actions: The most actions in a batch.
        stop_on: What stops a batch.
        step_budget: The most actions that the next batch may play; set by outer caps.
    """

    def __init__(self, env: gym.Env[Any, Any], max_actions: int = 10, stop_on: Iterable[str] = STOPS) -> None:
        """Accept lists of actions.

        Args:
            env: An environment of this package, wrapped or not, with an action space of single actions.
            max_actions: The most actions in a batch.
            stop_on: What stops a batch: of `"death"` (which always does), `"damage"` (health fell), `"achievement"`,
                `"invalid"` (the next action is not available, so it is not played; without this event it is, in vain).

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If `max_actions` is below 1, an event is unknown, or `env` does not take single actions.
        """
        if isinstance(stop_on, str) or not isinstance(stop_on, Iterable):
            raise TypeError(f"Expected stop_on as a sequence of names from {STOPS}, got {stop_on!r}.")
        events = list(stop_on)
        super().__init__(env, max_actions=max_actions, stop_on=events)
        check_count("max_actions", max_actions)
        for event in events:
            check_choice("stop_on", event, STOPS)
        if not isinstance(env.action_space, NamedDiscrete):
            raise ValueError(
                f"Expected an environment with single actions inside ActionSequence, got {env.action_space}. "
                f"The order is TextActions(ActionSequence(env))."
            )
        self.max_actions = max_actions
        self.stop_on = tuple(events)
        self.step_budget: int | None = None
        self._batches = self.action_space = ActionBatch(env.action_space, max_actions)
        self._path = find_text(env.observation_space)
        if self._path is not None:
            room = room_for(max_actions + 2, _NOTE)
            self.observation_space = grow_space(env.observation_space, self._path, room)
        self._has_feedback = "feedback" in self.game_env.text_format.sections
        self._last = LastResult(self.game_env, self._path)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode."""
        self.step_budget = None
        observation, info = self.env.reset(seed=seed, options=options)
        info = {**info, "actions_taken": (), "stopped_by": ""}
        self._remember(observation, info, False)
        return observation, info

    def step(self, action: Sequence[Any]) -> StepResult:
        """Play a batch.

        Args:
            action: Numbers or names.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            TypeError: If it is not a list of numbers and names.
            ValueError: If it is empty or too long, or an action does not exist; then nothing is played.
            gymnasium.error.ResetNeeded: Before the first reset, and after the end of an episode.
        """
        batch = self._batches.resolve(action)
        played = self._play(batch)
        notes = self._notes(played, len(batch))
        stops: dict[str, Any] = {"actions_taken": tuple(played.taken), "stopped_by": played.stopped_by}
        if played.last is None:
            observation, info = self._last.repeat(notes)
            return observation, 0.0, False, False, {**info, **stops}
        observation, info = played.last
        info = {
            **info,
            "new_achievements": tuple(played.achievements),
            "reward_achievements": played.reward_achievements,
            "reward_health": played.reward_health,
            **stops,
        }
        self._remember(observation, info, played.terminated or played.truncated)
        observation = put_notes(observation, self._path, notes, self.markup)
        return observation, played.reward, played.terminated, played.truncated, info

    def _remember(self, observation: Any, info: dict[str, Any], is_over: bool) -> None:
        if "invalid" in self.stop_on:
            self._last.remember(observation, info, is_over)

    def _play(self, batch: tuple[int, ...]) -> _Played:
        played = _Played()
        for action in batch:
            before = self.game_env.scene
            reason = self.game_env.explain(action) if "invalid" in self.stop_on else None
            if reason is not None:
                played.stopped_by = "invalid"
                self._note(played, action, f"not carried out: {reason}.")
                break
            played.add(action, self.env.step(action))  # type: ignore[arg-type]
            after = self.game_env.scene
            done = feedback.sentences(before, action, after, params=self.game_env.env_params)
            played.told = len(played.notes) if done and self._has_feedback else None
            self._note(played, action, " ".join(done) or "nothing to report.")
            played.stopped_by = self._event(played, before, after)
            if played.stopped_by:
                break
        return played

    def _event(self, played: _Played, before: Scene, after: Scene) -> str:
        if played.terminated or played.truncated:
            return "death" if after.dead else "end"
        if "damage" in self.stop_on and after.health < before.health:
            return "damage"
        if "achievement" in self.stop_on and after.new_achievements:
            return "achievement"
        return "end" if self.step_budget is not None and len(played.taken) >= self.step_budget else ""

    def _note(self, played: _Played, action: int, words: str) -> None:
        if self._path is not None:
            number = len(played.notes) + 1
            played.notes.append(clip(f"{number}. {self._batches.actions.names[action]}: {words}", _NOTE))

    def _notes(self, played: _Played, num_requested: int) -> list[str]:
        """The notes on a batch, with a heading, and an ending if not all of it was played."""
        if self._path is None:
            return []
        notes = [note for index, note in enumerate(played.notes) if index != played.told]
        which = "each action" if played.told is None else "the other actions"
        heading = [f"What {which} did:"] if notes else []
        ending = []
        if len(played.taken) < num_requested:
            ending = [f"Played {len(played.taken)} of {num_requested} actions{_WHY.get(played.stopped_by, '')}."]
        return [*heading, *notes, *ending]
