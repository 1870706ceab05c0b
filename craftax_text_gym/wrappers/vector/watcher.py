"""What the vector wrappers that only watch share: the steps of a batch, told game by game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from craftax_text_gym import provenance
from craftax_text_gym.wrappers.vector.base import GameVectorWrapper, VectorResult
from craftax_text_gym.wrappers.vector.episodes import Flags, entry


class GameWatcher(GameVectorWrapper):
    """Calls `_begins` and `_plays` for each game, alike in every autoreset mode.

    Attributes:
        stamp: From `provenance.stamp`, of the last reset.
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
                info = _own(infos, index, ended)
                extra = self._plays(index, actions[index], observation, float(rewards[index]), *flags, info)
                if extra:
                    where = infos["final_info"] if ended else infos
                    where.update(self._add_info(where, extra, index))
            if begun[index]:
                self._begins(index, pick(observations, index), _own(infos, index, False))
        return observations, rewards, terminated, truncated, infos

    def _begun(self, observations: Any, infos: dict[str, Any], begun: Flags) -> tuple[Any, dict[str, Any]]:
        self.stamp = provenance.stamp(self.env)
        for index in np.flatnonzero(begun).tolist():
            self._begins(index, pick(observations, index), _own(infos, index, False))
        return observations, infos

    def _begins(self, index: int, observation: Any, info: dict[str, Any]) -> None:
        """A game begins an episode."""
        raise NotImplementedError

    def _plays(
        self, index: int, action: Any, observation: Any, reward: float, terminated: bool, truncated: bool, info: Any
    ) -> dict[str, Any]:
        """A game plays a step; what is returned is added to its info."""
        raise NotImplementedError


def pick(observations: Any, index: int) -> Any:
    """A game's own observation.

    Args:
        observations: Of the batch.
        index: The number of the game.

    Returns:
        Its observation.
    """
    if isinstance(observations, dict):
        return {key: pick(value, index) for key, value in observations.items()}
    return observations[index]


def _own(infos: dict[str, Any], index: int, is_final: bool) -> dict[str, Any]:
    source = infos["final_info"] if is_final else infos
    return entry(infos, index, is_final, [key for key in source if f"_{key}" in source and not key.startswith("final")])
