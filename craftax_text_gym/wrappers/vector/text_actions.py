"""Replies in words as the actions of every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv

from craftax_text_gym.replies.parsing import ParsedActions
from craftax_text_gym.spaces import NamedDiscrete
from craftax_text_gym.text.location import find_text, get_text, grow_space, put_text
from craftax_text_gym.text.notes import put_first, room_for
from craftax_text_gym.utils.validation import check_choice
from craftax_text_gym.vector.episodes import Flags, put_everywhere
from craftax_text_gym.wrappers.action_spaces import ReplyText
from craftax_text_gym.wrappers.replies import NOOP, NOTE, OnInvalid, complaint, read_reply
from craftax_text_gym.wrappers.vector.base import GameVectorWrapper, VectorResult, final_text, put_final_texts


class TextActions(GameVectorWrapper):
    """Reads every game's action from a reply, and always reports a reply that names none.

    Observation: with `"noop"`, a text (in `final_obs` if the episode ended) begins with why the reply is invalid; the
    space has room for it.
    Action: a sequence of replies, one per game; that of a game that only resets in this step is not read.
    Infos: `invalid_reply` (bool), `invalid_replies` (int: so far in the episode), `reply_error` (str), as arrays.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], on_invalid: OnInvalid = "raise") -> None:
        """Accept replies.

        Args:
            env: A vector environment of this package, wrapped or not, with single actions.
            on_invalid: What to do about a reply that names no action: `"raise"` an error before any game is played, or
                play `"noop"`. There is no `"feedback"`, because a vector environment plays all its games at once.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If the choice is unknown or `"feedback"`, or `env` does not take single actions.
        """
        super().__init__(env)
        if on_invalid == "feedback":
            raise ValueError(
                "Expected on_invalid as 'raise' or 'noop': a vector environment cannot let one game stand still. "
                "Put the single TextActions inside: gym.make_vec(id, num_envs=n, vectorization_mode='sync', "
                "wrappers=[lambda env: TextActions(env, 'feedback')])."
            )
        check_choice("on_invalid", on_invalid, ("raise", "noop"))
        if not isinstance(env.single_action_space, NamedDiscrete):
            raise ValueError(
                f"Expected an environment with a game's actions inside TextActions, got {env.single_action_space}."
            )
        self.on_invalid: OnInvalid = on_invalid
        self._set_action_space(ReplyText(self.game.actions))
        self._path = find_text(env.single_observation_space)
        if self._path is not None and on_invalid == "noop":
            self._set_observation_space(grow_space(env.single_observation_space, self._path, room_for(1, NOTE)))
        self._num_invalid = [0] * self.num_envs
        self._masks: list[Any] = [np.ones(len(self.game.actions), np.int8)] * self.num_envs

    def step(self, actions: Sequence[Any]) -> VectorResult:
        """Play what the replies ask for.

        Args:
            actions: One reply per game.

        Returns:
            Observations, rewards, terminated, truncated, infos.

        Raises:
            TypeError: If one of them is not a reply.
            ValueError: If their number is wrong, or one is invalid and `on_invalid` is `"raise"`; then none is played.
        """
        parsed = self._read(actions)
        notes = {
            index: complaint(result, self._available(index), self.on_invalid)
            for index, result in enumerate(parsed)
            if result is not None and not result.valid
        }
        for index in notes:
            self._num_invalid[index] += 1
        if notes and self.on_invalid == "raise":
            raise ValueError("; ".join([f"game {index}: {note}" for index, note in notes.items()]))
        noop = self.game.action_index[NOOP]
        numbers = [result.actions[0] if result is not None and result.valid else noop for result in parsed]
        observations, rewards, terminated, truncated, infos = self.env.step(np.array(numbers, np.int64))
        begun, final = self.episodes.step(terminated, truncated)
        errors = ["" if result is None else result.error or "" for result in parsed]
        infos = self._count_invalid(infos, errors, begun, final)
        self._masks = list(infos["action_mask"])
        observations, infos = self._put_notes(observations, infos, notes, final)
        return observations, rewards, terminated, truncated, infos

    def _read(self, actions: Sequence[Any]) -> list[ParsedActions | None]:
        """Read the replies; None for a game that only resets."""
        if isinstance(actions, str) or len(actions) != self.num_envs:
            raise ValueError(f"Expected {self.num_envs} replies, one per game, got {actions!r}.")
        return [
            None if resetting else read_reply(reply, self.game, 1)
            for reply, resetting in zip(actions, self.episodes.resetting, strict=True)
        ]

    def _available(self, index: int) -> list[str]:
        return [name for name, allowed in zip(self.game.actions, self._masks[index], strict=True) if allowed]

    def _count_invalid(self, infos: dict[str, Any], errors: list[str], begun: Flags, final: Flags) -> dict[str, Any]:
        last = _entries(errors, self._num_invalid)
        self._num_invalid = [0 if fresh else count for fresh, count in zip(begun, self._num_invalid, strict=True)]
        errors = ["" if fresh else error for fresh, error in zip(begun, errors, strict=True)]
        current = _entries(errors, self._num_invalid)
        return put_everywhere(infos, current, last, np.ones(self.num_envs, bool), final)

    def _put_notes(
        self, observations: Any, infos: dict[str, Any], notes: dict[int, str], final: Flags
    ) -> tuple[Any, dict[str, Any]]:
        if self._path is None or not notes:
            return observations, infos
        texts, ends = list(get_text(observations, self._path)), {}
        for index, note in notes.items():
            markup = self.markups[index]
            if final[index]:
                ends[index] = put_first(final_text(infos, index, self._path), note, markup)
            else:
                texts[index] = put_first(texts[index], note, markup)
        return put_text(observations, self._path, tuple(texts)), put_final_texts(infos, self._path, ends)

    def _after_reset(self, observations: Any, infos: dict[str, Any], begun: Flags) -> tuple[Any, dict[str, Any]]:
        for index in np.flatnonzero(begun).tolist():
            self._num_invalid[index] = 0
            self._masks[index] = infos["action_mask"][index]
        current = _entries([""] * self.num_envs, self._num_invalid)
        return observations, put_everywhere(infos, current, {}, begun, np.zeros_like(begun))


def _entries(errors: list[str], counts: list[int]) -> dict[str, Sequence[Any]]:
    return {
        "invalid_reply": [bool(error) for error in errors],
        "invalid_replies": list(counts),
        "reply_error": list(errors),
    }
