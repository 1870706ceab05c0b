"""Craftax, the full game, behind the engine's interface: its own functions, and `EnvState` -> the packed fields."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from craftax.craftax.constants import (
    ACHIEVEMENT_REWARD_MAP,
    MONSTERS_KILLED_TO_CLEAR_LEVEL,
    BlockType,
    ItemType,
)
from craftax.craftax.craftax_state import EnvParams, EnvState, StaticEnvParams
from craftax.craftax.game_logic import craftax_step
from craftax.craftax.renderer import render_craftax_symbolic
from craftax.craftax.util.game_logic_utils import has_beaten_boss, is_boss_vulnerable
from craftax.craftax.world_gen.world_gen import generate_world

from craftax_text_gym.engine import window
from craftax_text_gym.engine.unfused import step_unfused
from craftax_text_gym.games import FULL
from craftax_text_gym.observation.layout import DARK, HIDDEN, LIT_THRESHOLD

STATIC = StaticEnvParams()
SPEC = FULL
PARAMS = EnvParams


_IS_LIT_THROUGHOUT = np.array([not floor.dark for floor in SPEC.floors])


def world(key: jax.Array, params: EnvParams) -> EnvState:
    """Make a world as upstream's `reset` does, which splits the key first; its maps take a byte a tile."""
    _, key = jax.random.split(key)
    state = generate_world(key, params, STATIC)
    return _as_bytes(state)


def as_upstream(state: EnvState) -> EnvState:
    """A state with upstream's own dtypes."""
    return state.replace(map=state.map.astype(jnp.int32), item_map=state.item_map.astype(jnp.int32))


def _as_bytes(state: EnvState) -> EnvState:
    assert max(entry.value for entry in (*BlockType, *ItemType)) <= np.iinfo(np.uint8).max
    return state.replace(map=state.map.astype(jnp.uint8), item_map=state.item_map.astype(jnp.uint8))


def advance(key: jax.Array, state: EnvState, action: jax.Array, params: EnvParams) -> EnvState:
    """Play one step, which is upstream's `craftax_step`."""
    return _as_bytes(step_unfused(craftax_step, key, as_upstream(state), action, params, STATIC))


def fast_advance(key: jax.Array, state: EnvState, action: jax.Array, params: EnvParams) -> EnvState:
    """Play the same step on the player's floor alone; only with a Craftax that `proved` knows."""
    from craftax_text_gym.engine import one_floor  # not above: another Craftax may lack what it imports

    return one_floor.advance(key, state, action, params, STATIC)


def symbolic(state: EnvState) -> jax.Array:
    """Upstream's symbolic observation, float32."""
    return render_craftax_symbolic(as_upstream(state)).astype(jnp.float32)  # type: ignore[no-any-return]


def is_inactive(state: EnvState) -> jax.Array:
    """Whether the engine will carry out noop whatever the action."""
    inactive: jax.Array = state.is_sleeping | state.is_resting
    return inactive


def achievement_rewards() -> jax.Array:
    """float32 `[67]`, what each achievement pays."""
    rewards: jax.Array = ACHIEVEMENT_REWARD_MAP.astype(jnp.float32)
    return rewards


def view(state: EnvState, reveal: jax.Array) -> dict[str, Any]:
    """What the player sees.

    Args:
        state: The state.
        reveal: uint32 scalar, the facts to show beyond the official observation.

    Returns:
        The fields of `layout.row_dtype` that depend on the state alone.
    """
    floor, centre, inventory = state.player_level, state.player_position, state.inventory
    light = window.crop(state.light_map, centre, SPEC.window, 0.0, floor)
    lit = light > LIT_THRESHOLD
    blocks = window.crop(state.map, centre, SPEC.window, BlockType.OUT_OF_BOUNDS.value, floor)
    items = window.crop(state.item_map, centre, SPEC.window, ItemType.NONE.value, floor)
    kills = state.monsters_killed[floor]
    ladder_open, vulnerable = kills >= MONSTERS_KILLED_TO_CLEAR_LEVEL, is_boss_vulnerable(state)
    # As upstream's pixels do: the map itself never holds these two.
    blocks = jnp.where(
        (blocks == BlockType.NECROMANCER.value) & vulnerable, BlockType.NECROMANCER_VULNERABLE.value, blocks
    )
    items = jnp.where((items == ItemType.LADDER_DOWN.value) & ~ladder_open, ItemType.LADDER_DOWN_BLOCKED.value, items)
    blocks, items = jnp.where(lit, blocks, DARK), jnp.where(lit, items, ItemType.NONE.value)
    # On a floor that is lit throughout, a tile without light can only be the edge of the world: the player can tell.
    is_edge = window.is_outside(centre, SPEC.window, SPEC.map_size) & jnp.asarray(_IS_LIT_THROUGHOUT)[floor]
    blocks = jnp.where(is_edge, BlockType.OUT_OF_BOUNDS.value, blocks)
    things, mob_health = _things(state, lit, window.is_revealed(reveal, "mob_health"))
    is_plant = ((blocks == BlockType.PLANT.value) | (blocks == BlockType.RIPE_PLANT.value)) & (floor == 0)

    def revealed(fact: str, value: jax.Array) -> jax.Array:
        return jnp.where(window.is_revealed(reveal, fact), value, HIDDEN)

    return {
        "health": state.player_health,
        "daylight": state.light_level,
        "timestep": state.timestep,
        "vitals": jnp.stack([state.player_food, state.player_drink, state.player_energy]),
        "direction": state.player_direction,
        "materials": jnp.stack([getattr(inventory, name) for name in SPEC.materials]),
        "position": revealed("position", centre),
        "mob_health": mob_health,
        "plant_age": window.plant_ages(state, centre, is_plant, window.is_revealed(reveal, "plant_age")),
        "mana": state.player_mana,
        "attributes": jnp.stack(
            [state.player_xp, state.player_dexterity, state.player_strength, state.player_intelligence]
        ),
        "floor": floor,
        "potions": inventory.potions,
        "armour": inventory.armour,
        "armour_enchantments": state.armour_enchantments,
        "weapon_enchantments": jnp.stack([state.sword_enchantment, state.bow_enchantment]),
        "kills": revealed("kills", kills),
        "potion_effects": revealed("potion_effects", state.potion_mapping),
        "light": jnp.where(lit, light, 0.0),
        "dead": state.player_health <= 0,
        "boss_defeated": has_beaten_boss(state, STATIC),
        "sleeping": state.is_sleeping,
        "resting": state.is_resting,
        "achievements": state.achievements,
        "blocks": blocks,
        "things": things,
        "items": items,
        "spells": state.learned_spells,
        "ladder_open": ladder_open,
        "boss_vulnerable": vulnerable,
    }


def _things(state: EnvState, lit: jax.Array, show_health: jax.Array) -> tuple[jax.Array, jax.Array]:
    floor = state.player_level
    groups = []
    for mobs, headings in (
        (state.melee_mobs, None),
        (state.passive_mobs, None),
        (state.ranged_mobs, None),
        (state.mob_projectiles, state.mob_projectile_directions),
        (state.player_projectiles, state.player_projectile_directions),
    ):
        here = jax.tree.map(lambda leaf: leaf[floor], mobs)
        still = jnp.zeros_like(here.position)
        groups.append((here, here.type_id, still if headings is None else headings[floor]))
    return window.things(groups, state.player_position, lit, show_health)
