"""The result of a step that plays nothing: the last observation again, with a note that says why."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium.error import ResetNeeded

from craftax_text_gym.env import CraftaxTextEnv
from craftax_text_gym.text.location import Path, put_text
from craftax_text_gym.text.notes import put_notes

NOTHING_PLAYED: Mapping[str, Any] = {
    "executed_action": -1,
    "new_achievements": (),
    "reward_achievements": 0.0,
    "reward_health": 0.0,
}
"""The entries of `info` about the last step, for when there was none."""

_OF_BATCHES: Mapping[str, Any] = {"actions_taken": (), "stopped_by": ""}


class LastResult:
    """Remembers what the environment last returned, to return it again while the game stands still."""

    def __init__(self, game_env: CraftaxTextEnv, path: Path | None) -> None:
        """Start without a result.

        Args:
            game_env: The environment beneath all wrappers.
            path: Where the text stands in the observations; None if there is none.
        """
        self._game_env = game_env
        self._path = path
        self._observation: Any = None
        self._info: dict[str, Any] = {}
        self._is_over = False
        self._scene: Any = None

    def remember(self, observation: Any, info: dict[str, Any], is_over: bool = False) -> None:
        """Store what a reset or step returned.

        Args:
            observation: The observation.
            info: The info.
            is_over: Whether the episode ended.
        """
        self._observation, self._info = copy.deepcopy((observation, info))  # users may change what they received
        self._is_over = is_over
        self._scene = self._game_env.scene

    def repeat(self, notes: Sequence[str], first: str = "") -> tuple[Any, dict[str, Any]]:
        """Return it again.

        Args:
            notes: Why nothing was played, for the end of the text. If the game has been restored or edited since, the
                last text is out of date, and the notes are the whole text.
            first: The same, for its beginning; `""` for nothing.

        Returns:
            The observation and the info of a step that took no time.

        Raises:
            gymnasium.error.ResetNeeded: If the episode is over, or none has begun.
        """
        is_same = self._game_env.scene == self._scene
        if self._is_over and is_same:
            raise ResetNeeded("The episode is over: call reset() before the next step().")
        observation, info = copy.deepcopy((self._observation, self._info))
        if self._path is not None:
            if is_same:
                observation = put_notes(observation, self._path, notes, self._game_env.text_format.markup, first)
            else:
                observation = put_text(observation, self._path, "\n".join([*([first] if first else []), *notes]))
        batch = _OF_BATCHES if "actions_taken" in info else {}
        return observation, {**info, **NOTHING_PLAYED, **batch}
