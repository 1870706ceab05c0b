"""The window that is cut out of the maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from craftax_text_gym.engine import window
from craftax_text_gym.games import ALL
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import HIDDEN
from tests.proof import count

POSITIONS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=3, max_size=3)


@dataclass
class Mobs:
    """The fields of upstream's `Mobs` that a window is cut from."""

    position: Any
    mask: Any
    health: Any


@given(positions=POSITIONS, mask=st.lists(st.booleans(), min_size=3, max_size=3), show_health=st.booleans())
@settings(max_examples=count(300, 20), deadline=None)
def test_creatures_are_seen_where_they_stand_if_it_is_lit(
    positions: list[tuple[int, int]], mask: list[bool], show_health: bool
) -> None:
    mobs = Mobs(jnp.array(positions), jnp.array(mask), jnp.array([3, 5, 7]))
    lit = np.random.default_rng(0).random((9, 11)) < 0.7
    headings = jnp.array([(0, -1), (1, 0), (-1, 0)])
    things, health = window.things(
        [(mobs, jnp.array([4, 6, 2]), headings)], jnp.array([15, 12]), jnp.asarray(lit), jnp.bool_(show_health)
    )
    for slot, (row, column) in enumerate(positions):
        down, right = row - 15 + 4, column - 12 + 5
        seen = mask[slot] and 0 <= down < 9 and 0 <= right < 11 and bool(lit[down, right])
        expected = [1, (4, 6, 2)[slot], down, right, *headings[slot].tolist()] if seen else [0] * 6
        assert things[slot].tolist() == expected
        assert health[slot] == ((3, 5, 7)[slot] if seen and show_health else HIDDEN)


@pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.key)
@given(data=st.data())
@settings(max_examples=count(300, 30), deadline=None)
def test_it_is_what_padding_and_slicing_give(spec: GameSpec, data: st.DataObject) -> None:
    grid = np.random.default_rng(0).integers(1, 200, (3, *spec.map_size)).astype(np.uint8)
    row, column = (data.draw(st.integers(0, size - 1)) for size in spec.map_size)
    floor = data.draw(st.sampled_from((None, 0, 2)))
    of_floor = grid[floor or 0]
    rows, columns = spec.window
    padded = np.pad(of_floor, ((rows // 2,) * 2, (columns // 2,) * 2), constant_values=7)
    expected = padded[row : row + rows, column : column + columns]
    given_grid = jnp.asarray(of_floor if floor is None else grid)
    cut = window.crop(given_grid, jnp.array([row, column]), spec.window, 7, None if floor is None else jnp.int32(floor))
    assert cut.dtype == np.uint8
    assert (np.asarray(cut) == expected).all()
