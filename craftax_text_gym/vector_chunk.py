"""A part of a vector environment's games: stepped in one compiled call, by one thread at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class World(NamedTuple):
    """A game at its beginning.

    Attributes:
        seed: The episode's seed.
        arrays: The state.
        row: The packed row.
    """

    seed: int
    arrays: Any
    row: bytes


class Final(NamedTuple):
    """The last step of an episode that was followed by another in the same call.

    Attributes:
        row: The packed row.
        symbolic: float32 `[spec.symbolic_size]`, where it is wanted.
    """

    row: bytes
    symbolic: NDArray[np.float32] | None


class Played(NamedTuple):
    """What a step of a chunk gave, its games numbered from 0.

    Attributes:
        rows: Structured array `[count]` of `engine.layout.row_dtype`, after the step and all resets.
        symbolic: float32 `[count, spec.symbolic_size]` likewise, where it is wanted.
        begun: Game -> the world that it began anew with.
        finals: Game -> what it showed before, where it ended in the same call.
    """

    rows: NDArray[np.void]
    symbolic: NDArray[np.float32] | None
    begun: Mapping[int, World]
    finals: Mapping[int, Final]


class Chunk:
    """Some games, numbered from 0. Its places beyond `count` are filled with copies of the first game.

    Attributes:
        start: The number of its first game among the vector environment's.
        stop: One more than the number of its last.
        count: How many games there are.
    """

    def __init__(self, batch: Any, start: int, stop: int, size: int, reveal_bits: int, wants_symbolic: bool) -> None:
        """Make a chunk without games.

        Args:
            batch: An `engine.batch.Batch` of `size` games.
            start: The number of its first game among the vector environment's.
            stop: One more than the number of its last.
            size: The batch's size, at least the number of games.
            reveal_bits: What is revealed.
            wants_symbolic: Whether the symbolic observation is wanted.
        """
        self.start = start
        self.stop = stop
        self.count = stop - start
        self._batch = batch
        self._wants_symbolic = wants_symbolic
        self._control = np.zeros((size, 3), np.uint32)
        self._control[:, 2] = reveal_bits

    def begin(self, worlds: Mapping[int, World]) -> NDArray[np.float32] | None:
        """Put new worlds in the places of some games.

        Args:
            worlds: Game -> its world; of all games at the first time.

        Returns:
            float32 `[count, spec.symbolic_size]` where it is wanted.
        """
        for game, world in worlds.items():
            self._batch.place(game, world.arrays)
            self._control[game, 0] = world.seed
        if len(worlds) == self.count:  # the spare places must hold a game too
            for spare in range(self.count, len(self._control)):
                self._batch.place(spare, worlds[0].arrays)
        return self._symbolic()

    def step(
        self,
        actions: NDArray[np.integer[Any]],
        coming: Mapping[int, Future[World]],
        dtype: np.dtype[Any],
        over: Callable[[NDArray[np.void]], NDArray[np.bool_]],
        next_world: Callable[[int], World] | None,
    ) -> Played:
        """Play one step of every game but those that begin anew in it.

        Args:
            actions: Integers `[count]`.
            coming: Game -> the world that replaces it in this step, instead of a step of its own.
            dtype: Of a packed row.
            over: Tells which rows end an episode.
            next_world: Makes the world that replaces a game at once when it is over; None to leave it.

        Returns:
            What came of it.
        """
        self._control[: self.count, 1] = actions
        rows = self._batch.step(self._control)[: self.count].view(dtype)[:, 0]
        begun, finals = {game: world.result() for game, world in coming.items()}, dict[int, Final]()
        ended = np.flatnonzero(over(rows)).tolist() if next_world else []
        if next_world and ended:
            symbolic = self._symbolic()
            for game in ended:
                finals[game] = Final(rows[game].tobytes(), None if symbolic is None else symbolic[game])
                begun[game] = next_world(self.start + game)
        if begun:
            rows = rows.copy()
            for game, world in begun.items():
                rows[game] = np.frombuffer(world.row, dtype)[0]
        return Played(rows, self.begin(begun), begun, finals)

    def _symbolic(self) -> NDArray[np.float32] | None:
        return self._batch.symbolic()[: self.count] if self._wants_symbolic else None
