"""A step on the player's floor alone is upstream's step of all nine, to the bit."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from craftax_text_gym.engine import floors
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games import FULL
from craftax_text_gym.games.shared import DIRECTIONS
from tests.availability.arena import arena
from tests.engine import upstream
from tests.proof import count
from tests.worlds import GAMES, edited_states, played_states, to_numpy

FLOORS = range(len(FULL.floors))
ACTIONS = FULL.action_index
ROWS, COLUMNS = FULL.map_size


def played(key: str, state: Any, action: int, seed: int = 0, **overrides: Any) -> Any:
    """The state after a step of the engine's, which is upstream's, and so is the reward."""
    engine = get_engine(key)
    game, buffer = engine.step(engine.from_state(state), action, seed, engine.params(overrides))
    theirs, reward = upstream.step(key, state, action, seed, int(state.timestep), **overrides)
    ours = engine.to_state(game)
    assert upstream.differences(ours, theirs) == [], (action, seed)
    assert engine.read(buffer)[0]["reward"].tobytes() == reward.tobytes(), (action, seed)
    return ours


@pytest.mark.parametrize("key", GAMES)
def test_an_edited_state_is_played_as_upstream_plays_it(key: str) -> None:
    number = count(6000, 40)
    rng = np.random.default_rng(0)
    for index, state in enumerate(edited_states(key, number, seed=3)):
        action = int(rng.integers(len(get_engine(key).spec.actions)))
        played(key, jax.tree.map(jnp.asarray, state), action, index)


@pytest.mark.parametrize("floor", FLOORS)
def test_a_torch_is_lit_as_upstream_lights_it(floor: int) -> None:
    ends = [(0, 1, 3, 5, ROWS // 2, ROWS - 2, ROWS - 1), (0, 1, 4, COLUMNS // 2, COLUMNS - 3, COLUMNS - 1)]
    rng = np.random.default_rng(floor)
    lit = 0
    for position in itertools.islice(itertools.product(*ends), floor % 3, None, count(1, 3)):
        state = to_numpy(arena("full", floor=floor, inventory={"torches": 2}))
        state.map[floor][...] = FULL.block_index["path"]
        state.item_map[floor][...] = 0
        state.light_map[...] = rng.choice([0.0, 0.02, 0.4, 1.0], state.light_map.shape)
        direction = 1 + int(rng.integers(len(DIRECTIONS)))
        state = state.replace(player_position=np.array(position, np.int32), player_direction=np.int32(direction))
        after = played("full", jax.tree.map(jnp.asarray, state), ACTIONS["place_torch"])
        lit += bool((np.asarray(after.light_map) != state.light_map).any())
    assert lit > 3


def test_ladders_lead_where_upstream_s_do() -> None:
    rng = np.random.default_rng(1)
    state, seen = played_states("full")[0], set()
    for index in range(count(600, 120)):
        down = rng.random() < (1.0 if index < 40 else 0.3)
        action = ACTIONS["descend" if down else "ascend"] if rng.random() < 0.5 else int(rng.integers(len(ACTIONS)))
        state = played("full", state, action, index, god_mode=True)
        seen.add(int(state.player_level))
    assert seen == set(FLOORS)


@pytest.mark.parametrize("floor", FLOORS)
def test_plants_ripen_on_the_first_floor_wherever_the_player_is(floor: int) -> None:
    state = to_numpy(arena("full", floor=floor))
    plant, ripe = FULL.block_index["plant"], FULL.block_index["ripe_plant"]
    state.growing_plants_mask[:3] = True
    state.growing_plants_age[:3] = 100, 598, 599
    state.growing_plants_positions[:3] = (20, 25), (21, 26), (22, 27)
    state.map[0][[20, 21, 22], [25, 26, 27]] = plant
    after = played("full", jax.tree.map(jnp.asarray, state), ACTIONS["noop"])
    assert np.asarray(after.map)[0][[20, 21, 22], [25, 26, 27]].tolist() == [plant, plant, ripe]


@pytest.mark.parametrize("floor", FLOORS)
def test_entering_and_leaving_changes_nothing(floor: int) -> None:
    state = played_states("full")[0].replace(player_level=jnp.int32(floor))
    assert upstream.differences(floors.leave(state, floors.enter(state)), state) == []


@given(
    floor=st.sampled_from(FLOORS),
    writes=st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 5), st.integers(0, 99)), max_size=5),
)
@settings(max_examples=count(300, 40), deadline=None)
def test_a_floor_answers_as_the_whole_array_does(floor: int, writes: list[tuple[bool, int, int, int]]) -> None:
    whole = jnp.arange(len(FLOORS) * 30).reshape(len(FLOORS), 5, 6)
    part: Any = floors.FloorAndGround(whole[floor], whole[0], jnp.array(floor == 0))
    number = jnp.int32(floor)
    for is_ground, row, column, value in writes:
        if is_ground:
            whole, part = (array.at[0].set(array[0].at[row, column].set(value)) for array in (whole, part))
        else:
            whole, part = (array.at[number, row, column].set(value) for array in (whole, part))
        assert (part[number, row, column] == whole[number, row, column]).all()
    assert (part[number] == whole[number]).all()
    assert (part[0] == whole[0]).all()
    replaced = part.at[number].set(whole[1])
    assert (replaced[number] == whole[1]).all()
    assert (replaced[0] == whole.at[number].set(whole[1])[0]).all()
