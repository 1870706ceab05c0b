"""Replies in words as actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import gymnasium as gym

from craftax_text_gym.spaces import NamedDiscrete
from craftax_text_gym.text.location import find_text, grow_space
from craftax_text_gym.text.notes import put_notes, room_for
from craftax_text_gym.utils.validation import check_choice
from craftax_text_gym.wrappers.action_spaces import ActionBatch, ReplyText
from craftax_text_gym.wrappers.base import GameWrapper, StepResult
from craftax_text_gym.wrappers.replies import NOOP, NOTE, OnInvalid, complaint, read_reply
from craftax_text_gym.wrappers.unplayed import LastResult


class TextActions(GameWrapper):
    """Reads the actions from an agent's reply, and always reports a reply that names none.

    Outside `ActionSequence` a reply may ask for several actions, elsewhere for one. With `"feedback"` an invalid
    reply takes no time, so an agent whose replies are never valid is stopped only by an outer
    `StepCap(unit="decision")`.

    Observation: after an invalid reply, the text begins with why it is invalid and what was meant; the space has room
    for it. With `"feedback"` the rest is the last observation.
    Action: the text of a reply, or the arguments of a tool call (see `parse_actions`); the space is a `ReplyText`.
    Info: `invalid_reply` (bool), `invalid_replies` (int: so far in the episode), `reply_error` (str: why it is invalid,
    else `""`). With `"feedback"`, an invalid reply has an `executed_action` of -1.
    """

    def __init__(self, env: gym.Env[Any, Any], on_invalid: OnInvalid = "raise") -> None:
        """Accept replies.

        Args:
            env: An environment of this package, wrapped or not, with an action space of single actions or batches.
            on_invalid: What to do about a reply that names no action: `"raise"` an error, play `"noop"`, or give
                `"feedback"` and play nothing.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If the choice is unknown, or `env` does not take a game's actions.
        """
        super().__init__(env, on_invalid=on_invalid)
        check_choice("on_invalid", on_invalid, get_args(OnInvalid))
        self.on_invalid: OnInvalid = on_invalid
        space = env.action_space
        if not isinstance(space, NamedDiscrete | ActionBatch):
            raise ValueError(
                f"Expected an environment with a game's actions or an ActionSequence inside TextActions, got {space}. "
                f"The order is TextActions(ActionSequence(env))."
            )
        self._takes_batches = isinstance(space, ActionBatch)
        self._max_actions = space.max_actions if isinstance(space, ActionBatch) else 1
        self.action_space = ReplyText(self.game_env.game.actions, self._max_actions)
        self._path = find_text(env.observation_space)
        if self._path is not None and on_invalid != "raise":
            self.observation_space = grow_space(env.observation_space, self._path, room_for(1, NOTE))
        self._last = LastResult(self.game_env, self._path)
        self._num_invalid = 0
        self._episode_seed = -1

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and restart the count."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._num_invalid, self._episode_seed = 0, info["episode_seed"]
        return self._remember(observation, {**info, **self._reply_info("")}, False)

    def step(self, action: str | int | Mapping[str, object] | Sequence[object]) -> StepResult:
        """Play what a reply asks for.

        Args:
            action: The reply.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            TypeError: If it is not a reply.
            ValueError: If it is invalid, and `on_invalid` is `"raise"`.
            gymnasium.error.ResetNeeded: Before the first reset, and after the end of an episode.
        """
        game = self.game_env.game
        parsed = read_reply(action, game, self._max_actions)
        if parsed.valid:
            return self._play(parsed.actions, "", "")
        available = [name for name in game.actions if self.game_env.explain(name) is None]
        note = complaint(parsed, available, self.on_invalid)
        error = parsed.error or ""
        self._num_invalid += 1
        if self.on_invalid == "raise":
            raise ValueError(note)
        if self.on_invalid == "noop":
            return self._play((game.action_index[NOOP],), error, note)
        observation, info = self._last.repeat([], first=note)
        return observation, 0.0, False, False, {**info, **self._reply_info(error)}

    def _play(self, actions: tuple[int, ...], error: str, note: str) -> StepResult:
        played: Any = actions if self._takes_batches else actions[0]
        observation, reward, terminated, truncated, info = self.env.step(played)
        if (
            info["episode_seed"] != self._episode_seed
        ):  # another game: an inner Autoreset, or a restored snapshot of another
            self._num_invalid, self._episode_seed = int(bool(error)), info["episode_seed"]
        observation, info = self._remember(observation, {**info, **self._reply_info(error)}, terminated or truncated)
        if note:
            observation = put_notes(observation, self._path, [], self.markup, first=note)
        return observation, float(reward), terminated, truncated, info

    def _remember(self, observation: Any, info: dict[str, Any], is_over: bool) -> tuple[Any, dict[str, Any]]:
        if self.on_invalid == "feedback":
            self._last.remember(observation, info, is_over)
        return observation, info

    def _reply_info(self, error: str) -> dict[str, Any]:
        return {"invalid_reply": bool(error), "invalid_replies": self._num_invalid, "reply_error": error}
