"""Craftax-Classic behind the engine's interface: its own functions, and `EnvState` -> the packed fields."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from craftax.craftax_classic.constants import BlockType
from craftax.craftax_classic.envs.craftax_state import EnvParams, EnvState, StaticEnvParams
from craftax.craftax_classic.game_logic import craftax_step
from craftax.craftax_classic.renderer import render_craftax_symbolic
from craftax.craftax_classic.world_gen import generate_world

from craftax_text_gym.engine import window
from craftax_text_gym.engine.unfused import step_unfused
from craftax_text_gym.games import CLASSIC
from craftax_text_gym.observation.layout import HIDDEN

STATIC = StaticEnvParams()
SPEC = CLASSIC
PARAMS = EnvParams


def world(key: jax.Array, params: EnvParams) -> EnvState:
    """Make a world as upstream's `reset` does."""
    return generate_world(key, params, STATIC)


def as_upstream(state: EnvState) -> EnvState:
    """A state with upstream's own dtypes, which this game's have."""
    return state


def advance(key: jax.Array, state: EnvState, action: jax.Array, params: EnvParams) -> EnvState:
    """Play one step, which is upstream's `craftax_step`."""
    return step_unfused(craftax_step, key, state, action, params, STATIC)


fast_advance = advance


def symbolic(state: EnvState) -> jax.Array:
    """Upstream's symbolic observation, float32."""
    return render_craftax_symbolic(state).astype(jnp.float32)  # type: ignore[no-any-return]


def is_inactive(state: EnvState) -> jax.Array:
    """Whether the engine will carry out noop whatever the action."""
    inactive: jax.Array = state.is_sleeping
    return inactive


def achievement_rewards() -> jax.Array:
    """float32 `[22]`, what each achievement pays."""
    return jnp.array([achievement.reward for achievement in SPEC.achievements], jnp.float32)


def view(state: EnvState, reveal: jax.Array) -> dict[str, Any]:
    """What the player sees.

    Args:
        state: The state.
        reveal: uint32 scalar, the facts to show beyond the official observation.

    Returns:
        The fields of `layout.row_dtype` that depend on the state alone.
    """
    centre = state.player_position
    blocks = window.crop(state.map, centre, SPEC.window, BlockType.OUT_OF_BOUNDS.value)
    lit = jnp.ones(SPEC.window, bool)
    groups = [
        (mobs, jnp.zeros(count, jnp.int32), jnp.zeros((count, 2), jnp.int32))
        for mobs, count in zip((state.zombies, state.cows, state.skeletons), SPEC.slots[:3], strict=True)
    ]
    groups.append((state.arrows, jnp.zeros(SPEC.slots[3], jnp.int32), state.arrow_directions))
    things, mob_health = window.things(groups, centre, lit, window.is_revealed(reveal, "mob_health"))
    in_lava = state.map[centre[0], centre[1]] == BlockType.LAVA.value
    is_plant = (blocks == BlockType.PLANT.value) | (blocks == BlockType.RIPE_PLANT.value)
    return {
        "health": state.player_health,
        "daylight": state.light_level,
        "timestep": state.timestep,
        "vitals": jnp.stack([state.player_food, state.player_drink, state.player_energy]),
        "direction": state.player_direction,
        "materials": jnp.stack([getattr(state.inventory, name) for name in SPEC.materials]),
        "position": jnp.where(window.is_revealed(reveal, "position"), centre, HIDDEN),
        "mob_health": mob_health,
        "plant_age": window.plant_ages(state, centre, is_plant, window.is_revealed(reveal, "plant_age")),
        "dead": in_lava | (state.player_health <= 0),
        "boss_defeated": False,
        "sleeping": state.is_sleeping,
        "resting": False,
        "achievements": state.achievements,
        "blocks": blocks,
        "things": things,
    }
