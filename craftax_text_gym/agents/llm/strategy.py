"""A short opening plan, for a prompt: in which order the first achievements come most easily."""

from __future__ import annotations

from collections.abc import Iterator

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.utils.words import listed, priced

_WOODEN = ("make_wood_pickaxe", "make_wood_sword")
_STONE = ("make_stone_pickaxe", "make_stone_sword")
_IRON = ("make_iron_pickaxe", "make_iron_sword")


def opening_plan(spec: GameSpec) -> str:
    """The plan.

    Args:
        spec: The game, whose recipes give the numbers.

    Returns:
        Markdown, one numbered line a stage.
    """
    lines = [f"{number}. {line}" for number, line in enumerate(_lines(spec), 1)]
    return "\n".join(["# An opening plan, to adapt to what you see", *lines])


def _lines(spec: GameSpec) -> Iterator[str]:
    wooden = _total(spec, ("place_table", *_WOODEN))
    yield (
        f"Collect {priced(wooden)} from trees: enough for place_table and, beside the table, for {listed(_WOODEN)}. "
        "Then some more."
    )
    yield (
        "On your way: do on grass until you have a sapling, then place_plant; drink at water; eat an animal; defeat a "
        "zombie when you have full health."
    )
    stone = _total(spec, (*_STONE, "place_stone", "place_furnace"))
    yield (
        f"With the wood pickaxe collect stone, and coal where you see it. Beside a table {listed(_STONE)}, then "
        f"place_furnace beside it; with one place_stone that takes {priced(stone)}."
    )
    yield (
        f"With the stone pickaxe collect iron. Beside a table and a furnace {listed(_IRON)}: "
        f"{priced(_total(spec, _IRON))}. The iron pickaxe is for diamonds."
    )
    yield "Before energy runs low, wall yourself in with stone, then sleep until you wake. Never let a vital reach 0."
    if len(spec.floors) > 1:
        yield (
            "Make torches and arrows, open chests, and go down as soon as the ladder is open: each new floor is an "
            "achievement that pays more than most on the first."
        )


def _total(spec: GameSpec, actions: tuple[str, ...]) -> dict[str, int]:
    """What several actions cost together, each carried out once."""
    costs = {recipe.action: recipe.costs for recipe in spec.recipes}
    costs |= {placement.action: placement.costs for placement in spec.placements}
    total: dict[str, int] = {}
    for action in actions:
        for field, amount in costs[action].items():
            total[field] = total.get(field, 0) + amount
    return total
