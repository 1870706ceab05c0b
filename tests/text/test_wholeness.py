"""The text is true and whole: read back, it equals the state, tile by tile and thing by thing."""

from __future__ import annotations

import json
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
from tests.availability.arena import arena, put_creature
from tests.text.decoding import decode, expect
from tests.worlds import GAMES, SLOTS, edited_states, floor_of, played_states, scene_of, to_numpy

FORMATS = {**PRESETS, "list": TextFormat(map="list"), "grid": TextFormat(map="grid")}


def assert_whole(key: str, state: Any) -> None:
    engine = get_engine(key)
    spec = engine.spec
    expected = expect(state, spec)
    moment = Moment(scene_of(engine, state), np.ones(len(spec.actions), np.int8))
    for name, text_format in FORMATS.items():
        text = get_writer(spec, text_format).write(moment)
        assert decode(text, spec, text_format) == expected, f"{name}:\n{text}"


@pytest.mark.parametrize("key", GAMES)
def test_the_text_of_a_played_state_reads_back_as_the_state(key: str) -> None:
    for state in played_states(key):
        assert_whole(key, to_numpy(state))


@pytest.mark.parametrize("key", GAMES)
def test_the_text_of_an_edited_state_reads_back_as_the_state(key: str) -> None:
    for state in edited_states(key, proof.count(10_000, 120)):
        assert_whole(key, state)


def test_the_map_tells_the_players_own_shots_from_those_of_others() -> None:
    spec = get_engine("full").spec
    state = arena("full", shots=1)
    put_creature(spec, state, "mob_projectiles", (-1, 2), marked=False)
    moment = Moment(scene_of(get_engine("full"), state), np.ones(len(spec.actions), np.int8))
    rows = json.loads(get_writer(spec, PRESETS["json"]).write(moment))["map"]["rows"]
    down, right = spec.window[0] // 2, spec.window[1] // 2
    drawn = {
        (row - down, column - right): symbol for row, line in enumerate(rows) for column, symbol in enumerate(line)
    }
    assert {offset: symbol for offset, symbol in drawn.items() if symbol in "*+"} == {(2, 3): "+", (-1, 2): "*"}


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
