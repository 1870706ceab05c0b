"""A seed fixes the world, the episodes after it and the chance of every step."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from tests.playing import face, fingerprint, make, play, same
from tests.subprocesses import CLASSIC_ID, IDS


@pytest.mark.parametrize("env_id", IDS)
def test_a_seed_fixes_the_world_and_the_worlds_after_it(env_id: str) -> None:
    env, other = make(env_id), make(env_id)
    first = [env.reset(seed=5), env.reset(), env.reset()]
    assert same(first, [env.reset(seed=5), env.reset(), env.reset()])
    assert same(first, [other.reset(seed=5), other.reset(), other.reset()])
    assert len({info["episode_seed"] for _, info in first}) == 3
    assert not same(first[0][0], env.reset(seed=6)[0])


@pytest.mark.parametrize("env_id", IDS)
def test_the_episode_seed_replays_the_episode(env_id: str) -> None:
    env, other = make(env_id), make(env_id)
    env.reset(seed=1)
    first = env.reset()
    episode = [first, *play(env, 40, seed=None)]
    seed = first[1]["episode_seed"]
    assert 0 <= seed < 2**32
    assert same(episode, [other.reset(seed=seed), *play(other, 40, seed=None)])


def test_environments_without_a_seed_differ() -> None:
    envs = [make(CLASSIC_ID) for _ in range(4)]
    assert len({env.reset()[1]["episode_seed"] for env in envs}) == 4


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1])
def test_a_seed_below_the_limit_is_the_episode_seed(seed: int) -> None:
    assert make(CLASSIC_ID).reset(seed=seed)[1]["episode_seed"] == seed


@pytest.mark.parametrize("seed", [2**32, 2**32 + 1, 2**64 + 5, 10**40])
def test_a_larger_seed_is_folded_by_numpys_seed_sequence(seed: int) -> None:
    env = make(CLASSIC_ID)
    first, info = env.reset(seed=seed)
    assert info["episode_seed"] == int(np.random.SeedSequence(seed).generate_state(1)[0])
    assert type(info["episode_seed"]) is int
    assert env.np_random_seed == seed
    assert make(CLASSIC_ID).reset(seed=info["episode_seed"])[0] == first


def test_a_bool_seed_gives_an_int() -> None:
    info = make(CLASSIC_ID).reset(seed=True)[1]
    assert type(info["episode_seed"]) is int


@pytest.mark.parametrize("seed", [-1, 1.0, "1", np.int64(1), [1]])
def test_a_wrong_seed_fails_as_gymnasiums_own_and_changes_nothing(seed: Any) -> None:
    env = make(CLASSIC_ID)
    env.reset(seed=0)
    before = fingerprint(env)
    with pytest.raises(gym.error.Error, match="Seed must be"):
        env.reset(seed=seed)
    assert fingerprint(env) == before


@pytest.mark.parametrize("env_id", IDS)
def test_the_keys_of_the_steps_differ(env_id: str) -> None:
    env = make(env_id)
    env.reset(seed=0)
    face(env, "grass")
    state = env.state
    found = []
    for timestep in range(300):
        env.state = state.replace(timestep=np.int32(timestep))
        env.step("do")
        found.append(int(env.state.inventory.sapling))
    assert 10 <= sum(found) <= 60
    timestep = found.index(1)
    for _ in range(3):
        env.state = state.replace(timestep=np.int32(timestep))
        env.step("do")
        assert int(env.state.inventory.sapling) == 1
