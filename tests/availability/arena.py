"""A bare clearing in either game, into which a test puts exactly what it asks about."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jax
import numpy as np

from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec
from tests.worlds import SLOTS, floor_of, to_numpy

CENTRE = (20, 20)
DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))


@lru_cache
def _blank(key: str, floor: int) -> Any:
    """A world without creatures; the player stands on a wide clearing, healthy, hungry and poor."""
    engine = get_engine(key)
    game, _ = engine.reset(0, engine.params({}))
    state = to_numpy(engine.to_state(game))
    changes: dict[str, Any] = {name: np.int32(7) for name in ("player_food", "player_drink", "player_energy")}
    changes |= {name: np.float32(5) for name in ("player_hunger", "player_thirst", "player_fatigue", "player_recover")}
    changes["player_position"], changes["player_direction"] = np.array(CENTRE, np.int32), np.int32(3)
    changes["achievements"] = np.zeros_like(state.achievements)
    if key == "full":
        changes |= {"player_level": np.int32(floor), "player_recover_mana": np.float32(0)}
        entry = engine.spec.floors[floor].achievement
        if entry:
            changes["achievements"][engine.spec.achievement_keys.index(entry)] = True
    state = state.replace(**changes)
    at = floor_of(engine.spec, state)
    state.map[at][12:29, 12:29] = engine.spec.block_index["path"]
    if key == "full":
        state.item_map[at][12:29, 12:29] = 0
        state.light_map[at][12:29, 12:29] = 1
    for slots in SLOTS[key]:
        getattr(state, slots.field).mask[...] = False
        getattr(state, slots.field).health[...] = 0  # else Classic's `do` would revive them
    return state


def arena(
    key: str,
    *,
    floor: int = 0,
    inventory: Mapping[str, Any] | None = None,
    faced: str | None = None,
    faced_item: int = 0,
    creature: str | None = None,
    near: tuple[str, ...] = (),
    underfoot: int = 0,
    kills: int = 0,
    shots: int = 0,
    direction: str = "up",
    unlocked: tuple[str, ...] = (),
    **fields: Any,
) -> Any:
    """A state with what is asked for.

    Args:
        key: The game.
        floor: The floor's number.
        inventory: Inventory field -> value; `potions` and `armour` are sequences.
        faced: The block that the player looks at.
        faced_item: The item there.
        creature: The field of `EnvState` whose first creature stands there.
        near: Blocks on the diagonals.
        underfoot: The item on the player's own tile.
        kills: Monsters killed on this floor.
        shots: The player's own shots in view.
        direction: Where the player looks.
        unlocked: Keys of achievements unlocked before.
        fields: Fields of `EnvState`.

    Returns:
        A fresh `EnvState` of NumPy arrays.
    """
    spec = get_engine(key).spec
    state = copy.deepcopy(_blank(key, floor))
    if key == "full":
        state.monsters_killed[floor] = kills
        set_item(spec, state, (0, 0), underfoot)
    state.achievements[[spec.achievement_keys.index(name) for name in unlocked]] = True
    changed = {name: _like(getattr(state.inventory, name), value) for name, value in (inventory or {}).items()}
    values = {name: _like(getattr(state, name), value) for name, value in fields.items()}
    state = state.replace(inventory=state.inventory.replace(**changed), **values)
    state = state.replace(player_direction=np.int32(DIRECTIONS.index(direction)))
    offset = OFFSETS[state.player_direction]
    if faced is not None:
        set_block(spec, state, offset, faced)
    if faced_item:
        set_item(spec, state, offset, faced_item)
    for diagonal, block in zip(DIAGONALS, near, strict=False):
        set_block(spec, state, diagonal, block)
    if creature:
        put_creature(spec, state, creature, offset)
    for slot in range(shots):
        put_creature(spec, state, "player_projectiles", (2 + slot, 3), slot, marked=False)
    return state


def set_block(spec: GameSpec, state: Any, offset: tuple[int, int], block: str) -> None:
    """Put a block beside the player."""
    row, column = state.player_position + offset
    state.map[floor_of(spec, state)][row, column] = spec.block_index[block]


def set_item(spec: GameSpec, state: Any, offset: tuple[int, int], item: int) -> None:
    """Put an item beside the player (full game)."""
    row, column = state.player_position + offset
    state.item_map[floor_of(spec, state)][row, column] = item


def block_at(spec: GameSpec, state: Any, offset: tuple[int, int]) -> str:
    """The name of the block beside the player."""
    row, column = state.player_position + offset
    return spec.blocks[int(state.map[floor_of(spec, state)][row, column])].name


def owned(state: Any, field: str) -> Any:
    """An inventory field as plain Python: a number, or a list of them."""
    value = getattr(state.inventory, field)
    return value.tolist() if np.ndim(value) else int(value)


def put_creature(
    spec: GameSpec,
    state: Any,
    field: str,
    offset: tuple[int, int],
    slot: int = 0,
    kind: int = 0,
    *,
    marked: bool = True,
) -> None:
    """Put a creature or projectile beside the player."""
    mobs, floor = getattr(state, field), floor_of(spec, state)
    position = state.player_position + offset
    mobs.mask[floor][slot], mobs.position[floor][slot], mobs.health[floor][slot] = True, position, 9
    if spec.key == "full":
        mobs.type_id[floor][slot] = kind
    if marked:
        state.mob_map[floor][tuple(position)] = True


def mark_creatures(spec: GameSpec, state: Any) -> None:
    """Make `mob_map` of the player's floor what the creatures' arrays say."""
    floor = floor_of(spec, state)
    state.mob_map[floor][...] = False
    for slots in SLOTS[spec.key]:
        if slots.kind != "projectile":
            mobs = getattr(state, slots.field)
            state.mob_map[floor][tuple(mobs.position[floor][mobs.mask[floor]].T)] = True


def advance(key: str, state: Any, action: str, seed: int = 0, params: Mapping[str, Any] | None = None) -> Any:
    """The state after one step of the engine, as NumPy arrays."""
    engine = get_engine(key)
    number = engine.spec.action_index[action]
    game, _ = engine.step(engine.from_state(state), number, seed, engine.params(dict(params or {})))
    return jax.device_get(engine.to_state(game))


def _like(old: Any, value: Any) -> Any:
    return np.asarray(value, np.asarray(old).dtype)
