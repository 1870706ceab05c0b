"""A log of what episodes unlock, in JSON Lines."""

from __future__ import annotations

import os
from typing import Any

import gymnasium as gym

from craftax_text_gym.recording import stamping
from craftax_text_gym.recording.achievement_log import ON_ERROR, AchievementLog, OnError
from craftax_text_gym.utils.validation import check_choice
from craftax_text_gym.wrappers.base import GameWrapper, StepResult


class AchievementLogger(GameWrapper):
    """Writes a line per unlock and a line per episode, with versions and settings, for `craftax-text score`.

    Each line is one atomic append, so several processes may share the file, and a killed process loses at most the line
    that it was writing. An episode that is reset early or closed is recorded as `"unfinished"`; one whose process was
    killed has unlocks but no line of its own. Lines of an episode share an `episode_id`.

    Observation, action, info: unchanged.
    """

    def __init__(self, env: gym.Env[Any, Any], path: str | os.PathLike[str], on_error: OnError = "raise") -> None:
        """Log the episodes.

        Args:
            env: An environment of this package, wrapped or not.
            path: The file; lines are appended if it exists. Its folder must exist.
            on_error: What to do if the log cannot be written: `"raise"` a `recording.json_lines.RecordingError`,
                or `"warn"` once and continue.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If `on_error` is unknown.
        """
        super().__init__(env, path=os.fspath(path), on_error=on_error)
        check_choice("on_error", on_error, ON_ERROR)
        self._log = AchievementLog(os.fspath(path), on_error, stamping.stamp(env))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; one that is still being played is logged as unfinished."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._log.stamp = stamping.stamp(self.env)
        self._log.begin(info)
        return observation, info

    def step(self, action: Any) -> StepResult:
        """Play a step, and log what it unlocked."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._log.add(float(reward), terminated, truncated, info)
        return observation, float(reward), terminated, truncated, info

    def close(self) -> None:
        """Log the episode that is being played as unfinished, and close the environment."""
        try:
            self._log.close()
        finally:
            super().close()
