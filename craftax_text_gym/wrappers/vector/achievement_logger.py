"""A log of what the episodes of a vector environment unlock, in JSON Lines."""

from __future__ import annotations

import os
from typing import Any

from gymnasium.vector import VectorEnv

from craftax_text_gym.recording import stamping
from craftax_text_gym.recording.achievement_log import ON_ERROR, AchievementLog, OnError
from craftax_text_gym.utils.validation import check_choice
from craftax_text_gym.wrappers.vector.watcher import GameStep, GameWatcher


class AchievementLogger(GameWatcher):
    """Logs what every game unlocks into one file, as `wrappers.AchievementLogger` does. Changes nothing."""

    def __init__(
        self, env: VectorEnv[Any, Any, Any], path: str | os.PathLike[str], on_error: OnError = "raise"
    ) -> None:
        """Log the episodes.

        Args:
            env: A vector environment of this package, wrapped or not.
            path: The file; lines are appended if it exists. Its folder must exist.
            on_error: `"raise"` if the log cannot be written, or `"warn"` once per game and continue.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If `on_error` is unknown.
        """
        super().__init__(env)
        check_choice("on_error", on_error, ON_ERROR)
        stamp = stamping.stamp(env)
        self._logs = [AchievementLog(os.fspath(path), on_error, stamp) for _ in range(self.num_envs)]

    def close(self, **kwargs: Any) -> None:
        """Log the episodes that are being played as unfinished, and close the environment."""
        try:
            for log in self._logs:
                log.close()
        finally:
            super().close(**kwargs)

    def _on_begin(self, index: int, observation: Any, info: dict[str, Any]) -> None:  # noqa: ARG002
        self._logs[index].stamp = self.stamp
        self._logs[index].begin(info)

    def _on_step(self, index: int, step: GameStep) -> dict[str, Any]:
        self._logs[index].add(step.reward, step.terminated, step.truncated, step.info)
        return {}
