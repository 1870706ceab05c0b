"""What `do` takes from blocks."""

from __future__ import annotations

from collections.abc import Iterator

from craftax_text_gym.games.spec import GameSpec, Harvest
from craftax_text_gym.handbook.rule import Rule, labels
from craftax_text_gym.utils.words import listed, percent, priced, spaced, with_article

_FIRM = {
    "full": (
        "wall",
        "wall_moss",
        "fountain",
        "grave",
        "grave2",
        "grave3",
        "enchantment_table_fire",
        "enchantment_table_ice",
    ),
    "classic": ("crafting_table", "furnace"),
}


def firm(spec: GameSpec) -> tuple[str, ...]:
    """The solid blocks that `do` does not remove."""
    return _FIRM[spec.key]


def rules(spec: GameSpec) -> tuple[Rule, ...]:
    """The rules of the topic."""
    return tuple(_rules(spec))


def _rules(spec: GameSpec) -> Iterator[Rule]:
    for harvest in spec.harvests:
        yield Rule(f"gathering.{harvest.block}", _row(spec, harvest), _first_floor(spec, harvest.block))
    yield Rule("gathering.firm", f"do removes no {listed(labels(spec, firm(spec)), 'or')}.")
    yield Rule("gathering.creature", "A creature on the tile takes the blow instead.")
    yield Rule(
        "gathering.full",
        f"You carry at most {spec.inventory_cap} of a kind; at that, a block that you take is lost.",
    )
    if spec.key == "classic":
        yield Rule("gathering.diamonds", "Every world holds at least 1 diamond.")
    gems = ["sapphires", "rubies"] if spec.key == "full" else []
    yield Rule("gathering.where", f"{listed(['Coal', 'iron', 'diamonds', *gems])} lie among stone.")


def _row(spec: GameSpec, harvest: Harvest) -> str:
    block = spaced(harvest.block)
    if harvest.chance < 1:
        return (
            f"{block}: {priced(harvest.gives)}, with a chance of {percent(harvest.chance)} each time; it stays {block}"
        )
    if not harvest.gives:
        return f"{block}: nothing; it is destroyed and leaves {spaced(harvest.leaves)}"
    tool = f" with {_tool(spec, harvest)}" if harvest.tool else ""
    return f"{block}: {priced(harvest.gives)}{tool}; leaves {spaced(harvest.leaves)}"


def _tool(spec: GameSpec, harvest: Harvest) -> str:
    tool = harvest.tool or ""
    if tool not in spec.tools:
        return with_article(spaced(tool))
    label = with_article(spec.tools[tool][harvest.tier])
    return label if harvest.tier == len(spec.tools[tool]) - 1 else f"{label} or better"


def _first_floor(spec: GameSpec, block: str) -> int:
    found = [number for number, floor in enumerate(spec.floors) if block in floor.finds]
    return min(found, default=0)
