"""A part of a vector environment's games: stepped in one compiled call, which goes on while its caller does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class World(NamedTuple):
    """A game at its beginning, which may still be in the making.

    Attributes:
        seed: The episode's seed.
        arrays: The state.
        buffer: The packed row, on the device.
    """

    seed: int
    arrays: Any
    buffer: Any


class Chunk:
    """Some games, numbered from 0. Its places beyond `count` are filled with copies of the first game.

    Attributes:
        start: The number of its first game among the vector environment's.
        stop: One more than the number of its last.
        count: How many games there are.
    """

    def __init__(self, batch: Any, start: int, stop: int, size: int, reveal_bits: int) -> None:
        """Make a chunk without games.

        Args:
            batch: An `engine.batch.Batch` of `size` games.
            start: The number of its first game among the vector environment's.
            stop: One more than the number of its last.
            size: The batch's size, at least the number of games.
            reveal_bits: What is revealed.
        """
        self.start = start
        self.stop = stop
        self.count = stop - start
        self._batch = batch
        self._control = np.zeros((size, 3), np.uint32)
        self._control[:, 2] = reveal_bits

    def begin(self, worlds: Mapping[int, World]) -> None:
        """Put new worlds in the places of some games.

        Args:
            worlds: Game -> its world; of all games at the first time.
        """
        for game, world in worlds.items():
            self._batch.place(game, world.arrays)
            self._control[game, 0] = world.seed
        if len(worlds) == self.count:  # the spare places must hold a game too
            for spare in range(self.count, len(self._control)):
                self._batch.place(spare, worlds[0].arrays)

    def step(self, actions: NDArray[np.integer[Any]]) -> Any:
        """Begin to play one step of every game.

        Args:
            actions: Integers `[count]`.

        Returns:
            The packed rows on the device, uint8 `[size, nbytes]`.
        """
        self._control[: self.count, 1] = actions
        return self._batch.step(self._control.copy())  # a copy, for JAX may read it after this returns

    def symbolic(self) -> Any:
        """Upstream's symbolic observation of every game.

        Returns:
            float32 `[size, spec.symbolic_size]`, on the device.
        """
        return self._batch.symbolic()
