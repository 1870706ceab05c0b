"""A part of a compiled function that XLA does not fuse with the code around it (traced code)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from craftax_text_gym.engine.outlining import in_pieces
from craftax_text_gym.engine.packing import Packing


def step_unfused(
    craftax_step: Callable[..., Any], key: jax.Array, state: Any, action: jax.Array, params: Any, static_params: Any
) -> Any:
    """Play upstream's step in pieces, unfused with one another and with the code around them.

    Args:
        craftax_step: Upstream's function, of either game.
        key: The step's key.
        state: `EnvState`, whose `state_rng` is key data.
        action: int32 scalar.
        params: `EnvParams`.
        static_params: `StaticEnvParams`.

    Returns:
        The next state, likewise.
    """

    def step(before: Any) -> Any:
        after, _ = craftax_step(key, before, action, params, static_params)
        return after.replace(state_rng=jax.random.key_data(after.state_rng))

    return run_unfused(partial(in_pieces, step), state, params.max_timesteps)


def run_unfused(function: Callable[[Any], Any], tree: Any, unknown: jax.Array) -> Any:
    """Compute `function(tree)` with its arguments and results materialised in memory.

    Otherwise XLA's fusion recomputes an operand wherever it is used, through a whole step, and so keeps old arrays
    alive, which must then be copied. XLA removes its optimization barriers before fusion; it keeps loops. This is a
    loop of one iteration, whose count XLA cannot know at compile time.

    Args:
        function: Takes the tree and returns one of the same structure and shapes.
        tree: A pytree of arrays.
        unknown: int32 scalar, an argument of the compiled function, not batched.

    Returns:
        What the function returns, in the dtypes of `tree`.
    """
    packing = Packing(jax.eval_shape(lambda: tree))
    once = 1 + (jnp.maximum(unknown, 0) >> 31)
    arrays = jax.lax.fori_loop(
        0, once, lambda _, arrays: packing.pack(function(packing.unpack(arrays))), packing.pack(tree)
    )
    return packing.unpack(arrays)
