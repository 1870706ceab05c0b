"""The seeds of a vector environment's episodes, drawn game by game as single environments draw theirs."""

from __future__ import annotations

import numpy as np
from gymnasium.utils.seeding import np_random

from craftax_text_gym.settings import SEED_LIMIT, fold_seed


class EpisodeSeeds:
    """A generator of seeds for each game, made when it is first needed."""

    def __init__(self, num_envs: int) -> None:
        """Make none yet.

        Args:
            num_envs: The number of games.
        """
        self._made: list[tuple[np.random.Generator, int] | None] = [None] * num_envs

    def next(self, game: int, seed: int | None = None) -> int:
        """The seed of a game's next episode.

        Args:
            game: The game's number.
            seed: Seeds the generator, and the episode; None to draw.

        Returns:
            Below 2**32.
        """
        if seed is None:
            return int(self._of(game)[0].integers(SEED_LIMIT))
        self._made[game] = np_random(seed)
        return fold_seed(seed)

    @property
    def generators(self) -> tuple[np.random.Generator, ...]:
        """Each game's generator."""
        return tuple(self._of(game)[0] for game in range(len(self._made)))

    @property
    def origins(self) -> tuple[int, ...]:
        """What each game's generator was seeded with."""
        return tuple(self._of(game)[1] for game in range(len(self._made)))

    def _of(self, game: int) -> tuple[np.random.Generator, int]:
        made = self._made[game]
        if made is None:
            made = self._made[game] = np_random()
        return made
