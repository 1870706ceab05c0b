"""Whole episodes of many games on disk, to be replayed exactly."""

from __future__ import annotations

import os
from typing import Any

from gymnasium.spaces import Text
from gymnasium.vector import VectorEnv

from craftax_text_gym.recording import stack
from craftax_text_gym.recording.trajectory import TrajectoryWriter
from craftax_text_gym.text.location import find_text, get_text
from craftax_text_gym.wrappers.vector.watcher import GameStep, GameWatcher


class RecordTrajectory(GameWatcher):
    """Writes each episode of each game into a file of its own, as `wrappers.RecordTrajectory` does.

    It changes nothing else. To be replayed, it stands within the vector wrappers that change texts or actions.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], folder: str | os.PathLike[str]) -> None:
        """Record the episodes.

        Args:
            env: A vector environment of this package, wrapped or not.
            folder: Where the files go; made if there is none.

        Raises:
            TypeError: If an argument is of the wrong type.
        """
        super().__init__(env)
        self._path = find_text(env.single_observation_space)
        told, in_words = stack.describe_vector(env), isinstance(env.single_action_space, Text)
        self._writers = [
            TrajectoryWriter(os.fspath(folder), self.game.actions, told, in_words) for _ in range(self.num_envs)
        ]

    def close(self, **kwargs: Any) -> None:
        """Mark the episodes that are being played as unfinished, and close the environment."""
        try:
            for writer in self._writers:
                writer.close()
        finally:
            super().close(**kwargs)

    def _begins(self, index: int, observation: Any, info: dict[str, Any]) -> None:
        self._writers[index].begin(self._text(observation), info, self.stamp)

    def _plays(self, index: int, step: GameStep) -> dict[str, Any]:
        self._writers[index].add(*step._replace(observation=self._text(step.observation)))
        return {}

    def _text(self, observation: Any) -> str | None:
        return None if self._path is None else str(get_text(observation, self._path))
