"""One text step through `gym.make`, against upstream's jitted `env.step`, which makes no text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import jax
import numpy as np
from craftax.craftax_env import make_craftax_env_from_name

from benchmarks.measure import alternate, publish, ratio, spread
from craftax_text_gym import games

ROUNDS = 15
STEPS = 400
WARM_UP = 300
LIMITS = {"full": 0.85, "classic": 1.0}
_UPSTREAM = {"full": "Craftax-Symbolic-v1", "classic": "Craftax-Classic-Symbolic-v1"}


def ours(key: str, actions: list[int]) -> Callable[[], float]:
    """Microseconds a step, resets left out of the time."""
    env = gym.make(games.get(key).env_id)
    env.reset(seed=0)

    def run() -> float:
        spent = 0.0
        for action in actions:
            start = time.perf_counter()
            _, _, terminated, truncated, _ = env.step(action)
            spent += time.perf_counter() - start
            if terminated or truncated:
                env.reset()
        return spent / len(actions) * 1e6

    return run


def upstream(key: str, actions: list[int]) -> Callable[[], float]:
    """Microseconds a step, with the keys made beforehand; `done` is read, as any loop must."""
    env = make_craftax_env_from_name(_UPSTREAM[key], auto_reset=False)
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


def main() -> None:
    """Measure both games."""
    rows = []
    for key, limit in LIMITS.items():
        rng = np.random.default_rng(0)
        actions = rng.integers(len(games.get(key).actions), size=STEPS).tolist()
        contestants = {"ours": ours(key, actions), "upstream": upstream(key, actions)}
        for run in contestants.values():
            run()
        measured = alternate(contestants, ROUNDS)
        rows.append(
            {
                "game": key,
                "ours_us": spread(measured["ours"])["median"],
                "upstream_us": spread(measured["upstream"])["median"],
                **ratio(measured, "ours", "upstream"),
                "limit": limit,
            }
        )
    publish("single_step", f"text step / upstream's env.step without text, {ROUNDS} rounds of {STEPS} steps", rows)


if __name__ == "__main__":
    main()
