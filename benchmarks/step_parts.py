"""What one step consists of: crossing into compiled code, the game's own logic, the view, and the text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import upstream
from benchmarks.measure import Contestant, alternate, publish, spread
from benchmarks.single_step import ours, random_actions
from craftax_text_gym import games
from craftax_text_gym.engine.compiling import pinned_settings
from craftax_text_gym.engine.core import Engine, get_engine
from craftax_text_gym.engine.packing import Arrays

ROUNDS = 15

CROSSING = "crossing: the state in and out, and a row of zeros"
VIEW = "crossing and view: the packed row of a game at rest"
GAME = "crossing and game: upstream's step alone"
STEP = "crossing, game and view: our compiled step"
WHOLE = "env.step: the same, with text, info and checks"
UPSTREAM = "upstream's env.step, without text"

Step = Callable[[Arrays, Any, Arrays], tuple[Arrays, jax.Array]]


def parts(engine: Engine) -> dict[str, Step]:
    """Name -> a function with the signature of a compiled step that does a part of its work."""

    def crossing(game: Arrays, control: jax.Array, _params: Arrays) -> tuple[Arrays, jax.Array]:
        return game, jnp.zeros(engine.dtype.itemsize, jnp.uint8) + control[0].astype(jnp.uint8)

    def view(game: Arrays, control: jax.Array, params: Arrays) -> tuple[Arrays, jax.Array]:
        return game, engine.traced.look(game, control, params)

    def only_game(game: Arrays, control: jax.Array, params: Arrays) -> tuple[Arrays, jax.Array]:
        game, _ = engine.traced.step(game, control, params)
        return crossing(game, control, params)

    return {CROSSING: crossing, VIEW: view, GAME: only_game, STEP: engine.traced.step}


def played(engine: Engine, function: Step, actions: list[int]) -> Contestant:
    """Compile a part, play it from the same world each time, and read the row: microseconds per step."""
    params = engine.params({})
    world, _ = engine.reset(0, params)
    control = np.zeros(3, np.uint32)
    with pinned_settings():
        compiled = jax.jit(function, donate_argnums=(0,)).lower(world, control, params).compile()

    def run() -> float:
        game, _ = engine.reset(0, params)
        jax.block_until_ready(game)  # type: ignore[no-untyped-call]
        start = time.perf_counter()
        for action in actions:
            game, row = compiled(game, np.array([0, action, 0], np.uint32), params)
            engine.to_bytes(row)
        return (time.perf_counter() - start) / len(actions) * 1e6

    return run


def main() -> None:
    """Measure both games."""
    rows = []
    for spec in games.ALL:
        engine, actions = get_engine(spec.key), random_actions(spec.key)
        contestants = {name: played(engine, part, actions) for name, part in parts(engine).items()}
        contestants |= {WHOLE: ours(spec.key, actions), UPSTREAM: upstream.single(spec.key, actions)}
        for run in contestants.values():
            run()
        measured = alternate(contestants, ROUNDS)
        rows += [{"game": spec.key, "part": name, **spread(values)} for name, values in measured.items()]
    publish("step_parts", f"microseconds a step, {ROUNDS} rounds of {len(actions)} steps", rows)


if __name__ == "__main__":
    main()
