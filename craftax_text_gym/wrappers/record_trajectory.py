"""Whole episodes on disk, to be replayed exactly."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import gymnasium as gym
from gymnasium.spaces import Text

from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.recording import film, stack, stamping
from craftax_text_gym.recording.json_lines import RecordingError
from craftax_text_gym.recording.trajectory import TrajectoryWriter
from craftax_text_gym.text.location import find_text, get_text
from craftax_text_gym.utils.validation import check_flag
from craftax_text_gym.wrappers.base import GameWrapper, StepResult


class RecordTrajectory(GameWrapper):
    """Writes each episode into a file of its own: a header, then a line a step. See `recording.trajectory`.

    `craftax-text replay FILE --check` plays a file again, in a stack of the same wrappers as stand beneath this one,
    and `--gif` or `--mp4` make a film of it. An episode that is reset early or closed is marked `"unfinished"`. A game
    that is restored or edited in mid-episode cannot be replayed: the check says where.

    Observation, action, info: as they are.
    """

    def __init__(self, env: gym.Env[Any, Any], folder: str | os.PathLike[str], frames: bool = False) -> None:
        """Record the episodes.

        Args:
            env: An environment of this package, wrapped or not.
            folder: Where the files go, named by game, episode seed and something unique; made if there is none.
            frames: Whether to write a GIF beside the file when its episode ends. Until then only what the player saw
                is kept, in memory, a few kilobytes a step.

        Raises:
            TypeError: If an argument is of the wrong type.
        """
        super().__init__(env, folder=os.fspath(folder), frames=frames)
        check_flag("frames", frames)
        self._path = find_text(env.observation_space)
        self._writer = TrajectoryWriter(
            os.fspath(folder), self.game_env.game.actions, stack.describe(env), isinstance(env.action_space, Text)
        )
        self._frames = frames
        self._scenes: list[Scene] = []

    @property
    def path(self) -> Path | None:
        """The file of this episode, or of the last one; None before the first reset."""
        return self._writer.path

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode and its file."""
        self._end()
        observation, info = self.env.reset(seed=seed, options=options)
        self._writer.begin(self._text(observation), info, stamping.stamp(self.env))
        self._look()
        return observation, info

    def step(self, action: Any) -> StepResult:
        """Play a step, and record it."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._writer.add(action, self._text(observation), float(reward), terminated, truncated, info)
        self._look()
        if terminated or truncated:
            self._end()
        return observation, float(reward), terminated, truncated, info

    def close(self) -> None:
        """Mark the episode that is being played as unfinished, and close the environment."""
        try:
            self._end()
        finally:
            super().close()

    def _text(self, observation: Any) -> str | None:
        return None if self._path is None else str(get_text(observation, self._path))

    def _look(self) -> None:
        if self._frames:
            self._scenes.append(self.game_env.scene)

    def _end(self) -> None:
        self._writer.close()
        scenes, self._scenes = self._scenes, []
        path = self._writer.path
        if not scenes or path is None:
            return
        try:
            film.write_gif(path.with_suffix(".gif"), scenes)
        except OSError as error:
            raise RecordingError(f"Cannot write '{path.with_suffix('.gif')}' ({error.strerror or error}).") from error
