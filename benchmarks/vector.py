"""Many games with texts and resets, through `gym.make_vec`.

Against upstream's vmapped and jitted step, which makes no text, and against Gymnasium's vectors of our own environment.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import gymnasium as gym
import numpy as np

from benchmarks import upstream
from benchmarks.measure import Contestant, alternate, publish, ratio, spread
from craftax_text_gym import games

SIZES = (1, 8, 64, 256, 1024)
ROUNDS = 5
BURST = 0.6
"""The least number of seconds that a contestant plays each round."""
WARM_UP = 300
WARM_UP_OF_AUTO_RESET = 10
"""It makes a world for every game at every step, from the first one on."""

NO_RESET = "upstream, no text, no resets"
AUTO_RESET = "upstream, no text, auto-reset"
SYNC = "SyncVectorEnv of ours"
ASYNC = "AsyncVectorEnv of ours"
AT_LEAST = {
    ("full", 64, NO_RESET): 0.9,
    ("full", 256, NO_RESET): 1.3,
    ("full", 1024, NO_RESET): 1.3,
    ("full", 64, AUTO_RESET): 15.0,
}


def ours(stack: ExitStack, key: str, num_envs: int, **kwargs: Any) -> Callable[[], None]:
    """A vector of ours: plays one step by random actions.

    Args:
        stack: Closes it.
        key: `"classic"` or `"full"`.
        num_envs: The number of games.
        kwargs: For `gym.make_vec`.

    Returns:
        What plays a step.
    """
    spec = games.get(key)
    envs = gym.make_vec(f"craftax_text_gym:{spec.env_id}", num_envs=num_envs, **kwargs)
    stack.callback(envs.close)
    envs.reset(seed=0)
    rng = np.random.default_rng(0)

    def run() -> None:
        envs.step(rng.integers(len(spec.actions), size=num_envs))

    return run


def steps_per_second(play: Callable[[], None], num_envs: int, warm_up: int = WARM_UP) -> Contestant:
    """Warm up, and measure by bursts.

    Args:
        play: Plays one step of all games.
        num_envs: How many there are.
        warm_up: Steps to play at once, so that episodes end and worlds are made as in use.

    Returns:
        Plays a burst; returns steps a second, of all games together.
    """
    for _ in range(warm_up):
        play()

    def run() -> float:
        count, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < BURST:
            play()
            count += num_envs
        return count / spent

    return run


def contestants(stack: ExitStack, key: str, num_envs: int) -> dict[str, Contestant]:
    """The contestants for a number of games."""
    found = {
        "ours": steps_per_second(ours(stack, key, num_envs), num_envs),
        NO_RESET: steps_per_second(upstream.vector(key, num_envs, auto_reset=False), num_envs),
    }
    if num_envs == 64:
        theirs = upstream.vector(key, num_envs, auto_reset=True)
        found[AUTO_RESET] = steps_per_second(theirs, num_envs, WARM_UP_OF_AUTO_RESET)
    if num_envs in (8, 64):
        found[SYNC] = steps_per_second(ours(stack, key, num_envs, vectorization_mode="sync"), num_envs)
    if num_envs == 8:
        kwargs = {"vectorization_mode": "async", "vector_kwargs": {"context": "spawn"}}
        found[ASYNC] = steps_per_second(ours(stack, key, num_envs, **kwargs), num_envs)
    return found


def main() -> None:
    """Measure both games."""
    rows: list[dict[str, Any]] = []
    for key in ("full", "classic"):
        for num_envs in SIZES:
            with ExitStack() as stack:
                measured = alternate(contestants(stack, key, num_envs), ROUNDS)
            for name in list(measured)[1:]:
                row = {
                    "game": key,
                    "games": num_envs,
                    "against": name,
                    "ours_per_second": spread(measured["ours"])["median"],
                    "theirs_per_second": spread(measured[name])["median"],
                    **ratio(measured, "ours", name),
                }
                at_least = AT_LEAST.get((key, num_envs, name))
                rows.append(row | ({"at_least": at_least} if at_least else {}))
    publish("vector", f"our steps with text and resets a second / theirs, {ROUNDS} rounds of {BURST} s", rows)


if __name__ == "__main__":
    main()
