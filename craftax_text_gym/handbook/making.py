"""Crafting and placing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from craftax_text_gym.games.spec import GameSpec, Placement, Recipe
from craftax_text_gym.handbook.rule import Rule, labels
from craftax_text_gym.observation.layout import LIT_THRESHOLD
from craftax_text_gym.utils.words import counted, listed, number, priced, spaced, with_article


def rules(spec: GameSpec) -> tuple[Rule, ...]:
    """The rules of the two topics."""
    return (*_crafting(spec), *_placing(spec))


def _crafting(spec: GameSpec) -> Iterator[Rule]:
    for recipe in spec.recipes:
        yield Rule(f"crafting.{recipe.action}", _recipe(spec, recipe))
    yield Rule("crafting.near", "A crafting table or furnace is near when it is one of the 8 tiles around you.")
    yield Rule(
        "crafting.total", f"{_total(spec)} make a crafting table, a furnace and all tools of wood, stone and iron."
    )
    if spec.key == "classic":
        yield Rule("crafting.again", "You may make a tool that you have once more; it costs the same again.")
        return
    yield Rule(
        "crafting.again",
        "A pickaxe or sword is refused if yours is as good or better; you may skip kinds, and the better replaces "
        "the worse.",
    )
    limits = [recipe for recipe in spec.recipes if recipe.limit is not None]
    actions, limit = listed([recipe.action for recipe in limits]), limits[0].limit
    yield Rule("crafting.limit", f"{actions} refuse at {limit} of the product.")
    yield Rule(
        "crafting.pieces",
        f"Armour has {len(spec.armour)} pieces: {listed(spec.armour)}. Each craft replaces the first of them that is "
        "worse.",
    )


def _total(spec: GameSpec) -> str:
    """The total cost of the stations and of all tools up to iron."""
    stations = [placement.costs for placement in spec.placements if placement.becomes in ("crafting_table", "furnace")]
    tools = [
        recipe.costs
        for recipe in spec.recipes
        if recipe.action.endswith(("pickaxe", "sword")) and "diamond" not in recipe.costs
    ]
    total: Counter[str] = Counter()
    for costs in (*stations, *tools):
        total.update(costs)
    return priced({field: total[field] for field in ("wood", "stone", "coal", "iron")})


def _recipe(spec: GameSpec, recipe: Recipe) -> str:
    (field, amount), *_ = recipe.gives.items()
    gives = ""
    if field == "armour":
        gives = f" for 1 piece of {spec.armour_tiers[amount]} armour"
    elif field not in spec.tools and amount > 1:
        gives = f" for {counted(amount, field)}"
    return f"{recipe.action}: {priced(recipe.costs)}{gives}, near a {listed([spaced(name) for name in recipe.near])}"


def _placing(spec: GameSpec) -> Iterator[Rule]:
    for placement in spec.placements:
        yield Rule(f"placing.{placement.action}", _placement(spec, placement))
    items = ", on a torch or ladder" if spec.key == "full" else ""
    yield Rule("placing.taken", f"Nothing can be placed on a creature{items}, or beyond the edge of the world.")
    yield Rule(
        "placing.bridge",
        "Stone makes a way across water and lava: place_stone, then do takes it back and leaves path, which you can "
        "walk on.",
    )


def _placement(spec: GameSpec, placement: Placement) -> str:
    made = "" if placement.becomes in ("stone", "torch") else f" for {with_article(spaced(placement.becomes))}"
    return f"{placement.action}: {priced(placement.costs)}{made}, on {onto(spec, placement)}"


def onto(spec: GameSpec, placement: Placement) -> str:
    """The words for the blocks that accept a placement."""
    walkable = {block.name for block in spec.blocks if block.walkable}
    if walkable <= placement.onto:
        return listed(["whatever you can walk on", *labels(spec, placement.onto - walkable)], "or")
    return listed(labels(spec, placement.onto), "or")


def torch_reach(spec: GameSpec) -> float:
    """How far away the farthest tiles are that a torch still lights."""
    limit = (1 - LIT_THRESHOLD) / spec.mechanics.torch_light
    offsets = range(int(limit) + 1)
    return max(away for row in offsets for column in offsets if (away := math.hypot(row, column)) < limit)


def torch_words(spec: GameSpec) -> str:
    """The words for the reach of a torch's light."""
    return number(torch_reach(spec))
