"""The window that is cut out of the maps."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from craftax_text_gym.engine import window
from craftax_text_gym.games import ALL
from craftax_text_gym.games.spec import GameSpec
from tests.proof import count


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
