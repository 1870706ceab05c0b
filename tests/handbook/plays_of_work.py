"""Plays of the rules on gathering, crafting and placing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from craftax_text_gym.games import ALL
from craftax_text_gym.games.spec import GameSpec, Harvest, Placement, Recipe
from craftax_text_gym.handbook.gathering import firm as firm_blocks
from craftax_text_gym.handbook.making import onto
from craftax_text_gym.handbook.rule import labels
from craftax_text_gym.utils.words import counted, listed, priced, with_article
from tests.availability.arena import arena, block_at, owned, set_block, set_item
from tests.availability.cases import held_blocks
from tests.handbook.stage import AHEAD, PLAYS, Fact, Run, about, play, plays, samples, with_mob, worlds

_STATIONS = ("crafting_table", "furnace")
_TOOLS = [f"make_{material}_{tool}" for material in ("wood", "stone", "iron") for tool in ("pickaxe", "sword")]


def _harvest(harvest: Harvest, spec: GameSpec) -> Iterator[Fact]:
    name = harvest.block
    if harvest.chance < 1:
        found = [owned(after, "sapling") for after in samples(spec, arena(spec.key, faced=name), "do", 400)]
        assert block_at(spec, play(spec, "do", faced=name), AHEAD) == name
        yield max(found)
        yield about(100 * float(np.mean(found)), 4)
        return
    takes = {tool: _taken(spec, name, inventory) for tool, inventory in _bags(spec)}
    lightest, gains, leaves = next((tool, *taken) for tool, taken in takes.items() if taken)
    yield f"{priced(gains)}" if gains else "nothing"
    yield f"leaves {leaves}"
    if lightest:
        better = " or better" if spec.key == "full" and "diamond" not in lightest else ""
        yield f"with {with_article(lightest)}{better};"
        assert not takes[""]
    if spec.key == "classic" and lightest:
        assert [tool for tool, taken in takes.items() if taken] == [lightest]


def _bags(spec: GameSpec) -> list[tuple[str, dict[str, int]]]:
    """Each pickaxe by its label, from none to the best, and a bag with just that."""
    if spec.key == "full":
        return [(label, {"pickaxe": tier}) for tier, label in enumerate(spec.tools["pickaxe"])]
    names = [name for name in spec.materials if name.endswith("pickaxe")]
    return [("", {}), *[(name.replace("_", " "), {name: 1}) for name in names]]


def _taken(spec: GameSpec, name: str, inventory: dict[str, int]) -> tuple[dict[str, int], str] | None:
    after = play(spec, "do", faced=name, inventory=inventory)
    left = block_at(spec, after, AHEAD)
    gains = {field: owned(after, field) for field in spec.materials if owned(after, field) > inventory.get(field, 0)}
    return None if left == name else (gains, left.replace("_", " "))


@plays("gathering.firm")
def firm(spec: GameSpec) -> Any:
    best = _bags(spec)[-1][1]
    changeable = {"water", "lava", "plant", "necromancer"}
    solid = [block.name for block in spec.blocks if not block.walkable and block.name in held_blocks(spec)]
    kept = [name for name in solid if name not in changeable and not _taken(spec, name, best)]
    if spec.key == "classic":
        kept = [name for name in kept if name in _STATIONS]  # ores want their own pickaxe
    yield f"do removes no {listed(labels(spec, sorted(kept, key=firm_blocks(spec).index)), 'or')}."


@plays("gathering.creature")
def creature_first(spec: GameSpec) -> list[Fact]:
    state = with_mob(spec, arena(spec.key, faced="water", player_drink=3), "zombie", hemmed=True)
    after = play(spec, "do", state=state)
    zombies = after.zombies.health if spec.key == "classic" else after.melee_mobs.health[0]
    assert (int(after.player_drink), float(zombies[0])) == (3, 49)
    return []


@plays("gathering.full")
def full(spec: GameSpec) -> Any:
    cap = owned(play(spec, "noop", inventory={"wood": 500}), "wood")
    for carried in (cap - 1, cap):
        after = play(spec, "do", faced="tree", inventory={"wood": carried})
        assert (owned(after, "wood"), block_at(spec, after, AHEAD)) == (cap, "grass")
    yield cap


@plays("gathering.diamonds", games=("classic",))
def diamonds(spec: GameSpec) -> Any:
    assert all((world.map == spec.block_index["diamond"]).any() for world in worlds("classic"))
    yield 1


@plays("gathering.where")
def where(spec: GameSpec) -> list[Fact]:
    ores = {
        spec.block_index[name] for name in ("coal", "iron", "diamond", "sapphire", "ruby") if name in spec.block_index
    }
    for ore in ores:
        found, beside = 0, 0
        for world in worlds(spec.key):
            for blocks in world.map if world.map.ndim == 3 else [world.map]:
                for row, column in np.argwhere(blocks == ore):
                    around = blocks[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
                    found, beside = found + 1, beside + bool((around == spec.block_index["stone"]).any())
        assert found > 0
        assert beside / found > 0.95
    return []


def _recipe(recipe: Recipe, spec: GameSpec) -> Iterator[Fact]:
    (product_name, amount), *_ = recipe.gives.items()
    rich = dict.fromkeys(recipe.costs, 5)
    after = play(spec, recipe.action, inventory=rich, near=_STATIONS)
    spent = {field: 5 - owned(after, field) for field in recipe.costs}
    for field in spent:
        poor = {**spent, field: spent[field] - 1}
        assert owned(play(spec, recipe.action, inventory=poor, near=_STATIONS), field) == poor[field]
    assert owned(play(spec, recipe.action, inventory=spent, near=_STATIONS), next(iter(spent))) == 0
    yield f"{recipe.action}: {priced(spent)}"
    made = owned(after, product_name)
    if product_name == "armour":
        yield f" for {sum(tier > 0 for tier in made)} piece of {spec.armour_tiers[max(made)]} armour"
    elif product_name in ("arrows", "torches"):
        yield f" for {counted(made, product_name)}"
    else:
        assert made == amount
    needed = [
        station
        for station in _STATIONS
        if owned(play(spec, recipe.action, inventory=rich, near=tuple({*_STATIONS} - {station})), next(iter(rich))) == 5
    ]
    yield f"near a {listed([station.replace('_', ' ') for station in needed])}"


@plays("crafting.near")
def near(spec: GameSpec) -> Any:
    reached = []
    for offset in product(range(-2, 3), range(-2, 3)):
        if offset != (0, 0):
            state = arena(spec.key, inventory={"wood": 1})
            set_block(spec, state, offset, "crafting_table")
            if owned(play(spec, "make_wood_pickaxe", state=state), "wood") == 0:
                reached.append(offset)
    assert all(max(map(abs, offset)) == 1 for offset in reached)
    for column, makes in ((1, True), (2, False)):
        state = arena(spec.key, inventory={"wood": 1, "stone": 1, "coal": 1, "iron": 1}, near=("crafting_table",))
        set_block(spec, state, (1, column), "furnace")
        assert (owned(play(spec, "make_iron_sword", state=state), "iron") == 0) == makes
    yield len(reached)


@plays("crafting.total")
def total(spec: GameSpec) -> Any:
    def makes_all(bag: dict[str, int]) -> bool:
        run = Run(spec, arena(spec.key, inventory=bag)).act("place_table", "left", "place_furnace", *_TOOLS)
        wanted = ("place_table", "place_furnace", *_TOOLS)
        return all(spec.achievements[i].key not in wanted or done for i, done in enumerate(run.state.achievements))

    bag = {"wood": 9, "stone": 9, "coal": 9, "iron": 9}
    assert makes_all(bag)
    for field in bag:
        while bag[field] and makes_all({**bag, field: bag[field] - 1}):
            bag[field] -= 1
    yield priced(bag)


@plays("crafting.again")
def again(spec: GameSpec) -> list[Fact]:
    bag = {"wood": 5, "stone": 5}
    near = ("crafting_table",)
    if spec.key == "classic":
        after = play(spec, "make_wood_pickaxe", "make_wood_pickaxe", inventory=bag, near=near)
        assert (owned(after, "wood_pickaxe"), owned(after, "wood")) == (2, 3)
        return []
    for tool, tier, makes in product(("pickaxe", "sword"), range(5), (True,)):
        after = play(spec, f"make_stone_{tool}", inventory={**bag, tool: tier}, near=near)
        assert (owned(after, tool), owned(after, "wood")) == ((2, 4) if tier < 2 and makes else (tier, 5))
    return []


@plays("crafting.limit", games=("full",))
def limit(spec: GameSpec) -> Any:
    bag = {"wood": 5, "stone": 5, "coal": 5}
    found = set()
    for action, field in (("make_arrow", "arrows"), ("make_torch", "torches")):
        refused = [
            count
            for count in (97, 98, 99)
            if owned(play(spec, action, inventory={**bag, field: count}, near=("crafting_table",)), "wood") == 5
        ]
        found.add(min(refused))
    yield from found


@plays("crafting.pieces", games=("full",))
def pieces(spec: GameSpec) -> Any:
    bag = {"iron": 20, "coal": 20, "diamond": 20}
    run = Run(spec, arena("full", inventory=bag, near=_STATIONS))
    worn = [owned(run.act("make_iron_armour").state, "armour") for _ in range(5)]
    assert worn == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 1]]
    after = play(spec, "make_diamond_armour", inventory={**bag, "armour": (2, 1, 0, 1)}, near=_STATIONS)
    assert owned(after, "armour") == [2, 2, 0, 1]
    yield len(worn[0])


def _placement(placement: Placement, spec: GameSpec) -> Iterator[Fact]:
    accepted = set()
    for name in held_blocks(spec):
        after = play(spec, placement.action, faced=name, inventory=dict.fromkeys(placement.costs, 5))
        spent = {field: 5 - owned(after, field) for field in placement.costs}
        if any(spent.values()):
            accepted.add(name)
            costs = spent
    for field, cost in costs.items():
        after = play(spec, placement.action, faced="grass", inventory={field: cost - 1})
        assert owned(after, field) == cost - 1
    yield f"{placement.action}: {priced(costs)}"
    yield f", on {onto(spec, replace(placement, onto=frozenset(accepted)))}"


@plays("placing.taken")
def taken(spec: GameSpec) -> list[Fact]:
    bag = {field: 5 for placement in spec.placements for field in placement.costs}

    def places(state: Any, action: str) -> bool:
        after = play(spec, action, state=state)
        return any(owned(after, field) != 5 for field in bag)

    for placement in spec.placements:
        free = arena(spec.key, faced="grass", inventory=bag)
        assert places(free, placement.action)
        assert not places(with_mob(spec, arena(spec.key, faced="grass", inventory=bag), "cow"), placement.action)
        assert not places(arena(spec.key, player_position=(0, 20), inventory=bag), placement.action)
        for item in (1, 2, 3) if spec.key == "full" else ():
            state = arena(spec.key, faced="grass", inventory=bag)
            set_item(spec, state, AHEAD, item)
            assert not places(state, placement.action)
    return []


@plays("placing.bridge")
def bridge(spec: GameSpec) -> list[Fact]:
    for name in ("water", "lava"):
        bag = {"stone": 1, **_bags(spec)[1][1]}
        run = Run(spec, arena(spec.key, faced=name, inventory=bag)).act("place_stone")
        assert block_at(spec, run.state, AHEAD) == "stone"
        assert block_at(spec, run.act("do").state, AHEAD) == "path"
        assert run.act("up").state.player_position[0] == 19
    return []


for _spec in ALL:
    PLAYS[_spec.key] |= {f"gathering.{entry.block}": partial(_harvest, entry) for entry in _spec.harvests}
    PLAYS[_spec.key] |= {f"crafting.{entry.action}": partial(_recipe, entry) for entry in _spec.recipes}
    PLAYS[_spec.key] |= {f"placing.{entry.action}": partial(_placement, entry) for entry in _spec.placements}
