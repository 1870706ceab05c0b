"""What is used of Gymnasium beyond its documented interface: a failure here names what a new one has broken."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium.wrappers import ClipReward, TimeLimit

from craftax_text_gym.utils.gymnasium_internals import constructor_kwargs
from craftax_text_gym.wrappers import StepCap


class Silent(gym.Wrapper[Any, Any, Any, Any]):
    """Records nothing of itself."""


def test_a_wrapper_s_arguments_are_those_of_its_spec() -> None:
    env: gym.Env[Any, Any] = gym.make("CraftaxClassicText-v0", disable_env_checker=True)
    expected: tuple[dict[str, Any], ...] = {"max_steps": 7}, {"min_reward": -1, "max_reward": 0.5}
    for wrapped, kwargs in zip((StepCap(env, max_steps=7), ClipReward(env, -1, 0.5)), expected, strict=True):
        assert wrapped.spec is not None
        spec = wrapped.spec.additional_wrappers[-1]
        assert constructor_kwargs(wrapped) == spec.kwargs
        assert spec.kwargs is not None
        assert spec.kwargs | kwargs == spec.kwargs


def test_a_time_limit_records_its_steps() -> None:
    env = TimeLimit(gym.make("CraftaxClassicText-v0").unwrapped, 7)
    assert constructor_kwargs(env) == {"max_episode_steps": 7}
    assert env.spec is not None
    assert env.spec.max_episode_steps == 7


def test_a_wrapper_that_records_nothing_has_none() -> None:
    assert constructor_kwargs(Silent(gym.make("CraftaxClassicText-v0").unwrapped)) is None
