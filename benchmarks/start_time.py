"""How long a fresh process takes to its first text and its first step, before and after compiled games are on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks.measure import publish, ratio, spread
from craftax_text_gym import games

ROUNDS = 2
LIMIT = 0.30
_MOMENTS = ("text", "step")
_CODE = """
import json, time
start = time.perf_counter()
import gymnasium as gym
import craftax_text_gym
env = gym.make({env_id!r})
env.reset(seed=0)
text = time.perf_counter() - start
env.step(0)
print(json.dumps({{"text": text, "step": time.perf_counter() - start}}))
"""


def seconds(key: str, folder: str) -> dict[str, float]:
    """From the imports to the first text, and to the first step's end, in a fresh process.

    Args:
        key: `"classic"` or `"full"`.
        folder: Where compiled games are kept.

    Returns:
        `"text"` and `"step"` -> seconds.
    """
    environ = {name: value for name, value in os.environ.items() if not name.startswith("JAX_COMPILATION_CACHE")}
    command = [sys.executable, "-c", _CODE.format(env_id=games.get(key).env_id)]
    environ["CRAFTAX_TEXT_CACHE"] = folder
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environ)
    times: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return times


def main() -> None:
    """Measure both games; each pair of processes starts with an empty folder."""
    rows: list[dict[str, Any]] = []
    for key in ("full", "classic"):
        measured: dict[str, list[float]] = {f"{start} {name}": [] for start in ("cold", "warm") for name in _MOMENTS}
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder:
                for start in ("cold", "warm"):
                    for name, value in seconds(key, folder).items():
                        measured[f"{start} {name}"].append(value)
        for name in _MOMENTS:
            row = {
                "game": key,
                "to_first": name,
                "cold_s": spread(measured[f"cold {name}"])["median"],
                "warm_s": spread(measured[f"warm {name}"])["median"],
                **ratio(measured, f"warm {name}", f"cold {name}"),
            }
            rows.append(row | ({"limit": LIMIT} if (key, name) == ("full", "text") else {}))
    publish("start_time", f"second process / first, from the imports on, {ROUNDS} pairs", rows)


if __name__ == "__main__":
    main()
