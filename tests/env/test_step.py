"""What reset and step return: observations and infos of stable types, which belong to the caller."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from craftax.craftax.envs.craftax_symbolic_env import CraftaxSymbolicEnvNoAutoReset
from craftax.craftax_classic.envs.craftax_symbolic_env import CraftaxClassicSymbolicEnvNoAutoReset

from craftax_text_gym.engine.core import get_engine
from tests import proof
from tests.playing import edit, fingerprint, make, play, same
from tests.subprocesses import FULL_ID, IDS, actions_of
from tests.worlds import edited_states, played_states

INFO_TYPES = {
    "episode_seed": int,
    "timestep": int,
    "executed_action": int,
    "achievements": np.ndarray,
    "new_achievements": tuple,
    "action_mask": np.ndarray,
    "reward_achievements": float,
    "reward_health": float,
    "end_reason": str,
}


def assert_well_typed(env: Any, observation: Any, info: dict[str, Any]) -> None:
    assert observation in env.observation_space
    assert {key: type(value) for key, value in info.items()} == INFO_TYPES
    assert (info["achievements"].dtype, info["achievements"].shape) == (bool, (len(env.game.achievements),))
    assert (info["action_mask"].dtype, info["action_mask"].shape) == (np.int8, (len(env.game.actions),))
    assert set(info["action_mask"].tolist()) <= {0, 1}
    assert set(info["new_achievements"]) <= set(env.game.achievement_keys)


@pytest.mark.parametrize("obs_mode", ["text", "symbolic", "both"])
@pytest.mark.parametrize("env_id", IDS)
def test_long_random_play_stays_in_the_spaces_with_stable_types(env_id: str, obs_mode: str) -> None:
    env = make(env_id, obs_mode=obs_mode)
    observation, info = env.reset(seed=2)
    assert_well_typed(env, observation, info)
    assert (info["timestep"], info["executed_action"], info["new_achievements"]) == (0, -1, ())
    unlocked, timestep = info["achievements"], 0
    for action in actions_of(env, proof.count(10_000, 500 if obs_mode == "text" else 100)):
        observation, reward, terminated, truncated, info = env.step(action)
        assert_well_typed(env, observation, info)
        assert (type(reward), type(terminated), truncated) == (float, bool, False)
        timestep += 1
        assert info["timestep"] == timestep
        assert info["executed_action"] in (action, 0)
        new = np.flatnonzero(info["achievements"] & ~unlocked)
        assert info["new_achievements"] == tuple(env.game.achievement_keys[index] for index in new)
        assert reward == pytest.approx(info["reward_achievements"] + info["reward_health"], abs=1e-6)
        assert bool(info["end_reason"]) is terminated
        unlocked = info["achievements"]
        if terminated:
            observation, info = env.reset()
            assert_well_typed(env, observation, info)
            unlocked, timestep = info["achievements"], 0
            assert not unlocked.any()


@pytest.mark.parametrize("env_id", IDS)
def test_what_was_returned_may_be_changed_without_effect(env_id: str) -> None:
    env, other = make(env_id, obs_mode="both"), make(env_id, obs_mode="both")
    expected = play(other, 15)
    kept = copy.deepcopy(expected)
    output: Any = env.reset(seed=0)
    for action in [*actions_of(env, 15), None]:
        assert same(output, kept.pop(0))
        before = fingerprint(env)
        observation, info = output[0], output[-1]
        observation["symbolic"][:] = 7
        info["achievements"][:] = True
        info["action_mask"][:] = 9
        info.clear()
        observation.clear()
        assert fingerprint(env) == before
        output = None if action is None else env.step(action)
    assert same(expected, play(other, 15))


@pytest.mark.parametrize("env_id", IDS)
def test_the_symbolic_observation_is_upstreams(env_id: str) -> None:
    env = make(env_id, obs_mode="symbolic")
    upstream = CraftaxSymbolicEnvNoAutoReset() if env_id == FULL_ID else CraftaxClassicSymbolicEnvNoAutoReset()
    get_obs = jax.jit(upstream.get_obs)
    engine = get_engine(env.game.key)
    observations = [env.reset(seed=0)[0]]
    for state in [*played_states(env.game.key)[:10], *edited_states(env.game.key, proof.count(1_000, 10), seed=5)]:
        expected = np.asarray(get_obs(jax.tree.map(jnp.asarray, state))).astype(np.float32)
        env.state = state
        np.testing.assert_array_equal(engine.symbolic(engine.from_state(state)), expected)
        snapshot = env.snapshot()
        np.testing.assert_array_equal(env.restore(snapshot)[0], expected)
    for action in actions_of(env, 10):
        if env.scene.dead or env.scene.boss_defeated:
            env.reset()
        observations.append(env.step(action)[0])
        np.testing.assert_array_equal(observations[-1], np.asarray(get_obs(env.state)).astype(np.float32))


@pytest.mark.parametrize("max_attribute", [0, 5, 30])
def test_the_symbolic_space_holds_what_the_attributes_allow(max_attribute: int) -> None:
    env = make(FULL_ID, obs_mode="symbolic", env_params={"max_attribute": max_attribute})
    env.reset(seed=0)
    level = np.int32(max(1, max_attribute))
    edit(env, player_intelligence=level, player_mana=np.int32(6 + 3 * level), sword_enchantment=np.int32(2))
    observation = env.restore(env.snapshot())[0]
    assert observation in env.observation_space
    assert np.isfinite(env.observation_space.high).all()


@pytest.mark.parametrize("env_id", IDS)
def test_both_is_text_and_symbolic(env_id: str) -> None:
    envs = {mode: make(env_id, obs_mode=mode) for mode in ("text", "symbolic", "both")}
    episodes = {mode: [output[0] for output in play(env, 10)] for mode, env in envs.items()}
    for text, symbolic, both in zip(*episodes.values(), strict=True):
        assert both["text"] == text
        np.testing.assert_array_equal(both["symbolic"], symbolic)


@pytest.mark.parametrize("env_id", IDS)
def test_names_and_numbers_of_actions_play_alike(env_id: str) -> None:
    env = make(env_id)
    kinds: list[Callable[[int], Any]] = [int, env.game.actions.__getitem__, np.int32, np.int64, np.array]
    episodes = []
    for kind in kinds:
        env.reset(seed=0)
        episodes.append([env.step(kind(action)) for action in actions_of(env, 20)])
    assert all(same(episode, episodes[0]) for episode in episodes)


@pytest.mark.parametrize("env_id", IDS)
def test_explain_agrees_with_the_mask(env_id: str) -> None:
    env = make(env_id)
    info = env.reset(seed=0)[1]
    for action in actions_of(env, 20):
        for index, available in enumerate(info["action_mask"]):
            reason = env.explain(index)
            assert (reason is None) == bool(available)
            assert reason == env.explain(env.game.actions[index])
        info = env.step(action)[-1]
