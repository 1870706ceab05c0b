"""Seeing, moving, and what the actions act on."""

from __future__ import annotations

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook.rule import Rule, labels
from craftax_text_gym.utils.words import listed


def rules(spec: GameSpec) -> tuple[Rule, ...]:
    """The rules of the topic."""
    rows, columns = spec.window
    high, wide = spec.map_size
    start = spec.mechanics.start
    world = f"Each of the {len(spec.floors)} floors" if len(spec.floors) > 1 else "The world"
    walkable = labels(spec, [block.name for block in spec.blocks if block.walkable])
    lava = (
        "Water and lava are in the way, and do no harm."
        if spec.key == "full"
        else "Water is in the way. Lava is not: whoever walks onto it dies at once."
    )
    rest = "All else" if spec.key == "full" else "All else but lava"
    front = (
        "do, every place_ action and every enchant_ action act on the tile that you face; arrows and spells fly that "
        "way."
        if spec.key == "full"
        else "do and every place_ action act on the tile that you face."
    )
    return (
        Rule("basics.start", f"You start with {start} {listed(spec.maxima)}, and with nothing in your bags."),
        Rule("basics.step", "Every action takes 1 step, whether it works or not; then everything else moves."),
        Rule(
            "basics.window",
            f"You see {rows} rows of {columns} tiles with yourself in the middle: {rows // 2} tiles up and down, "
            f"{columns // 2} left and right.",
        ),
        Rule("basics.world", f"{world} has {high} rows of {wide} tiles; beyond the edge nobody can go."),
        Rule(
            "basics.move",
            "left, right, up and down turn you that way and, if the tile there is free, move you onto it.",
        ),
        Rule("basics.turn", "If the tile is not free you only turn: that is how you face what stands beside you."),
        Rule(
            "basics.walkable",
            f"You can walk on {listed(walkable)}. {rest} is in the way, and so is every creature.",
        ),
        Rule("basics.lava", lava),
        Rule("basics.front", front),
        Rule("basics.noop", "noop lets a step pass."),
        *([_edge()] if spec.key == "classic" else []),
    )


def _edge() -> Rule:
    return Rule(
        "basics.edge",
        "Never walk up or left off the map: where lava lies on the far side of the world, in your column or row, you "
        "step over the edge and die.",
    )
