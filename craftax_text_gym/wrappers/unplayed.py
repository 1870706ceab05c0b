"""What a step gives that plays nothing: the last observation once more, with a note why."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium.error import ResetNeeded

from craftax_text_gym.env import CraftaxTextEnv
from craftax_text_gym.text.location import Path, get_text, put_text
from craftax_text_gym.text.notes import add_notes

NOTHING_PLAYED: Mapping[str, Any] = {
    "executed_action": -1,
    "new_achievements": (),
    "reward_achievements": 0.0,
    "reward_health": 0.0,
}
"""The entries of `info` that tell of the last step, as they are where there was none."""

_OF_BATCHES: Mapping[str, Any] = {"actions_taken": (), "stopped_by": ""}


class LastResult:
    """Remembers what the environment gave last, to give it once more while the game stands still."""

    def __init__(self, game_env: CraftaxTextEnv, path: Path | None) -> None:
        """Remember nothing yet.

        Args:
            game_env: The environment beneath all wrappers.
            path: Where the text stands in the observations; None where there is none.
        """
        self._game_env = game_env
        self._path = path
        self._observation: Any = None
        self._info: dict[str, Any] = {}
        self._over = False
        self._scene: Any = None

    def remember(self, observation: Any, info: dict[str, Any], over: bool = False) -> None:
        """Take what a reset or step gave.

        Args:
            observation: The observation.
            info: The info.
            over: Whether the episode ended.
        """
        self._observation, self._info = copy.deepcopy((observation, info))  # users may write into what they got
        self._over = over
        self._scene = self._game_env.scene

    def repeat(self, notes: Sequence[str]) -> tuple[Any, dict[str, Any]]:
        """Give it once more.

        Args:
            notes: Why nothing was played. Where the game has been restored or edited since, the last text would not
                be true, and the notes are the whole text.

        Returns:
            The observation and the info of a step that took no time.

        Raises:
            gymnasium.error.ResetNeeded: If the episode is over, or there is none.
        """
        is_same = self._game_env.scene == self._scene
        if self._over and is_same:
            raise ResetNeeded("The episode is over: call reset() before the next step().")
        observation, info = copy.deepcopy((self._observation, self._info))
        if self._path is not None:
            text = get_text(observation, self._path)
            told = add_notes(text, notes, self._game_env.text_format.markup) if is_same else "\n".join(notes)
            observation = put_text(observation, self._path, told)
        batch = _OF_BATCHES if "actions_taken" in info else {}
        return observation, {**info, **NOTHING_PLAYED, **batch}
