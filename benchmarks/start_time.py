"""How long a fresh process takes to its first text and step, against importing JAX and Craftax's game alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks.measure import publish, ratio, spread
from craftax_text_gym import games

ROUNDS = 5
COLD_ROUNDS = 1
LIMITS = {("full", "step"): 1.3, ("full", "text"): 0.9}
"""Of a warm process over the imports."""
CPU_LIMIT = 20.0
"""Seconds of CPU time to compile the full game's step."""
_MOMENTS = ("text", "step")
_START = """
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
_IMPORTS = {
    "full": "from craftax.craftax.game_logic import craftax_step",
    "classic": "from craftax.craftax_classic.game_logic import craftax_step",
}
_IMPORT = """
import json, time
start = time.perf_counter()
import jax
{line}
print(json.dumps({{"imports": time.perf_counter() - start}}))
"""
_COMPILE = """
import json, time
import jax
from craftax_text_gym.engine.core import get_engine
engine = get_engine({key!r})
engine.traced
start = time.process_time()
engine.compiler.start(engine.plan("step")).result()
print(json.dumps({{"cpu": time.process_time() - start}}))
"""


def run(code: str, folder: str) -> dict[str, float]:
    """What a fresh process prints, without JAX's own cache.

    Args:
        code: Its program, which prints JSON.
        folder: Where compiled games are kept; `"off"` for nowhere.

    Returns:
        Name -> seconds.
    """
    environ = {name: value for name, value in os.environ.items() if not name.startswith("JAX_COMPILATION_CACHE")}
    environ["CRAFTAX_TEXT_CACHE"] = folder
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)
    seconds: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return seconds


def starts(key: str) -> list[dict[str, Any]]:
    """Rows of one game: the first process, which compiles, and then others by turns with the imports."""
    start, imports = _START.format(env_id=games.get(key).env_id), _IMPORT.format(line=_IMPORTS[key])
    measured: dict[str, list[float]] = {name: [] for name in ("imports", *_MOMENTS)}
    with tempfile.TemporaryDirectory() as folder:
        cold = run(start, folder)
        for _ in range(ROUNDS):
            for name, value in {**run(start, folder), **run(imports, folder)}.items():
                measured[name].append(value)
    rows = []
    for name in _MOMENTS:
        row = {
            "game": key,
            "to_first": name,
            "cold_s": cold[name],
            "warm_s": spread(measured[name])["median"],
            "imports_s": spread(measured["imports"])["median"],
            **ratio(measured, name, "imports"),
        }
        rows.append(row | ({"limit": LIMITS[key, name]} if (key, name) in LIMITS else {}))
    return rows


def main() -> None:
    """Measure both games."""
    rows = [row for key in ("full", "classic") for row in starts(key)]
    compiling = [run(_COMPILE.format(key="full"), "off")["cpu"] for _ in range(COLD_ROUNDS)]
    rows.append({"game": "full", "what": "CPU seconds to compile the step", **spread(compiling), "limit": CPU_LIMIT})
    publish("start_time", f"a process with a warm cache / JAX's and Craftax's imports, {ROUNDS} pairs", rows)


if __name__ == "__main__":
    main()
