"""Upstream's own numeric environments, unchanged, for comparison."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from craftax.craftax_env import make_craftax_env_from_name

NAMES = {"full": "Craftax-Symbolic-v1", "classic": "Craftax-Classic-Symbolic-v1"}
_PREPARED = 16


def single(key: str, actions: list[int]) -> Callable[[], float]:
    """One game: microseconds a step, with the keys made beforehand; `done` is read, as any loop must."""
    env = make_craftax_env_from_name(NAMES[key], auto_reset=False)
    params = env.default_params
    keys = list(jax.random.split(jax.random.PRNGKey(1), len(actions)))
    fresh = [env.reset(jax.random.PRNGKey(seed), params)[1] for seed in range(8)]
    current: dict[str, Any] = {"state": fresh[0], "worlds": 0}

    def run() -> float:
        spent = 0.0
        for number, action in enumerate(actions):
            start = time.perf_counter()
            _, current["state"], _, done, _ = env.step(keys[number], current["state"], action, params)
            over = bool(done)
            spent += time.perf_counter() - start
            if over:
                current["worlds"] += 1
                current["state"] = fresh[current["worlds"] % len(fresh)]
        return spent / len(actions) * 1e6

    return run


def vector(key: str, num_envs: int, auto_reset: bool) -> Callable[[], None]:
    """A batch: plays one step by random actions, with keys and actions made beforehand; `done` is read.

    Args:
        key: `"classic"` or `"full"`.
        num_envs: The number of games.
        auto_reset: Whether it makes a world for every game at every step, as upstream's default does, or games go on
            after their end.

    Returns:
        What plays a step.
    """
    env = make_craftax_env_from_name(NAMES[key], auto_reset=auto_reset)
    params = env.default_params
    step, reset = jax.jit(jax.vmap(env.step, (0, 0, 0, None))), jax.jit(jax.vmap(env.reset, (0, None)))
    rng = np.random.default_rng(0)
    keys = [jax.random.split(jax.random.PRNGKey(number), num_envs) for number in range(_PREPARED)]
    actions = [rng.integers(env.action_space(params).n, size=num_envs).astype(np.int32) for _ in range(_PREPARED)]
    current: dict[str, Any] = {"state": reset(keys[0], params)[1], "steps": 0}

    def run() -> None:
        number = current["steps"] % _PREPARED
        _, current["state"], _, done, _ = step(keys[number], current["state"], actions[number], params)
        np.asarray(done)
        current["steps"] += 1

    return run
