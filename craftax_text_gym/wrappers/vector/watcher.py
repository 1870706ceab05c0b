"""The base of the vector wrappers that only observe: it passes on the steps of a batch game by game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from craftax_text_gym.recording import stamping
from craftax_text_gym.vector.episodes import Flags, entry, pick
from craftax_text_gym.wrappers.vector.base import GameVectorWrapper, VectorResult


class GameStep(NamedTuple):
    """A step of one game: the arguments and results of `step`, without the batch around them.

    Attributes:
        action: The requested action.
        observation: The observation that followed, also if it is the last of its episode.
        reward: Its reward.
        terminated: Whether the game itself ended.
        truncated: Whether a cap ended it.
        info: Its info.
    """

    action: Any
    observation: Any
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class GameWatcher(GameVectorWrapper):
    """Calls `_on_begin` and `_on_step` for each game, in the same way in every autoreset mode.

    Attributes:
        stamp: What `stamping.stamp` returned at the last reset.
    """

    stamp: Mapping[str, Any]

    def step(self, actions: Any) -> VectorResult:
        """Play a step in every game."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        begun, final = self.episodes.step(terminated, truncated)
        infos = dict(infos)
        if final.any():
            infos["final_info"] = dict(infos["final_info"])
        for index in range(self.num_envs):
            if not begun[index] or final[index]:
                ended = bool(final[index])
                observation = infos["final_obs"][index] if ended else pick(observations, index)
                flags = bool(terminated[index]), bool(truncated[index])
                info = entry(infos, index, ended)
                extra = self._on_step(index, GameStep(actions[index], observation, float(rewards[index]), *flags, info))
                if extra:
                    where = infos["final_info"] if ended else infos
                    where.update(self._add_info(where, extra, index))
            if begun[index]:
                self._on_begin(index, pick(observations, index), entry(infos, index, False))
        return observations, rewards, terminated, truncated, infos

    def _after_reset(self, observations: Any, infos: dict[str, Any], begun: Flags) -> tuple[Any, dict[str, Any]]:
        self.stamp = stamping.stamp(self.env)
        for index in np.flatnonzero(begun).tolist():
            self._on_begin(index, pick(observations, index), entry(infos, index, False))
        return observations, infos

    def _on_begin(self, index: int, observation: Any, info: dict[str, Any]) -> None:
        """A game has begun an episode."""
        raise NotImplementedError

    def _on_step(self, index: int, step: GameStep) -> dict[str, Any]:
        """A game has played a step; what this returns is added to its info."""
        raise NotImplementedError
