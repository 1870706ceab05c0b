"""A part of a compiled function, kept apart from the code around it (traced code)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from craftax_text_gym.engine.packing import Packing


def step_apart(
    craftax_step: Callable[..., Any], key: jax.Array, state: Any, action: jax.Array, params: Any, static_params: Any
) -> Any:
    """Play a step of upstream's, kept apart.

    Args:
        craftax_step: Upstream's function, of either game.
        key: The step's key.
        state: `EnvState`, with the data of its key.
        action: int32 scalar.
        params: `EnvParams`.
        static_params: `StaticEnvParams`.

    Returns:
        The state after the step, likewise.
    """

    def step(before: Any) -> Any:
        after, _ = craftax_step(key, before, action, params, static_params)
        return after.replace(state_rng=jax.random.key_data(after.state_rng))

    return run_apart(step, state, params.max_timesteps)


def run_apart(function: Callable[[Any], Any], tree: Any, unknown: jax.Array) -> Any:
    """Compute `function(tree)` from what is written in memory, and write in memory what it gives.

    Left to itself, XLA's fusion computes an operand again in each place that uses it, through a whole step, and so
    keeps old arrays alive that have to be copied. Its optimization barriers are gone before it fuses; a loop is not.
    This is one of a single round, a number that XLA cannot know.

    Args:
        function: Takes the tree; gives one of the same structure and shapes.
        tree: A pytree of arrays.
        unknown: int32 scalar, an argument of the compiled function; one for all games of a batch.

    Returns:
        What the function gives, in the dtypes of `tree`.
    """
    packing = Packing(jax.eval_shape(lambda: tree))
    once = 1 + (jnp.maximum(unknown, 0) >> 31)
    arrays = jax.lax.fori_loop(
        0, once, lambda _, arrays: packing.pack(function(packing.unpack(arrays))), packing.pack(tree)
    )
    return packing.unpack(arrays)
