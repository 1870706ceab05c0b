"""The full game's step on the player's floor alone, equal to upstream's to the bit (traced code).

It rests on upstream's code as `proved` knows it: on what the step reads and writes, and in which order.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from craftax.craftax.constants import DIRECTIONS, TORCH_LIGHT_MAP, Action, ItemType
from craftax.craftax.craftax_state import EnvParams, EnvState, StaticEnvParams
from craftax.craftax.game_logic import change_floor, craftax_step

from craftax_text_gym.engine import floors
from craftax_text_gym.engine.unfused import step_unfused

_SHINE = np.pad(np.asarray(TORCH_LIGHT_MAP), TORCH_LIGHT_MAP.shape[0] // 2, constant_values=-1)
"""What a torch adds to the light around it; below zero where it does not reach."""


def advance(
    key: jax.Array, state: EnvState, action: jax.Array, params: EnvParams, static_params: StaticEnvParams
) -> EnvState:
    """Play one step.

    Args:
        key: The step's key.
        state: The state, with its key as data and any integers in its maps.
        action: int32 scalar.
        params: The game's parameters.
        static_params: Those that are known while tracing.

    Returns:
        The next state, likewise.
    """
    action = jnp.where(state.is_sleeping | state.is_resting, Action.NOOP.value, action)
    state = change_floor(state, action, params, static_params)
    is_ladder_action = (action == Action.ASCEND.value) | (action == Action.DESCEND.value)
    action = jnp.where(is_ladder_action, Action.NOOP.value, action)  # change_floor has carried it out
    before = floors.enter(state)
    after = step_unfused(craftax_step, key, before, action, params, static_params)
    faced = state.player_position + DIRECTIONS[state.player_direction]
    is_torch = after.item_map.here[faced[0], faced[1]] == ItemType.TORCH.value
    has_placed_torch = is_torch & (before.item_map.here[faced[0], faced[1]] != ItemType.TORCH.value)
    light = _with_torch(state.light_map, state.player_level, faced, has_placed_torch)
    return floors.leave(state, after).replace(light_map=light)


def _with_torch(light: jax.Array, floor: jax.Array, torch: jax.Array, is_placed: jax.Array) -> jax.Array:
    """The light of all floors after a torch was placed, as upstream's `place_block` computes it."""
    size = TORCH_LIGHT_MAP.shape[0]
    corner = torch - size // 2
    start = jnp.clip(corner, 0, jnp.array(light.shape[1:]) - size)  # a window of the same size, within the map
    shine = jax.lax.dynamic_slice(jnp.asarray(_SHINE), start - corner + size // 2, (size, size))
    where = (floor, start[0], start[1])
    around = jax.lax.dynamic_slice(light, where, (1, size, size))
    lit = jnp.where(is_placed & (shine >= 0), jnp.clip(shine + around, 0.0, 1.0), around)
    return jax.lax.dynamic_update_slice(light, lit, where)
