"""The parts of a step of 64 games: the compiled step, the new worlds, and the texts."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import gymnasium as gym
import numpy as np

from benchmarks import upstream
from benchmarks.measure import Contestant, alternate, publish, spread
from benchmarks.vector import WARM_UP
from craftax_text_gym import games
from craftax_text_gym.engine.batch import Batch
from craftax_text_gym.engine.core import Engine, get_engine
from craftax_text_gym.vector.env import CPU_CHUNK_SIZE

NUM_ENVS = 64
ROUNDS = 9
STEPS = 30

STEP = "our compiled step of the batches, without resets"
WORLDS = "new worlds, as many as games end"
TEXTS = "the texts, written by themselves"
WHOLE = "the vector's step: all of it, with infos"
UPSTREAM = "upstream's compiled step, without text or resets"


def timed(play: Callable[[], Any], games_a_call: float = NUM_ENVS, calls: int = STEPS) -> Contestant:
    """Microseconds per game and step."""

    def run() -> float:
        start = time.perf_counter()
        for _ in range(calls):
            play()
        return (time.perf_counter() - start) / calls / games_a_call * 1e6

    return run


def compiled_step(engine: Engine, num_actions: int) -> Callable[[], None]:
    """Plays a step in batches of the vector's size, and reads the rows."""
    params = engine.params({})
    batches = [Batch(engine, CPU_CHUNK_SIZE, params) for _ in range(NUM_ENVS // CPU_CHUNK_SIZE)]
    for batch in batches:
        for game in range(CPU_CHUNK_SIZE):
            batch.place(game, engine.reset(game, params)[0])
    rng = np.random.default_rng(0)

    def play() -> None:
        control = np.zeros((len(batches), CPU_CHUNK_SIZE, 3), np.uint32)
        control[:, :, 0] = np.arange(CPU_CHUNK_SIZE)
        control[:, :, 1] = rng.integers(num_actions, size=control.shape[:2])
        for rows in [batch.step(part) for batch, part in zip(batches, control, strict=True)]:
            engine.read(rows)

    return play


def contestants(stack: ExitStack, key: str) -> dict[str, Contestant]:
    """Name -> microseconds a game and step."""
    spec, engine, rng = games.get(key), get_engine(key), np.random.default_rng(0)
    envs = gym.make_vec(f"craftax_text_gym:{spec.env_id}", num_envs=NUM_ENVS, render_mode="ansi")
    stack.callback(envs.close)
    envs.reset(seed=0)
    ended = 0

    def step() -> None:
        nonlocal ended
        _, _, terminated, truncated, _ = envs.step(rng.integers(len(spec.actions), size=NUM_ENVS))
        ended += int((terminated | truncated).sum())

    ours, theirs = compiled_step(engine, len(spec.actions)), upstream.vector(key, NUM_ENVS, auto_reset=False)
    for play in (step, ours, theirs):
        for _ in range(WARM_UP):
            play()
    steps_a_world = WARM_UP * NUM_ENVS / max(ended, 1)
    seeds = iter(range(10**6))
    return {
        STEP: timed(ours),
        WORLDS: timed(lambda: engine.to_bytes(engine.reset(next(seeds), engine.params({}))[1]), steps_a_world),
        TEXTS: timed(envs.render),
        WHOLE: timed(step),
        UPSTREAM: timed(theirs),
    }


def main() -> None:
    """Measure both games."""
    rows = []
    for spec in games.ALL:
        with ExitStack() as stack:
            measured = alternate(contestants(stack, spec.key), ROUNDS)
        rows += [{"game": spec.key, "part": name, **spread(values)} for name, values in measured.items()]
    publish("vector_parts", f"microseconds a game and step, {NUM_ENVS} games, {ROUNDS} rounds of {STEPS} steps", rows)


if __name__ == "__main__":
    main()
