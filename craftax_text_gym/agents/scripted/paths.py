"""Find the cheapest path on a remembered map."""

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
    is_target: Callable[[int], bool],
    *,
    blocked: Container[int] = _NO_TILES,
    tolls: Mapping[int, int] = _NO_TOLLS,
    limit: int = 300,
) -> list[int] | None:
    """Find the cheapest path to a tile beside a target, with the target appended.

    The target may be anything: a tile to dig, attack or step on. The cost of entering it does not count.

    Args:
        blocks: The block number of each tile, row by row.
        side: Tiles in a row.
        start: The tile to start from.
        costs: Block number -> steps to enter such a tile; 0 if it is impassable.
        is_target: Whether a tile is a target.
        blocked: Tiles that are impassable whatever their block.
        tolls: Tile -> extra cost of entering it.
        limit: The maximum cost of the path.

    Returns:
        The tiles to enter in order, the target last; None if there is no path.
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
                if is_target(there) and there != start:
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
    path = []
    while end != start:
        path.append(end)
        end = came[end]
    return path[::-1]
