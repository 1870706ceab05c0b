"""Copies, pickles, snapshots and states: all have the same future, and none shares anything."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import jax
import numpy as np
import pytest

from tests.playing import fingerprint, make, play, same
from tests.subprocesses import CLASSIC_ID, FULL_ID, IDS, actions_of, transcript


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("env_id", IDS)
def test_a_copy_has_the_same_future_and_shares_nothing(env_id: str, duplicate: Callable[[Any], Any]) -> None:
    env = gym.make(env_id, obs_mode="both", max_episode_steps=25)
    transcript(env, seed=3, num_steps=10)
    raw: Any = env.unwrapped
    before = fingerprint(raw)
    other = duplicate(env)
    assert fingerprint(other.unwrapped) == before
    assert other.unwrapped.game is raw.game
    future = [other.step(action) for action in actions_of(env, 15, seed=1)]
    future.append(other.reset())
    assert fingerprint(raw) == before
    third = duplicate(env)
    expected = [env.step(action) for action in actions_of(env, 15, seed=1)]
    expected.append(env.reset())  # type: ignore[arg-type]
    assert same(future, expected)
    assert future[14][3]  # the time limit, which the copy has too
    assert same([*(third.step(action) for action in actions_of(env, 15, seed=1)), third.reset()], expected)


def test_an_unused_environment_can_be_copied() -> None:
    env = make(CLASSIC_ID)
    other = pickle.loads(pickle.dumps(env))
    assert other.reset(seed=0)[0] == copy.deepcopy(env).reset(seed=0)[0]
    other.close()
    assert copy.deepcopy(other).reset(seed=0)[0] == env.reset(seed=0)[0]


@pytest.mark.parametrize("env_id", IDS)
def test_a_snapshot_has_the_same_future_every_time_and_everywhere(env_id: str) -> None:
    env = make(env_id)
    observation, *_, info = play(env, 12, seed=4)[-1]
    snapshot = env.snapshot()
    frozen = pickle.dumps(snapshot)
    future = [*play(env, 15, seed=None), env.reset()]
    other = make(env_id, render_mode="ansi")
    for target in (env, env, other, other):
        for stored in (snapshot, pickle.loads(frozen)):
            assert same(target.restore(stored), (observation, info))
            assert same([*play(target, 15, seed=None), target.reset()], future)
    assert pickle.dumps(snapshot) == frozen


def test_a_snapshot_of_another_game_or_other_settings_is_refused() -> None:
    env = make(CLASSIC_ID)
    env.reset(seed=0)
    before = fingerprint(env)
    for other in (
        make(FULL_ID),
        make(CLASSIC_ID, reveal=("position",)),
        make(CLASSIC_ID, env_params={"day_length": 100}),
    ):
        other.reset(seed=1)
        with pytest.raises(ValueError, match="Expected a snapshot of 'classic'"):
            env.restore(other.snapshot())
    for wrong in (None, env.scene.data, env.state):
        with pytest.raises(TypeError, match=r"Expected what snapshot\(\) gave"):
            env.restore(wrong)
    assert fingerprint(env) == before


@pytest.mark.parametrize("env_id", IDS)
def test_the_state_is_a_copy_and_may_be_replaced(env_id: str) -> None:
    env = make(env_id)
    play(env, 5)
    arrays, state = fingerprint(env)[0], env.state
    env.state = state
    assert fingerprint(env)[0] == arrays
    expected = play(env, 10, seed=None)
    assert not any(leaf.is_deleted() for leaf in jax.tree.leaves(state))
    env.state = state
    assert same(play(env, 10, seed=None), expected)
    env.state = jax.tree.map(np.asarray, state)
    assert same(play(env, 10, seed=None), expected)
    wide = jax.tree.map(lambda leaf: np.asarray(leaf, np.float64 if leaf.dtype.kind == "f" else leaf.dtype), state)
    env.state = wide.replace(player_food=int(state.player_food), timestep=np.int64(state.timestep))
    assert same(play(env, 10, seed=None), expected)


@pytest.mark.parametrize("env_id", IDS)
def test_a_state_of_another_kind_is_refused_and_changes_nothing(env_id: str) -> None:
    env, other = make(env_id), make(IDS[1 - IDS.index(env_id)])
    env.reset(seed=0)
    other.reset(seed=0)
    before = fingerprint(env)
    for state in (other.state, None, env.state.replace(map=env.state.map[..., 1:]), env.snapshot()):
        with pytest.raises(ValueError, match="Expected"):
            env.state = state
    assert fingerprint(env) == before
