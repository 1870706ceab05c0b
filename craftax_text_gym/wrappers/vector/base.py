"""What the vector wrappers share: texts of a batch, and where episodes begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Space
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.text.location import Path, get_text, put_text
from craftax_text_gym.vector.episodes import Episodes, Flags
from craftax_text_gym.wrappers.base import vector_game

VectorResult = tuple[Any, Any, Any, Any, dict[str, Any]]
"""What `step` gives: observations, rewards, terminated, truncated, infos."""


if TYPE_CHECKING:
    _VectorWrapper = VectorWrapper[Any, Any, Any, Any, Any]
else:
    _VectorWrapper = VectorWrapper  # not generic before Gymnasium 1.4


class GameVectorWrapper(_VectorWrapper):
    """A wrapper over a vector environment of this package.

    Attributes:
        game: The game that is played.
        markups: The name of the markup of each environment's texts.
        episodes: Where episodes begin and end.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        """Wrap a vector environment.

        Args:
            env: A vector environment of this package, wrapped or not.

        Raises:
            TypeError: If it is not of this package.
            ValueError: If it does not say how it resets games that are over.
        """
        super().__init__(env)
        self.game: GameSpec = vector_game(env)
        base: Any = env.unwrapped
        self.markups: tuple[str, ...] = tuple([chosen.markup for chosen in base.get_attr("text_format")])
        self.episodes = Episodes(env)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin episodes: all, or those of `options["reset_mask"]` (bool `[num_envs]`), which is left as it is."""
        begun = self.episodes.reset(options)
        given: Any = seed
        observations, infos = self.env.reset(seed=given, options=None if options is None else dict(options))
        self.episodes.begin(begun)
        return self._begun(observations, dict(infos), begun)

    def _begun(self, observations: Any, infos: dict[str, Any], begun: Flags) -> tuple[Any, dict[str, Any]]:
        """Change what a reset gave."""
        raise NotImplementedError

    def _set_observation_space(self, single: Space[Any]) -> None:
        self.single_observation_space = single
        self.observation_space = batch_space(single, self.num_envs)

    def _set_action_space(self, single: Space[Any]) -> None:
        self.single_action_space = single
        self.action_space = batch_space(single, self.num_envs)


def final_text(infos: dict[str, Any], index: int, path: Path) -> str:
    """The text of a game's last observation, from `final_obs`."""
    return str(get_text(infos["final_obs"][index], path))


def put_final_texts(infos: dict[str, Any], path: Path, texts: dict[int, str]) -> dict[str, Any]:
    """The infos with other texts in `final_obs`.

    Args:
        infos: The infos of a step.
        path: Where the text stands in an observation.
        texts: The number of a game -> the text of its last observation.

    Returns:
        New infos.
    """
    if not texts:
        return infos
    final = np.array(infos["final_obs"], dtype=object, copy=True)
    for index, text in texts.items():
        final[index] = put_text(final[index], path, text)
    return {**infos, "final_obs": final}
