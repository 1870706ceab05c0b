"""Finding the cheapest way on a remembered map."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from types import MappingProxyType

_NO_TILES: frozenset[int] = frozenset()
_NO_TOLLS: Mapping[int, int] = MappingProxyType({})


def find(
    blocks: bytes | bytearray,
    side: int,
    start: int,
    costs: Sequence[int],
    is_wanted: Callable[[int], bool],
    *,
    blocked: Container[int] = _NO_TILES,
    tolls: Mapping[int, int] = _NO_TOLLS,
    limit: int = 300,
) -> list[int] | None:
    """Find the cheapest way to stand beside the first tile that is wanted.

    The wanted tile itself may be anything: something to dig, to strike, or to step on. What it costs to enter it does
    not count.

    Args:
        blocks: The block number of each tile, row by row.
        side: Tiles in a row.
        start: The tile to start from.
        costs: Block number -> steps that entering such a tile takes; 0 where nobody can pass.
        is_wanted: Whether a tile is one to go to.
        blocked: Tiles that cannot be passed, whatever is there.
        tolls: Tile -> what entering it costs besides.
        limit: The most that the way may cost.

    Returns:
        The tiles to enter one after another, the last of them the wanted one; None if there is no way.
    """
    came: dict[int, int] = {start: start}
    best: dict[int, int] = {start: 0}
    buckets: list[list[int]] = [[] for _ in range(limit + 1)]
    buckets[0].append(start)
    steps = (-side, -1, 1, side)
    for cost in range(limit + 1):
        for here in buckets[cost]:
            if best[here] != cost:
                continue
            for step in steps:
                there = here + step
                if is_wanted(there) and there != start:
                    return [*_trace(came, start, here), there]
                price = costs[blocks[there]]
                if not price or there in blocked:
                    continue
                total = cost + price + tolls.get(there, 0)
                if total < best.get(there, limit + 1):
                    best[there] = total
                    came[there] = here
                    buckets[total].append(there)
    return None


def _trace(came: dict[int, int], start: int, end: int) -> list[int]:
    way = []
    while end != start:
        way.append(end)
        end = came[end]
    return way[::-1]
