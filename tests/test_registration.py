"""The Gymnasium ids and their specs."""

from __future__ import annotations

import importlib
import json
import pickle
import warnings
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.wrappers import TimeLimit

import craftax_text_gym
from craftax_text_gym import registration
from tests.subprocesses import CLASSIC_ID, FULL_ID, IDS, transcript

ARGUMENTS: dict[str, Any] = {
    "text_format": {"map": "list", "sections": ["status", "map"]},
    "reveal": ["position", "mob_health"],
    "env_params": {"day_length": 50},
    "obs_mode": "both",
    "render_mode": "ansi",
    "max_episode_steps": 20,
}


@pytest.mark.parametrize("env_id", IDS)
def test_the_registered_spec_is_plain_data(env_id: str) -> None:
    spec = gym.spec(env_id)
    assert isinstance(spec.entry_point, str)
    assert spec.vector_entry_point is None or isinstance(spec.vector_entry_point, str)
    assert spec.additional_wrappers == ()
    assert json.loads(json.dumps(spec.kwargs)) == spec.kwargs
    assert EnvSpec.from_json(spec.to_json()) == spec
    assert not spec.nondeterministic


def test_the_caps_are_craftaxs_own() -> None:
    assert gym.spec(CLASSIC_ID).max_episode_steps == 10_000
    assert gym.spec(FULL_ID).max_episode_steps == 100_000


def test_importing_and_registering_again_gives_no_warning() -> None:
    before = dict(gym.registry)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.reload(craftax_text_gym)
        registration.register()
        gym.make(f"craftax_text_gym:{CLASSIC_ID}")
    assert dict(gym.registry) == before


@pytest.mark.parametrize("env_id", IDS)
def test_a_spec_remakes_the_environment(env_id: str) -> None:
    env = gym.make(env_id, **ARGUMENTS)
    assert env.spec is not None
    expected = transcript(env, num_steps=30)
    specs = (env.spec, EnvSpec.from_json(env.spec.to_json()), pickle.loads(pickle.dumps(env.spec)))
    for spec in specs:
        again = gym.make(spec)
        assert again.spec == env.spec
        assert again.observation_space == env.observation_space
        assert again.render_mode == "ansi"
        assert transcript(again, num_steps=30) == expected


@pytest.mark.parametrize("env_id", IDS)
def test_make_gives_the_documented_defaults(env_id: str) -> None:
    env = gym.make(env_id)
    raw: Any = env.unwrapped
    assert (raw.reveal, raw.env_params, raw.obs_mode, raw.render_mode) == ((), {}, "text", None)
    assert raw.text_format == craftax_text_gym.TextFormat()
    assert raw.game.env_id == env_id
    assert env.action_space == gym.spaces.Discrete({CLASSIC_ID: 17, FULL_ID: 43}[env_id])
    assert isinstance(env.action_space, craftax_text_gym.NamedDiscrete)
    assert isinstance(env.observation_space, craftax_text_gym.ObservationText)


def test_a_cap_truncates_once_and_is_gymnasiums_alone() -> None:
    env = gym.make(CLASSIC_ID, max_episode_steps=3)
    for _ in range(2):
        env.reset(seed=0)
        steps = [env.step("noop")[2:] for _ in range(3)]
        assert [(terminated, truncated) for terminated, truncated, _ in steps] == [(False, False)] * 2 + [(False, True)]
        assert steps[-1][2]["end_reason"] == ""


def test_no_cap_leaves_the_time_limit_off() -> None:
    env = gym.make(CLASSIC_ID, max_episode_steps=-1)
    layers = [env]
    while isinstance(layers[-1], gym.Wrapper):
        layers.append(layers[-1].env)
    assert not any(isinstance(layer, TimeLimit) for layer in layers)
    env.reset(seed=0)
    assert not env.step("noop")[3]


@pytest.mark.parametrize("env_id", IDS)
def test_a_game_past_craftaxs_own_cap_goes_on_without_a_time_limit(env_id: str) -> None:
    env = gym.make(env_id, max_episode_steps=-1)
    env.reset(seed=0)
    raw: Any = env.unwrapped
    raw.state = raw.state.replace(timestep=200_000)
    _, _, terminated, truncated, info = env.step("noop")
    assert (terminated, truncated, info["timestep"], info["end_reason"]) == (False, False, 200_001, "")


def test_a_step_before_the_first_reset_needs_one() -> None:
    env = gym.make(CLASSIC_ID, render_mode="ansi")
    for step in (lambda: env.step(0), lambda: env.unwrapped.step(0), env.render, env.unwrapped.render):
        with pytest.raises(ResetNeeded):
            step()
    for name in ("scene", "state"):
        with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
            getattr(env.unwrapped, name)
