"""States of both games for the tests: played, and edited to hold what play seldom shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import numpy as np

from craftax_text_gym.engine.core import Engine, get_engine
from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.scene import Scene

GAMES = ("classic", "full")
_TYPES = {"melee": 8, "passive": 3, "ranged": 8, "projectile": 8}


@dataclass(frozen=True)
class Slots:
    """Where `EnvState` keeps a kind of thing."""

    field: str
    headings: str | None
    kind: str


SLOTS = {
    "classic": (
        Slots("zombies", None, "melee"),
        Slots("cows", None, "passive"),
        Slots("skeletons", None, "ranged"),
        Slots("arrows", "arrow_directions", "projectile"),
    ),
    "full": (
        Slots("melee_mobs", None, "melee"),
        Slots("passive_mobs", None, "passive"),
        Slots("ranged_mobs", None, "ranged"),
        Slots("mob_projectiles", "mob_projectile_directions", "projectile"),
        Slots("player_projectiles", "player_projectile_directions", "projectile"),
    ),
}


def to_numpy(state: Any) -> Any:
    """A state with writable NumPy leaves."""
    return jax.tree.map(np.array, state)


def scene_of(engine: Engine, state: Any, reveal: int = 0) -> Scene:
    """The scene of an edited state."""
    return Scene(engine.spec, engine.to_bytes(engine.look(engine.from_state(state), engine.params({}), reveal)))


@lru_cache
def played_states(key: str, num_worlds: int = 4, every: int = 25) -> tuple[Any, ...]:
    """States from random play, at a reset and then now and again. Never edit one: `to_numpy` copies."""
    engine = get_engine(key)
    params = engine.params({})
    states = []
    for seed in range(num_worlds):
        rng = np.random.default_rng(seed)
        game, _ = engine.reset(seed, params)
        states.append(engine.to_state(game))
        for timestep in range(1, 4 * every + 1):
            game, buffer = engine.step(game, int(rng.integers(len(engine.spec.actions))), seed, params)
            if engine.read(buffer)[0]["dead"]:
                break
            if timestep % every == 0:
                states.append(engine.to_state(game))
    return tuple(states)


def edited_states(key: str, count: int, seed: int = 0) -> Iterator[Any]:
    """States that hold anything that the text may have to tell, `count` of them, reproducibly."""
    engine = get_engine(key)
    bases = played_states(key)
    rng = np.random.default_rng(seed)
    for index in range(count):
        yield edit(engine.spec, to_numpy(bases[index % len(bases)]), rng)


def edit(spec: GameSpec, state: Any, rng: np.random.Generator) -> Any:
    """Change anything and everything of a state at random."""
    state = _teleport(spec, state, rng)
    if rng.random() < 0.8:
        _fill_window(spec, state, rng)
    for slots in SLOTS[spec.key]:
        _spawn(spec, state, slots, rng)
    mark_mobs(spec, state)
    state = _person(spec, state, rng)
    return _belongings(spec, state, rng)


def floor_of(spec: GameSpec, state: Any) -> Any:
    """The index of the player's floor in the state's arrays: an int in the full game, `...` in Classic."""
    return int(state.player_level) if spec.key == "full" else ...


def _teleport(spec: GameSpec, state: Any, rng: np.random.Generator) -> Any:
    rows, columns = spec.map_size
    corners = [(0, 0), (0, columns - 1), (rows - 1, 0), (rows - 1, columns - 1)]
    somewhere = int(rng.integers(rows)), int(rng.integers(columns))
    position = corners[rng.integers(4)] if rng.random() < 0.3 else somewhere
    state = state.replace(player_position=np.array(position, np.int32))
    if spec.key == "full":
        state = state.replace(player_level=np.int32(rng.integers(len(spec.floors))))
    return state


def _fill_window(spec: GameSpec, state: Any, rng: np.random.Generator) -> None:
    floor, (row, column) = floor_of(spec, state), state.player_position
    rows, columns = spec.window
    area = (
        slice(max(0, row - rows // 2), row + rows // 2 + 1),
        slice(max(0, column - columns // 2), column + columns // 2 + 1),
    )
    blocks = state.map[floor]
    shape = blocks[area].shape
    few = rng.integers(len(spec.blocks), size=int(rng.integers(1, 12)))
    blocks[area] = rng.choice(few, size=shape)
    if spec.key == "full":
        density = rng.choice([0.0, 0.1, 1.0])
        state.item_map[floor][area] = rng.integers(4, size=shape) * (rng.random(shape) < density)
        darkness = rng.choice([0.0, 0.3, 1.0])
        state.light_map[floor][area] = np.where(rng.random(shape) < darkness, 0.0, rng.uniform(0.051, 1.0, shape))


def _spawn(spec: GameSpec, state: Any, slots: Slots, rng: np.random.Generator) -> None:
    mobs, floor = getattr(state, slots.field), floor_of(spec, state)
    mask = mobs.mask[floor]
    mask[:] = rng.random(mask.shape) < rng.choice([0.0, 0.5, 1.0])
    reach = rng.choice([1, 4, 8])
    offsets = rng.integers(-reach, reach + 1, size=(*mask.shape, 2))
    limit = np.array(spec.map_size) - 1
    mobs.position[floor][:] = np.clip(state.player_position + offsets, 0, limit)
    mobs.health[floor][:] = rng.integers(1, 9, size=mask.shape)
    if spec.key == "full":
        mobs.type_id[floor][:] = rng.integers(_TYPES[slots.kind], size=mask.shape)
    if slots.headings:
        getattr(state, slots.headings)[floor][:] = np.array(OFFSETS)[rng.integers(1, 5, size=mask.shape)]


def mark_mobs(spec: GameSpec, state: Any) -> None:
    """Make the floor's `mob_map`, by which creatures collide, agree with the arrays of creatures."""
    floor = floor_of(spec, state)
    state.mob_map[floor][:] = False
    for slots in SLOTS[spec.key]:
        if not slots.headings:
            mobs = getattr(state, slots.field)
            where = mobs.position[floor][mobs.mask[floor]]
            state.mob_map[floor][where[:, 0], where[:, 1]] = True


def _person(spec: GameSpec, state: Any, rng: np.random.Generator) -> Any:
    changes: dict[str, Any] = {
        "player_direction": np.int32(rng.integers(1, 5)),
        "is_sleeping": np.bool_(rng.random() < 0.2),
        "light_level": np.float32(rng.random()),
    }
    for vital in ("food", "drink", "energy"):
        changes[f"player_{vital}"] = np.int32(rng.integers(10))
    if spec.key == "classic":
        return state.replace(player_health=np.int32(rng.integers(10)), **changes)
    attributes = {f"player_{name}": np.int32(rng.integers(1, 6)) for name in ("dexterity", "strength", "intelligence")}
    health = rng.choice([float(rng.integers(10)), rng.random(), rng.uniform(0, 13), 0.004])
    floor = int(state.player_level)
    state.monsters_killed[floor] = rng.integers(12)
    return state.replace(
        player_health=np.float32(health),
        player_mana=np.int32(rng.integers(22)),
        player_xp=np.int32(rng.integers(9)),
        is_resting=np.bool_(rng.random() < 0.2),
        learned_spells=rng.random(2) < 0.5,
        boss_progress=np.int32(rng.integers(9)),
        boss_timesteps_to_spawn_this_round=np.int32(rng.integers(-3, 8)),
        **attributes,
        **changes,
    )


def _belongings(spec: GameSpec, state: Any, rng: np.random.Generator) -> Any:
    caps = {"pickaxe": 4, "sword": 4, "bow": 1}
    fullness = rng.choice(["empty", "some", "full"])

    def amount(cap: int, size: tuple[int, ...] = ()) -> Any:
        if fullness == "some":
            return rng.integers(cap + 1, size=size).astype(np.int32) * (rng.random(size) < 0.5)
        return np.full(size, cap if fullness == "full" else 0, np.int32)

    changes = {name: np.int32(amount(caps.get(name, spec.inventory_cap))) for name in spec.materials}
    if spec.key == "classic":
        return state.replace(inventory=state.inventory.replace(**changes))
    inventory = state.inventory.replace(
        **changes, potions=amount(spec.inventory_cap, (6,)).astype(np.int32), armour=amount(2, (4,)).astype(np.int32)
    )
    return state.replace(
        inventory=inventory,
        sword_enchantment=np.int32(rng.integers(3)),
        bow_enchantment=np.int32(rng.integers(3)),
        armour_enchantments=rng.integers(3, size=4).astype(np.int32),
    )
