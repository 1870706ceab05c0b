"""The text is true and whole: read back, it equals the state, tile by tile and thing by thing."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text import PRESETS, TextFormat
from craftax_text_gym.text.writer import get_writer
from tests import proof
from tests.text.decoding import decode, expect
from tests.worlds import GAMES, SLOTS, edited_states, floor_of, played_states, scene_of, to_numpy

FORMATS = {**PRESETS, "list": TextFormat(map="list"), "grid": TextFormat(map="grid")}


def write(key: str, state: Any, text_format: TextFormat) -> str:
    engine = get_engine(key)
    moment = Moment(scene_of(engine, state), np.ones(len(engine.spec.actions), np.int8))
    return get_writer(engine.spec, text_format).write(moment)


def assert_whole(key: str, state: Any) -> None:
    spec = get_engine(key).spec
    expected = expect(state, spec)
    for name, text_format in FORMATS.items():
        text = write(key, state, text_format)
        assert decode(text, spec, text_format) == expected, f"{name}:\n{text}"


@pytest.mark.parametrize("key", GAMES)
def test_the_text_of_a_played_state_reads_back_as_the_state(key: str) -> None:
    for state in played_states(key):
        assert_whole(key, to_numpy(state))


@pytest.mark.parametrize("key", GAMES)
def test_the_text_of_an_edited_state_reads_back_as_the_state(key: str) -> None:
    for state in edited_states(key, proof.count(10_000, 200)):
        assert_whole(key, state)


def crowded_states(key: str, spec: GameSpec) -> list[tuple[Any, set[tuple[object, ...]]]]:
    """States that between them hold every block x item x creature on one tile, a few a state."""
    base = to_numpy(played_states(key)[0])
    items = range(len(spec.items) - 1) if spec.key == "full" else range(1)
    combinations = [
        (block, item, mob)
        for block, item, mob in product(range(len(spec.blocks)), items, spec.mobs)
        if block != spec.block_index["out_of_bounds"]
    ]
    queues = {
        slots.field: [entry for entry in combinations if entry[2].mob_class == slots.kind]
        for slots in SLOTS[key]
        if not slots.headings
    }
    states = []
    while any(queues.values()):
        state = to_numpy(base)
        floor = floor_of(spec, state)
        placed: set[tuple[object, ...]] = set()
        tile = 0
        for slots in SLOTS[key]:
            mobs = getattr(state, slots.field)
            mobs.mask[floor][:] = False
            for slot in range(mobs.mask[floor].size):
                if slots.headings or not queues[slots.field]:
                    continue
                block, item, mob = queues[slots.field].pop()
                offset = np.array([tile % 3 - 1, tile // 3 - 3])
                tile += 2 if tile == 8 else 1  # leave the player's own tile
                row, column = state.player_position + offset
                state.map[floor][row, column] = block
                if spec.key == "full":
                    state.item_map[floor][row, column] = item
                    mobs.type_id[floor][slot] = mob.type_id
                mobs.position[floor][slot] = (row, column)
                mobs.mask[floor][slot] = True
                placed.add((block, item, mob.mob_class, mob.type_id))
        states.append((state, placed))
    return states


@pytest.mark.parametrize("key", GAMES)
def test_every_block_with_every_item_and_creature_on_it_reads_back(key: str) -> None:
    states = crowded_states(key, get_engine(key).spec)
    for state, placed in states[:: proof.count(1, 8)]:
        assert placed
        assert_whole(key, state)
