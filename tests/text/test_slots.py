"""No official observation shows in which slot the engine keeps a thing, nor do the texts."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text import PRESETS
from craftax_text_gym.text.writer import get_writer
from tests import proof
from tests.worlds import GAMES, SLOTS, edited_states, floor_of, scene_of, to_numpy

REVEAL_ALL = 31


def shuffled(key: str, state: Any, rng: np.random.Generator) -> Any:
    """The state with the things of each kind in other slots."""
    spec = get_engine(key).spec
    floor = floor_of(spec, state)
    for slots in SLOTS[key]:
        mobs = getattr(state, slots.field)
        order = rng.permutation(mobs.mask[floor].size)
        arrays = [*jax.tree.leaves(mobs), *([getattr(state, slots.headings)] if slots.headings else [])]
        for array in arrays:
            array[floor] = array[floor][order]
    return state


def texts_of(key: str, state: Any) -> dict[str, str]:
    spec = get_engine(key).spec
    moment = Moment(scene_of(get_engine(key), state, REVEAL_ALL), np.ones(len(spec.actions), np.int8))
    return {name: get_writer(spec, text_format).write(moment) for name, text_format in PRESETS.items()}


@pytest.mark.parametrize("key", GAMES)
def test_a_permutation_of_slots_changes_no_text(key: str) -> None:
    rng = np.random.default_rng(7)
    for state in edited_states(key, proof.count(3_000, 60), seed=5):
        expected = texts_of(key, state)
        assert texts_of(key, shuffled(key, to_numpy(state), rng)) == expected


@pytest.mark.parametrize("key", GAMES)
def test_things_that_look_alike_are_told_once(key: str) -> None:
    spec = get_engine(key).spec
    for state in edited_states(key, 20, seed=11):
        floor = floor_of(spec, state)
        for slots in SLOTS[key]:
            mobs = getattr(state, slots.field)
            for array in [*jax.tree.leaves(mobs), *([getattr(state, slots.headings)] if slots.headings else [])]:
                array[floor][:] = array[floor][0]
        things = scene_of(get_engine(key), state, REVEAL_ALL).things
        assert len(set(things)) == len(things) <= len(SLOTS[key])
