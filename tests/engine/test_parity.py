"""The compiled games are Craftax's own, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from craftax_text_gym.engine.core import get_engine
from tests import proof
from tests.engine import upstream
from tests.worlds import GAMES


@pytest.mark.parametrize("key", GAMES)
def test_a_seed_gives_upstreams_world(key: str) -> None:
    engine = get_engine(key)
    for seed in (*range(proof.count(19, 7)), 2**32 - 1):
        game, _ = engine.reset(seed, engine.params({}))
        assert upstream.differences(engine.to_state(game), upstream.reset(key, seed)) == []


@pytest.mark.parametrize("key", GAMES)
def test_a_trajectory_is_upstreams_to_the_bit(key: str) -> None:
    engine = get_engine(key)
    params = engine.params({})
    for seed in range(proof.count(5, 2)):
        rng = np.random.default_rng(seed)
        game, _ = engine.reset(seed, params)
        state = upstream.reset(key, seed)
        for timestep in range(300):
            action = int(rng.integers(len(engine.spec.actions)))
            game, buffer = engine.step(game, action, seed, params)
            state, reward = upstream.step(key, state, action, seed, timestep)
            row = engine.read(buffer)[0]
            assert row["reward"].tobytes() == reward.tobytes()
            if timestep % proof.count(1, 50) == 0:
                assert upstream.differences(engine.to_state(game), state) == []


@pytest.mark.parametrize("key", GAMES)
def test_the_two_parts_of_the_reward_add_up(key: str) -> None:
    engine = get_engine(key)
    params = engine.params({})
    rng = np.random.default_rng(0)
    game, _ = engine.reset(3, params)
    paid = 0.0
    for _ in range(300):
        game, buffer = engine.step(game, int(rng.integers(len(engine.spec.actions))), 3, params)
        row = engine.read(buffer)[0]
        unlocked = np.flatnonzero(row["new_achievements"])
        assert row["reward_achievements"] == sum(engine.spec.achievements[i].reward for i in unlocked)
        assert row["reward"] == pytest.approx(row["reward_achievements"] + row["reward_health"], abs=1e-6)
        paid += float(row["reward_achievements"])
    assert paid > 0


@pytest.mark.parametrize("key", GAMES)
def test_parameters_change_the_game_without_a_new_compilation(key: str) -> None:
    engine = get_engine(key)
    game, buffer = engine.reset(0, engine.params({}))
    engine.step(game, 0, 0, engine.params({}))
    compiled = dict(engine.compiler._ready)
    short_day = engine.params({"day_length": 10})
    game, _ = engine.reset(0, short_day)
    for _ in range(5):
        game, buffer = engine.step(game, 0, 0, short_day)
    usual_day, _ = engine.reset(0, engine.params({}))
    assert engine.read(buffer)[0]["daylight"] != engine.read(engine.look(usual_day, engine.params({})))[0]["daylight"]
    assert {name: engine.compiler._ready[name] for name in compiled} == compiled


@pytest.mark.parametrize("key", GAMES)
def test_a_step_gives_the_state_and_one_byte_buffer(key: str) -> None:
    engine = get_engine(key)
    game, buffer = engine.reset(0, engine.params({}))
    after, buffer = engine.step(game, 1, 0, engine.params({}))
    assert buffer.dtype == np.uint8
    assert buffer.shape == (engine.dtype.itemsize,)
    assert [(a.shape, a.dtype) for a in after] == [(a.shape, a.dtype) for a in game]


@pytest.mark.parametrize("key", GAMES)
def test_a_step_consumes_the_game_and_a_copy_is_whole(key: str) -> None:
    engine = get_engine(key)
    game, _ = engine.reset(0, engine.params({}))
    copied = engine.copy(game)
    kept = [array.copy() for array in copied]
    engine.step(game, 1, 0, engine.params({}))
    assert all(array.is_deleted() for array in game if array.size > 2), "a buffer was not donated"
    assert all((a == b).all() for a, b in zip(copied, kept, strict=True))


@pytest.mark.parametrize("key", GAMES)
def test_a_state_survives_the_packing(key: str) -> None:
    engine = get_engine(key)
    game, _ = engine.reset(5, engine.params({}))
    state = engine.to_state(game)
    assert upstream.differences(engine.to_state(engine.from_state(state)), state) == []


def test_a_foreign_state_is_refused() -> None:
    full, classic = get_engine("full"), get_engine("classic")
    game, _ = classic.reset(0, classic.params({}))
    with pytest.raises(ValueError, match="structure"):
        full.from_state(classic.to_state(game))
    state = classic.to_state(game)
    with pytest.raises(ValueError, match="shape"):
        classic.from_state(state.replace(map=state.map[:5]))


@pytest.mark.parametrize("number", [-1, 256, 300])
def test_a_number_that_a_tile_cannot_hold_is_refused(number: int) -> None:
    engine = get_engine("full")
    game, _ = engine.reset(0, engine.params({}))
    state = engine.to_state(game)
    for name in ("map", "item_map"):
        with pytest.raises(ValueError, match="from 0 to 255"):
            engine.from_state(state.replace(**{name: getattr(state, name).at[3, 5, 7].set(number)}))


@pytest.mark.parametrize("key", GAMES)
def test_an_edited_state_enters_with_the_engines_own_dtypes(key: str) -> None:
    engine = get_engine(key)
    game, _ = engine.reset(0, engine.params({}))
    state = engine.to_state(game).replace(player_food=3, player_health=4.0, is_sleeping=np.True_)
    entered = engine.from_state(state)
    assert [(a.shape, a.dtype, a.weak_type) for a in entered] == [(a.shape, a.dtype, False) for a in game]
    assert int(engine.to_state(entered).player_food) == 3
