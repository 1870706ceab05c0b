"""A game is compiled once, and a step is one transfer to the host."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from craftax_text_gym.engine import core
from craftax_text_gym.engine.cache import CACHE_ENV_VAR
from craftax_text_gym.engine.core import get_engine
from tests.compilations import compilations
from tests.playing import RIGHT, make, same
from tests.subprocesses import CLASSIC_ID, IDS
from tests.worlds import GAMES, to_numpy


def test_the_counter_of_compilations_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_ENV_VAR, "off")
    with compilations() as events:
        jax.jit(lambda x: x * 3 + 17)(jnp.arange(5))
    assert events
    engine = core.Engine("classic")
    with compilations() as events:
        game, _ = engine.reset(0, engine.params({}))
        engine.step(game, 0, 0, engine.params({}))
    assert events
    with compilations() as events:
        engine.reset(1, engine.params({"always_diamond": False}))
    assert not events


def everything(env_id: str) -> None:
    """All ways in which a state or an action enters."""
    env = make(env_id)
    env.reset(seed=0)
    for action in (1, np.int32(1), np.int64(1), np.array(1), env.game.actions[1]):
        env.step(action)
    env.reset()
    env.reset(seed=2**40)
    snapshot = env.snapshot()
    env.restore(snapshot)
    env.step(2)
    env.restore(pickle.loads(pickle.dumps(snapshot)))
    env.step(2)
    copy.deepcopy(env).step(3)
    pickle.loads(pickle.dumps(env)).step(4)
    env.state = env.state
    env.step(5)
    env.state = to_numpy(env.state).replace(player_food=7, timestep=np.int64(3), player_drink=jnp.int32(5))
    env.step(5)
    env.explain(3)
    make(env_id, env_params={"day_length": 200}, reveal=("position",)).reset(seed=3)


@pytest.mark.parametrize("env_id", IDS)
def test_nothing_is_compiled_twice(env_id: str) -> None:
    everything(env_id)
    with compilations() as events:
        everything(env_id)
    assert events == []


def test_a_game_is_two_compilations_whatever_enters(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = core.Engine("classic")
    monkeypatch.setattr(core, "get_engine", lambda _: engine)
    env = make(CLASSIC_ID)
    env.reset(seed=0)
    env.step(0)
    with compilations() as events:
        for seed in (1, 2**40, None):
            other = make(CLASSIC_ID, env_params={"always_diamond": False, "spawn_cow_chance": 0.5})
            other.reset(seed=seed)
            for action in (1, np.int32(1), np.int64(1), "left"):
                other.step(action)
    assert events == []


@pytest.mark.parametrize("env_id", IDS)
def test_a_step_and_a_reset_are_one_transfer(env_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = make(env_id)
    transfers = []

    def to_host(buffer: Any) -> Any:
        assert isinstance(buffer, jax.Array)
        transfers.append((buffer.dtype, buffer.shape))
        return np.asarray(buffer)

    monkeypatch.setattr(core, "to_host", to_host)
    expected = (np.dtype(np.uint8), (get_engine(env.game.key).dtype.itemsize,))
    for count in range(1, 5):
        env.reset(seed=count)
        env.step(1)
        env.scene.things  # noqa: B018
        env.explain(2)
        assert transfers == [expected] * 2 * count


@pytest.mark.parametrize("env_id", IDS)
def test_nothing_reaches_the_host_beside_that_transfer(env_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    donor, env = make(env_id), make(env_id)
    rows: list[Any] = []
    outputs: list[Any] = []
    for _ in range(2):
        outputs.append(donor.step(RIGHT) if outputs else donor.reset(seed=7))
        rows.append(np.frombuffer(donor.scene.data, np.uint8))
    monkeypatch.setattr(core, "to_host", lambda _: rows.pop(0))
    given = [env.reset(seed=8), env.step(RIGHT)]
    for *output, info in given:
        *expected, expected_info = outputs.pop(0)
        assert same(output, expected)
        assert same({**info, "episode_seed": 7}, expected_info)


@pytest.mark.parametrize("key", GAMES)
def test_a_compiled_step_gives_the_state_and_one_array_of_bytes(key: str) -> None:
    engine = get_engine(key)
    params = engine.params({})
    game, buffer = engine.reset(0, params)
    after, buffer = engine.step(game, 0, 0, params)
    assert (buffer.dtype, buffer.shape) == (jnp.uint8, (engine.dtype.itemsize,))
    assert game[0].is_deleted()
    assert not any(array.is_deleted() for array in after)
