"""Batches of games: how often they compile, and that it does not matter where and how they are computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import jax
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from craftax_text_gym.engine.core import get_engine
from tests.compilations import compilations
from tests.subprocesses import CLASSIC_ID, QUICKLY, batch_transcript, run

ELSEWHERE = """
    import json, sys, warnings
    warnings.simplefilter("ignore")
    import gymnasium as gym, craftax_text_gym, jax
    from tests.subprocesses import batch_transcript

    env_id, arguments, settings = map(json.loads, sys.argv[1:])
    for name, value in settings.items():
        jax.config.update(name, value)
    envs = gym.make_vec(env_id, **arguments)
    played, _ = batch_transcript(envs)
    batches = [chunk._batch for chunk in envs.unwrapped._chunks]
    places = [sorted({device.id for array in batch._games for device in array.devices()}) for batch in batches]
    print(json.dumps([places, played]))
"""
ARGUMENTS: dict[str, Any] = {"num_envs": 5, "chunk_size": 2, "max_episode_steps": 5}


@pytest.fixture
def compiled() -> Iterator[list[str]]:
    """The names of the functions that XLA compiles during the test."""
    with compilations() as names:
        yield names


def make_vec(**arguments: Any) -> gym.vector.VectorEnv[Any, Any, Any]:
    return gym.make_vec(CLASSIC_ID, **{**ARGUMENTS, **arguments})


def test_any_number_of_games_in_batches_of_one_size_needs_one_step_and_one_place() -> None:
    pending = get_engine("classic").compiler._pending
    before = set(pending)
    for num_envs in range(2, 8):
        envs = make_vec(num_envs=num_envs)
        envs.reset(seed=0)
        envs.step([0] * num_envs)
        envs.close()
    needed = {"classic-step-2b-0", "classic-place-2b-0"}
    assert needed <= set(pending)
    assert {name for name in set(pending) - before if name.endswith("b-0")} <= needed


def test_after_the_first_step_nothing_is_compiled(compiled: list[str]) -> None:
    jax.jit(lambda values: values + np.random.default_rng().random())(np.zeros(2))
    assert "jit(<lambda>)" in compiled, "nothing is heard"
    for mode in AutoresetMode:
        envs = make_vec(autoreset_mode=mode, obs_mode="both")
        envs.reset(seed=0)
        envs.step([0] * 5)
        if mode is AutoresetMode.NEXT_STEP:
            for pending in get_engine("classic").compiler._pending.values():
                pending.result()
            compiled.clear()
        ends = 0
        for step in range(40):
            _, _, terminated, truncated, _ = envs.step([step % 17] * 5)
            over = terminated | truncated
            ends += int(over.sum())
            if mode is AutoresetMode.DISABLED and over.any():
                envs.reset(options={"reset_mask": over})
        envs.reset(options={"reset_mask": np.arange(5) == 3})
        envs.reset()
        assert ends >= 30
        envs.close()
    assert compiled == []


@pytest.mark.parametrize(
    ("flags", "settings", "places"),
    [
        (f"--xla_force_host_platform_device_count=2 {QUICKLY}", {}, [[0], [1], [0]]),
        ("", {"jax_cpu_enable_async_dispatch": False}, [[0], [0], [0]]),
    ],
    ids=["on two devices", "without JAX's own threads"],
)
def test_the_games_are_the_same_wherever_they_are_computed(
    flags: str, settings: dict[str, bool], places: list[list[int]]
) -> None:
    elsewhere = run(ELSEWHERE, CLASSIC_ID, ARGUMENTS, settings, XLA_FLAGS=flags)
    assert elsewhere == [places, batch_transcript(make_vec())[0]]
