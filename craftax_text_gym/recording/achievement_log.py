"""A log of one game's episodes: one line per unlocked achievement, one line per episode."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from typing import Any, Literal

import gymnasium as gym

from craftax_text_gym.recording import json_lines
from craftax_text_gym.recording.json_lines import RecordingError
from craftax_text_gym.scoring.episode import EpisodeTally

OnError = Literal["raise", "warn"]
ON_ERROR: tuple[OnError, ...] = ("raise", "warn")
"""What to do if the log cannot be written: raise, or warn once and continue."""

_PROVENANCE_KEYS = ("versions", "text_format_digest", "reveal", "env_params", "obs_mode", "backend")


class AchievementLog:
    """Logs the episodes of one game, one after another."""

    def __init__(self, path: str, on_error: OnError, stamp: Mapping[str, Any]) -> None:
        """Prepare the log. Nothing is written yet.

        Args:
            path: The file, which several processes may share.
            on_error: Whether to raise, or to warn and continue, if it cannot be written.
            stamp: The output of `stamping.stamp`.
        """
        self._path = os.path.abspath(path)  # noqa: PTH100  a later chdir must not move the log
        self._on_error = on_error
        self._warned = False
        self.stamp = stamp
        self._tally: EpisodeTally | None = None
        self._episode_id = ""

    def begin(self, info: Mapping[str, Any]) -> None:
        """Begin an episode; one in progress is logged as unfinished.

        Args:
            info: The info of the reset.

        Raises:
            RecordingError: If the log cannot be written.
        """
        self.close()
        self._tally = EpisodeTally.begin(self.stamp["game"], info)
        self._episode_id = uuid.uuid4().hex

    def add(self, reward: float, terminated: bool, truncated: bool, info: Mapping[str, Any]) -> None:
        """Log the unlocks of a step, and the episode if it ends.

        Args:
            reward: The reward.
            terminated: Whether the game itself ended.
            truncated: Whether a cap ended it.
            info: The info.

        Raises:
            RecordingError: If the log cannot be written.
        """
        tally = self._tally
        if tally is None:
            return
        known = set(tally.achievements)
        tally.add(reward, terminated, truncated, info)
        for key, step in tally.achievements.items():
            if key not in known:
                self._write(
                    {"kind": "unlock", "game": tally.game, "seed": tally.seed, "step": step, "achievement": key}
                )
        if terminated or truncated:
            self.close()

    def close(self) -> None:
        """Log the episode in progress, if any, as unfinished.

        Raises:
            RecordingError: If the log cannot be written.
        """
        tally, self._tally = self._tally, None
        if tally is not None:
            self._write({"kind": "episode", **tally.record().to_json()})

    def _write(self, line: Mapping[str, Any]) -> None:
        stamped = {key: self.stamp[key] for key in _PROVENANCE_KEYS}
        try:
            json_lines.append(self._path, {**line, "episode_id": self._episode_id, **stamped})
        except RecordingError as error:
            if self._on_error == "raise":
                raise
            if not self._warned:
                gym.logger.warn(f"{error} The game continues, and lines that cannot be written are lost.")
            self._warned = True
