"""One step with text through `gym.make`, compared with upstream's jitted `env.step`, which writes no text."""

from __future__ import annotations

import time
from collections.abc import Callable

import gymnasium as gym
import numpy as np

from benchmarks import upstream
from benchmarks.measure import alternate, publish, ratio, spread
from craftax_text_gym import games

ROUNDS = 15
STEPS = 400
LIMITS = {"full": 0.70, "classic": 0.85}


def ours(key: str, actions: list[int]) -> Callable[[], float]:
    """Microseconds per step, excluding resets."""
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


def random_actions(key: str) -> list[int]:
    """The actions of a round, as numbers."""
    actions: list[int] = np.random.default_rng(0).integers(len(games.get(key).actions), size=STEPS).tolist()
    return actions


def main() -> None:
    """Measure both games."""
    rows = []
    for key, limit in LIMITS.items():
        actions = random_actions(key)
        contestants = {"ours": ours(key, actions), "upstream": upstream.single(key, actions)}
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
