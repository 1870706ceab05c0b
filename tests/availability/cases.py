"""States that put every rule to the test at its border, and states of chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games import FULL
from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.games.spec import GameSpec
from tests.availability.arena import DIAGONALS, SIDES, arena, mark_creatures, put_creature, set_block, set_item
from tests.worlds import SLOTS, edit, floor_of, played_states, to_numpy

Case = Callable[[], Any]
_MOVES = ("left", "right", "up", "down")


def border_cases(spec: GameSpec) -> list[Case]:
    """Every recipe, placement, block, tool and gem at cost and at one less, and so on."""
    make = partial(arena, spec.key)
    cases = [*_crafting(spec, make), *_placing(spec, make), *_doing(spec, make), *_moving(spec, make)]
    cases += [partial(make, player_energy=energy) for energy in (0, 8, 9)]
    cases += [partial(make, is_sleeping=True, inventory={"wood": 9}, near=("crafting_table",))]
    return cases + (_full(make) if spec.key == "full" else [])


def _crafting(spec: GameSpec, make: Any) -> Iterator[Case]:
    stations = ((), ("crafting_table",), ("furnace",), ("crafting_table", "furnace"))
    rich = {name: 5 for name in spec.materials if name not in spec.tools}
    for recipe in spec.recipes:
        (product_name, amount), *_ = recipe.gives.items()
        for near in stations:
            yield partial(make, inventory=dict(recipe.costs), near=near)
        for field, cost in recipe.costs.items():
            yield partial(make, inventory={**recipe.costs, field: cost - 1}, near=stations[-1])
        if product_name in spec.tools:
            for tier in (amount - 1, amount, min(amount + 1, 4)):
                yield partial(make, inventory={**rich, product_name: tier}, near=stations[-1])
        elif product_name == "armour":
            for armour in ((0, 0, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1), (2, 2, 1, 2), (2, 2, 2, 2), (0, 2, 2, 2)):
                yield partial(make, inventory={**rich, "armour": armour}, near=stations[-1])
        else:
            for count in (0, spec.inventory_cap - 1, spec.inventory_cap):
                yield partial(make, inventory={**rich, product_name: count}, near=stations[-1])


def _placing(spec: GameSpec, make: Any) -> Iterator[Case]:
    carried = {field: amount for placement in spec.placements for field, amount in placement.costs.items()}
    items = (0, 1, 2, 3) if spec.key == "full" else (0,)
    for block, item in product(held_blocks(spec), items):
        yield partial(make, inventory=carried, faced=block, faced_item=item)
    for slots in SLOTS[spec.key]:
        if slots.kind != "projectile":
            for block in ("grass", "water", "lava"):
                yield partial(make, inventory=carried, faced=block, creature=slots.field)
    for field, amount in carried.items():
        yield partial(make, inventory={**carried, field: amount - 1}, faced="grass")


def _doing(spec: GameSpec, make: Any) -> Iterator[Case]:
    if spec.key == "full":
        tools = [{"pickaxe": tier} for tier in range(5)]
    else:
        names = sorted({harvest.tool for harvest in spec.harvests if harvest.tool})
        tools = [{}, *({name: 1} for name in names), dict.fromkeys(names, 1)]
    for block, tool in product(held_blocks(spec), tools):
        yield partial(make, inventory=tool, faced=block)
    cap = spec.inventory_cap
    for field, count in product(("sapling", "wood", "stone"), (cap - 1, cap)):
        for unlocked in ((), (f"collect_{field}",)):
            for block in ("grass", "tree", "stone"):
                yield partial(make, inventory={field: count}, faced=block, unlocked=unlocked)
    for drink in (8, 9):
        yield partial(make, faced="water", player_drink=drink, unlocked=("collect_drink",))


def _moving(spec: GameSpec, make: Any) -> Iterator[Case]:
    for block, direction in product(held_blocks(spec), _MOVES):
        yield partial(make, faced=block, direction=direction)
    last = spec.map_size[0] - 1
    for position, direction in product(((0, 0), (0, last), (last, 0), (last, last), (0, 20), (20, 0)), _MOVES):
        yield partial(make, player_position=position, direction=direction, inventory={"stone": 1, "wood": 2})
    for slots, direction in product(SLOTS[spec.key], _MOVES):
        if slots.kind != "projectile":
            yield partial(make, direction=direction, creature=slots.field)


def _full(make: Any) -> list[Case]:
    table = ("enchantment_table_fire", "enchantment_table_ice", "stone")
    gear: dict[str, Any] = {"sword": 1, "bow": 1, "armour": (1, 0, 0, 0), "ruby": 1, "sapphire": 1}
    cases = [
        partial(make, floor=floor, underfoot=item, kills=kills)
        for floor, item, kills in product(range(9), range(4), (7, 8))
    ]
    for faced, mana in product(table, (8, 9)):
        cases.append(partial(make, faced=faced, player_mana=mana, player_intelligence=2, inventory=gear))
        for field in gear:
            poor = {**gear, field: (0,) * 4 if field == "armour" else 0}
            cases.append(partial(make, faced=faced, player_mana=mana, player_intelligence=2, inventory=poor))
    rich = partial(make, faced=table[0], player_mana=9, inventory=gear, sword_enchantment=1)
    cases += [partial(rich, armour_enchantments=worn) for worn in ((1, 1, 1, 1), (2, 2, 2, 2), (1, 0, 2, 2))]
    for colour, count in product(range(6), (0, 1)):
        potions = [0] * 6
        potions[colour] = count
        cases.append(partial(make, inventory={"potions": potions}))
    for shots, mana, known in product(range(4), (1, 2), ((0, 0), (1, 0), (0, 1), (1, 1))):
        cases.append(partial(make, shots=shots, player_mana=mana, learned_spells=known))
    for shots, bow, arrows in product(range(4), (0, 1), (0, 1)):
        cases.append(partial(make, shots=shots, inventory={"bow": bow, "arrows": arrows}))
    for books, known in product((0, 1), ((0, 0), (1, 1))):
        cases.append(partial(make, inventory={"books": books}, learned_spells=known))
    for points, level, attribute in product((0, 1), (1, 4, 5), ("dexterity", "strength", "intelligence")):
        cases.append(partial(make, player_xp=points, **{f"player_{attribute}": level}))
    for food, drink, health, strength in product((0, 1), (0, 1), (8.5, 9), (1, 2)):
        changes = {"player_food": food, "player_drink": drink, "player_health": health, "player_strength": strength}
        cases.append(partial(make, **changes))
    for dexterity, energy in product((1, 2), (8, 9, 10, 11)):
        cases.append(partial(make, player_dexterity=dexterity, player_energy=energy))
    for timer, progress in product((1, 0), (0, 7)):
        boss = {"boss_timesteps_to_spawn_this_round": timer, "boss_progress": progress, "faced": "necromancer"}
        cases += [partial(make, floor=8, **boss), partial(make, floor=8, near=("grave",), shots=2, **boss)]
        cases.append(partial(_with_guard, make, boss))
    cases += [
        partial(make, faced=block, player_drink=9, unlocked=("collect_drink",)) for block in ("water", "fountain")
    ]
    cases += [partial(make, floor=floor, faced="chest") for floor in range(9)]
    return [*cases, partial(make, is_resting=True, inventory={"wood": 9}, near=("crafting_table",))]


def _with_guard(make: Any, boss: dict[str, Any]) -> Any:
    state = make(floor=8, **boss)
    put_creature(FULL, state, "ranged_mobs", (2, 2))
    return state


def chance_states(spec: GameSpec, count: int, seed: int = 0) -> Iterator[Any]:
    """States in which everything that decides an action is thrown anew, mostly near its border."""
    bases = played_states(spec.key)
    rng = np.random.default_rng(seed)
    for index in range(count):
        yield _throw(spec, edit(spec, to_numpy(bases[index % len(bases)]), rng), rng)


def _throw(spec: GameSpec, state: Any, rng: np.random.Generator) -> Any:
    state = _throw_person(spec, state, rng)
    _throw_tiles(spec, state, rng)
    _settle(spec, state)
    return state


def _throw_person(spec: GameSpec, state: Any, rng: np.random.Generator) -> Any:
    amounts = [0, 0, 1, 1, 2, 3, spec.inventory_cap - 1, spec.inventory_cap]
    carried: dict[str, Any] = {name: np.int32(rng.choice(amounts)) for name in spec.materials}
    changes: dict[str, Any] = {
        "is_sleeping": np.bool_(rng.random() < 0.04),
        "player_health": np.asarray(rng.integers(1, 10), state.player_health.dtype),
        "achievements": rng.random(state.achievements.shape) < 0.5,
    }
    if spec.key == "full":
        carried |= {tool: np.int32(rng.integers(len(tiers))) for tool, tiers in spec.tools.items()}
        carried["potions"] = rng.integers(2, size=6).astype(np.int32)
        carried["armour"] = rng.choice([rng.integers(3, size=4), np.full(4, rng.integers(3))]).astype(np.int32)
        changes |= {
            "is_resting": np.bool_(rng.random() < 0.04),
            "player_xp": np.int32(rng.integers(2)),
            "player_mana": np.int32(rng.choice([1, 2, 8, 9])),
            "boss_timesteps_to_spawn_this_round": np.int32(rng.integers(-1, 2)),
        }
        state.monsters_killed[int(state.player_level)] = rng.choice([7, 8])
    return state.replace(inventory=state.inventory.replace(**carried), **changes)


def _throw_tiles(spec: GameSpec, state: Any, rng: np.random.Generator) -> None:
    floor, stations, blocks = floor_of(spec, state), ["crafting_table", "furnace"], held_blocks(spec)
    if spec.key == "full":
        set_item(spec, state, (0, 0), int(rng.choice([0, 2, 3])))
        own = int(state.map[floor][tuple(state.player_position)])
        if spec.blocks[own].name == "chest":  # nobody stands on one; who faces the far edge would open it
            set_block(spec, state, (0, 0), "path")
        if rng.random() < 0.5:
            state.light_map[floor][...] = np.maximum(state.light_map[floor], 0.1)
    else:
        set_block(spec, state, (0, 0), "grass")  # who stands in lava is dead, and the game is over
    last = np.array(spec.map_size) - 1
    for spot in (*SIDES, *DIAGONALS):
        if ((state.player_position + spot < 0) | (state.player_position + spot > last)).any():
            continue
        set_block(spec, state, spot, str(rng.choice(stations if rng.random() < 0.15 else blocks)))
        if spec.key == "full":
            set_item(spec, state, spot, int(rng.choice([0, 0, 0, 1, 2, 3])))
        if spot == OFFSETS[state.player_direction] and rng.random() < 0.2:
            put_creature(spec, state, SLOTS[spec.key][rng.integers(3)].field, spot)


def held_blocks(spec: GameSpec) -> list[str]:
    """The blocks that a map can hold."""
    return [block.name for block in spec.blocks if block.name not in ("out_of_bounds", "necromancer_vulnerable")]


def _settle(spec: GameSpec, state: Any) -> None:
    """Leave at most one creature on a tile, no shot of a mob on the player; mark them."""
    floor, taken = floor_of(spec, state), set()
    for slots in SLOTS[spec.key]:
        mobs = getattr(state, slots.field)
        if slots.field in ("mob_projectiles", "arrows"):
            mobs.mask[floor] &= (mobs.position[floor] != state.player_position).any(axis=1)
        elif slots.kind != "projectile":
            for slot in np.flatnonzero(mobs.mask[floor]):
                place = tuple(mobs.position[floor][slot].tolist())
                mobs.mask[floor][slot] = place not in taken
                taken.add(place)
    mark_creatures(spec, state)


def played_cases(spec: GameSpec, count: int, seed: int = 100) -> Iterator[Any]:
    """States of play by a policy that picks among the available actions; some episodes start rich."""
    engine = get_engine(spec.key)
    params, rng = engine.params({}), np.random.default_rng(seed)
    found = 0
    while found < count:
        seed += 1
        game, buffer = engine.reset(seed, params)
        if seed % 2:
            state = to_numpy(engine.to_state(game))
            rich = {name: np.int32(1 if name in spec.tools else 9) for name in spec.materials}
            game = engine.from_state(state.replace(inventory=state.inventory.replace(**rich)))
            buffer = engine.look(game, params)
        for timestep in range(300):
            rows = engine.read(buffer)
            if rows[0]["dead"] or found == count:
                break
            if timestep % 3 == 2:
                found += 1
                yield to_numpy(engine.to_state(game))
            choices = np.flatnonzero(rows[0]["action_mask"])
            game, buffer = engine.step(game, int(rng.choice(choices)), seed, params)


def scramble_hidden(spec: GameSpec, state: Any, rng: np.random.Generator) -> Any:
    """Change whatever the player cannot see, and nothing else."""
    floor = floor_of(spec, state)
    seen = _seen(spec, state)
    state.map[floor][~seen] = rng.integers(2, 17, size=(~seen).sum())
    for slots in SLOTS[spec.key]:
        mobs = getattr(state, slots.field)
        for slot in range(mobs.mask[floor].size):
            mobs.health[floor][slot] = rng.integers(1, 99)
            visible = mobs.mask[floor][slot] and seen[tuple(mobs.position[floor][slot])]
            hidden = np.argwhere(~seen)
            if not visible and len(hidden):
                mobs.position[floor][slot] = hidden[rng.integers(len(hidden))]
                if slots.kind in ("passive", "projectile"):  # monsters that live decide whether the boss is vulnerable
                    mobs.mask[floor][slot] = rng.random() < 0.5
    state.growing_plants_age[...] = rng.integers(0, 600, size=state.growing_plants_age.shape)
    counters = {name: np.float32(rng.uniform(0, 20)) for name in ("hunger", "thirst", "fatigue", "recover")}
    changes: dict[str, Any] = {f"player_{name}": value for name, value in counters.items()}
    if spec.key == "classic":
        return state.replace(**changes)
    level = int(state.player_level)
    state.item_map[level][~seen] = rng.integers(4, size=(~seen).sum())
    state.mob_map[level][~seen] = rng.random((~seen).sum()) < 0.5
    kills = state.monsters_killed[level]
    state.monsters_killed[:] = rng.integers(20, size=9)
    state.monsters_killed[level] = rng.integers(8, 20) if kills >= 8 else rng.integers(8)
    state.chests_opened[:] = rng.random(9) < 0.5
    state.potion_mapping[:] = rng.permutation(6)
    timer = int(state.boss_timesteps_to_spawn_this_round)
    return state.replace(
        boss_progress=np.int32(rng.integers(8) if state.boss_progress < 8 else 8),  # beaten at 8, which shows
        boss_timesteps_to_spawn_this_round=np.int32(rng.integers(1, 8) if timer > 0 else -rng.integers(8)),
        **changes,
    )


def _seen(spec: GameSpec, state: Any) -> Any:
    """bool `map_size`: the tiles that the player sees, told without the packed view."""
    away = np.abs(np.indices(spec.map_size) - state.player_position[:, None, None])
    seen = (away[0] <= spec.window[0] // 2) & (away[1] <= spec.window[1] // 2)
    return seen & (state.light_map[int(state.player_level)] > 0.05) if spec.key == "full" else seen
