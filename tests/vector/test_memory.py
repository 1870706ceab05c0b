"""What the native vector environment takes of memory, and that it does not grow; on Linux."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import gymnasium as gym
import jax
import numpy as np
import pytest

import craftax_text_gym  # noqa: F401  registers the ids
from tests.proof import IS_PROOF, count

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the process's size is read from /proc")
NUM_ENVS = 16


def megabytes() -> float:
    """What this process holds in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def test_steps_and_resets_leave_nothing_behind() -> None:
    envs = gym.make_vec("CraftaxClassicText-v0", num_envs=NUM_ENVS, chunk_size=2, max_episode_steps=20)
    rng = np.random.default_rng(0)

    def play(num_steps: int) -> tuple[int, float]:
        envs.reset(seed=0)
        for _ in range(num_steps):
            envs.step(rng.integers(17, size=NUM_ENVS))
        return len(jax.live_arrays()), megabytes()  # type: ignore[no-untyped-call]

    play(count(1_000, 150))  # the caches of phrases fill
    arrays, before = play(count(1_000, 50))
    later_arrays, after = play(count(6_250, 300))
    assert later_arrays == arrays
    assert after - before < 20
    envs.close()


@pytest.mark.skipif(not IS_PROOF, reason="minutes: make proof")
def test_a_game_takes_little_beyond_its_state() -> None:
    from benchmarks import memory

    few, many = (memory.megabytes(num_envs, memory.STEPS, 0)[0] for num_envs in (memory.FEW, memory.MANY))
    assert (many - few) / (memory.MANY - memory.FEW) - memory.state_megabytes() <= memory.LIMIT_PER_GAME
    before, after = memory.megabytes(**memory.LONG_RUN)
    assert after - before < memory.LIMIT_OF_GROWTH
