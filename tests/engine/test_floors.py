"""Both steps of the full game, on the player's floor alone and on all nine, are upstream's to the bit."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from craftax_text_gym.engine import floors
from craftax_text_gym.engine.core import Engine, get_engine
from craftax_text_gym.games import FULL
from craftax_text_gym.games.shared import DIRECTIONS
from tests.availability.arena import arena
from tests.engine import upstream
from tests.proof import count
from tests.worlds import GAMES, edited_states, played_states, to_numpy

FLOORS = range(len(FULL.floors))
ACTIONS = FULL.action_index
ROWS, COLUMNS = FULL.map_size


@lru_cache
def engines(key: str) -> tuple[Engine, ...]:
    """The game's engine, and for the full game the one that plays without its fast step."""
    return (get_engine(key), Engine(key, shortcuts=False)) if key == "full" else (get_engine(key),)


def played(key: str, state: Any, action: int, seed: int = 0, **overrides: Any) -> Any:
    """The state after a step, on which every engine and upstream agree; and they do on the reward."""
    theirs, reward = upstream.step(key, state, action, seed, int(state.timestep), **overrides)
    for engine in engines(key):
        game, buffer = engine.step(engine.from_state(state), action, seed, engine.params(overrides))
        assert upstream.differences(engine.to_state(game), theirs) == [], (action, seed)
        assert engine.read(buffer)[0]["reward"].tobytes() == reward.tobytes(), (action, seed)
    return theirs


@pytest.mark.parametrize("key", GAMES)
def test_an_edited_state_is_played_as_upstream_plays_it(key: str) -> None:
    number = count(3000, 40)
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


def state_of(floor: int, maps: Any) -> Any:
    """A state whose maps are all the same array."""
    state = played_states("full")[0]
    return state.replace(player_level=jnp.int32(floor), map=maps, item_map=maps, mob_map=maps)


@given(
    floor=st.sampled_from(FLOORS),
    writes=st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 5), st.integers(0, 99)), max_size=5),
)
@settings(max_examples=count(300, 40), deadline=None)
def test_a_floor_answers_as_the_whole_array_does(floor: int, writes: list[tuple[bool, int, int, int]]) -> None:
    whole = jnp.arange(len(FLOORS) * 30).reshape(len(FLOORS), 5, 6)
    state = floors.enter(state_of(floor, whole))
    part, number = state.map, state.player_level
    for is_ground, row, column, value in writes:
        index = (0 if is_ground else number, row, column)
        whole, part = (array.at[index].set(value) for array in (whole, part))
        assert (part[index] == whole[index]).all()
    assert (part[number] == whole[number]).all()
    assert (part[0] == whole[0]).all()
    replaced = part.at[number].set(whole[1])
    assert (replaced[number] == whole[1]).all()
    assert (replaced[0] == whole.at[number].set(whole[1])[0]).all()
    assert (part.at[number].set(7)[number] == 7).all()
    replaced = part.at[0].set(whole[1])
    assert (replaced[number] == whole.at[0].set(whole[1])[number]).all()
    assert (replaced[0] == whole[1]).all()


UNKNOWN: dict[str, Callable[[Any], Any]] = {
    "the floor below": lambda state: state.map[state.player_level + 1],
    "a tile of the floor below": lambda state: state.item_map[state.player_level + 1, 3, 4],
    "the same number computed": lambda state: state.map[state.player_level + 0, 3, 4],
    "another number": lambda state: state.map[2],
    "a tile of another number": lambda state: state.map[2, 3, 4],
    "the first floor's items": lambda state: state.item_map[0],
    "a tile of the first floor's items": lambda state: state.item_map[0, 3, 4],
    "all floors": lambda state: state.mob_map[:, 3, 4],
    "every array": lambda state: state.map[...],
    "the last floor": lambda state: state.map[-1],
    "a yes": lambda state: state.map[False],
    "floors one by one": lambda state: list(state.map),
    "the floor before a move": lambda state: state.replace(player_level=state.player_level + 1).map[state.player_level],
    "a write after a move": lambda state: state.replace(player_level=jnp.int32(3)).map.at[state.player_level].set(1),
    "a write to the floor below": lambda state: state.map.at[state.player_level + 1, 3, 4].set(7),
    "a write to another number": lambda state: state.map.at[2].set(state.map[0]),
    "a write to a tile of another number": lambda state: state.mob_map.at[2, 3, 4].set(True),
    "a write to all floors": lambda state: state.map.at[:, 3, 4].set(7),
    "in a loop": lambda state: jax.lax.scan(
        lambda held, _: (held, held.map[held.player_level * 1, 3, 4]), state, None, length=2
    ),
    "from around a loop": lambda state: jax.lax.scan(
        lambda held, _: (held, held.map[state.player_level, 3, 4]), state, None, length=2
    ),
}


@pytest.mark.parametrize("use", UNKNOWN)
def test_an_index_that_a_floor_does_not_know_raises_while_tracing(use: str) -> None:
    with pytest.raises(floors.UnknownFloorError, match="player_level"):
        jax.eval_shape(lambda state: UNKNOWN[use](floors.enter(state)), played_states("full")[0])


def test_the_player_s_floor_is_known_in_loops_and_batches() -> None:
    def tiles(state: Any) -> Any:
        entered = floors.enter(state)
        return jax.lax.scan(lambda held, row: (held, held.map[held.player_level, row, 3]), entered, jnp.arange(4))[1]

    states = [played_states("full")[0].replace(player_level=jnp.int32(floor)) for floor in FLOORS]
    batch = jax.tree.map(lambda *leaves: jnp.stack(leaves), *states)
    expected = [np.asarray(state.map)[floor, :4, 3].tolist() for floor, state in enumerate(states)]
    assert jax.jit(jax.vmap(tiles))(batch).tolist() == expected
