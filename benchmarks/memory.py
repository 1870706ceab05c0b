"""Memory of a process that plays, and of a vector beyond the states themselves, and whether it grows; on Linux."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import jax
from craftax.craftax_env import make_craftax_env_from_name

from benchmarks.measure import publish, spread
from benchmarks.upstream import NAMES
from craftax_text_gym import games

ROUNDS = 1
SINGLE_ROUNDS = 3
FEW, MANY = 32, 256
"""Two sizes with equal batch sizes, so that only the number of games differs."""
STEPS = 60
LONG_RUN = {"num_envs": 64, "warm_up": 600, "steps": 1563}
"""100,000 steps of single games, some 400 episodes, after the caches of phrases have filled."""
LIMITS = {"full": 600.0, "classic": 420.0}
"""Megabytes of a process that plays one game, and finds it compiled."""
LIMIT_PER_GAME = 0.4
LIMIT_OF_GROWTH = 20.0
_RESIDENT = """
import json, sys
import gymnasium as gym, numpy as np, craftax_text_gym
def megabytes():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) * 1024 / 1e6
rng = np.random.default_rng(0)
"""
_SINGLE = """
env = gym.make(sys.argv[1])
env.reset(seed=0)
for _ in range(1000):
    terminated, truncated = env.step(rng.integers(env.action_space.n))[2:4]
    if terminated or truncated:
        env.reset()
print(megabytes())
"""
_VECTOR = """
num_envs, warm_up, steps = map(int, sys.argv[1:])
envs = gym.make_vec("CraftaxText-v0", num_envs=num_envs)
envs.reset(seed=0)
def play(count):
    for _ in range(count):
        envs.step(rng.integers(43, size=num_envs))
    return megabytes()
print(json.dumps([play(warm_up), play(steps)]))
"""


def megabytes(num_envs: int, warm_up: int, steps: int) -> tuple[float, float]:
    """Memory of a fresh process.

    Args:
        num_envs: Games in its vector.
        warm_up: Steps before the first look.
        steps: Steps between it and the second.

    Returns:
        Megabytes at the two looks.
    """
    before, after = json.loads(run(_VECTOR, str(num_envs), str(warm_up), str(steps)))
    return before, after


def run(code: str, *arguments: str) -> str:
    """The last line that a fresh process prints."""
    command = [sys.executable, "-c", _RESIDENT + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]


def state_megabytes() -> float:
    """Memory of one game's state."""
    env = make_craftax_env_from_name(NAMES["full"], auto_reset=False)
    state = jax.eval_shape(env.reset, jax.random.PRNGKey(0), env.default_params)[1]
    return float(sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(state))) / 1e6


def main() -> None:
    """Measure, each in fresh processes."""
    rows: list[dict[str, Any]] = []
    for key, limit in LIMITS.items():
        env_id = games.get(key).env_id
        run(_SINGLE, env_id)  # compiles
        single = [float(run(_SINGLE, env_id)) for _ in range(SINGLE_ROUNDS)]
        rows.append({"what": f"a process that plays {env_id}", **spread(single), "limit": limit})
    state = state_megabytes()
    beyond, growth = [], []
    for _ in range(ROUNDS):
        few, many = megabytes(FEW, STEPS, 0)[0], megabytes(MANY, STEPS, 0)[0]
        beyond.append((many - few) / (MANY - FEW) - state)
    before, after = megabytes(**LONG_RUN)
    growth.append(after - before)
    rows += [
        {"what": f"a game beyond its state of {state:.3f} MB", **spread(beyond), "limit": LIMIT_PER_GAME},
        {"what": "growth in 100,000 steps with resets", **spread(growth), "limit": LIMIT_OF_GROWTH},
    ]
    publish("memory", f"megabytes; a vector of {MANY} games of the full game against one of {FEW}", rows)


if __name__ == "__main__":
    main()
