"""Path-finding against a search that tries every way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from craftax_text_gym.agents.scripted.paths import find

SIDE = 7
START = SIDE * 3 + 3
COSTS = (0, 1, 2, 4)

inside = [row * SIDE + column for row in range(1, SIDE - 1) for column in range(1, SIDE - 1)]
worlds = st.lists(st.integers(0, 3), min_size=len(inside), max_size=len(inside))


def laid_out(inner: list[int]) -> bytes:
    """The tiles inside, with a wall around them."""
    blocks = bytearray(SIDE * SIDE)
    for tile, block in zip(inside, inner, strict=True):
        blocks[tile] = block
    return bytes(blocks)


def cheapest(blocks: bytes, blocked: set[int], tolls: dict[int, int]) -> dict[int, int]:
    """What it costs to stand on every tile that can be reached: relaxed until nothing changes."""
    best = {START: 0}
    changed = True
    while changed:
        changed = False
        for tile, cost in list(best.items()):
            for there in (tile - SIDE, tile - 1, tile + 1, tile + SIDE):
                price = COSTS[blocks[there]]
                if price and there not in blocked and cost + price + tolls.get(there, 0) < best.get(there, 10**6):
                    best[there] = cost + price + tolls.get(there, 0)
                    changed = True
    return best


@given(
    worlds,
    st.sampled_from([tile for tile in inside if tile != START]),
    st.sets(st.sampled_from(inside), max_size=4),
    st.dictionaries(st.sampled_from(inside), st.integers(0, 5), max_size=4),
)
def test_the_way_that_is_found_is_as_cheap_as_any(
    inner: list[int], target: int, blocked: set[int], tolls: dict[int, int]
) -> None:
    blocks = laid_out(inner)
    best = cheapest(blocks, blocked, tolls)
    beside = [best[tile] for tile in (target - SIDE, target - 1, target + 1, target + SIDE) if tile in best]
    path = find(blocks, SIDE, START, COSTS, target.__eq__, blocked=blocked, tolls=tolls)
    if not beside:
        assert path is None
        return
    assert path is not None
    assert path[-1] == target
    steps = [abs(there - here) for here, there in zip([START, *path], path, strict=False)]
    assert set(steps) <= {1, SIDE}
    assert sum(COSTS[blocks[tile]] + tolls.get(tile, 0) for tile in path[:-1]) == min(beside)


@given(worlds, st.integers(0, 6))
def test_no_way_costs_more_than_the_limit(inner: list[int], limit: int) -> None:
    blocks = laid_out(inner)
    far = [tile for tile, cost in cheapest(blocks, set(), {}).items() if cost > limit]
    for target in far:
        path = find(blocks, SIDE, START, COSTS, target.__eq__, limit=limit)
        assert path is None or sum(COSTS[blocks[tile]] for tile in path[:-1]) <= limit


def test_the_start_is_no_target() -> None:
    assert find(laid_out([1] * len(inside)), SIDE, START, COSTS, START.__eq__) is None
