"""The facts that follow from others, each formula once, in operators that mean the same on the host and in traced code.

A formula is given the facts that it names as its sources, and nothing else.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import lru_cache, partial, reduce
from typing import Any, NamedTuple

from craftax_text_gym.availability.tiles import CREATURE, FURNACE, ITEM, TABLE, tables
from craftax_text_gym.games.shared import ATTRIBUTES, DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import DARK


class Formula(NamedTuple):
    """How to compute a fact from others.

    Attributes:
        sources: The facts (or tables of `tiles`) that it follows from.
        compute: Takes their values in the same order, gives the fact's.
    """

    sources: tuple[str, ...]
    compute: Callable[..., Any]


CREATURES = 3
"""The first groups of `GameSpec.slots`."""

OF_FACED_TILE = frozenset(("block", "item", "occupied"))
"""Facts that follow from the block, the item and the creature on the faced tile."""

CELLS_AHEAD = 3, 5, 1, 7
"""Left, right, above, below: of the nine tiles around the player, numbered row by row."""

_CELLS_BESIDE = 0, 1, 2, 3, 5, 6, 7, 8


@lru_cache
def formulas(spec: GameSpec) -> Mapping[str, Formula]:
    """The formulas of a game's derived facts.

    Args:
        spec: The game.

    Returns:
        Fact -> formula.
    """
    found = _faced_tile(spec) | _uses(spec) | _stations() | _wants(spec)
    if spec.key == "classic":
        return found | _ways_of_classic(spec)
    return found | _ways_of_full() | _ladders() | _magic(spec) | _armour(spec) | _growth(spec)


@lru_cache
def given_behind(spec: GameSpec, fact: str) -> frozenset[str]:
    """The inputs that a fact depends on; facts of the faced tile count as inputs.

    Args:
        spec: The game.
        fact: The fact.

    Returns:
        Facts.
    """
    formula = formulas(spec).get(fact)
    if formula is None or fact in OF_FACED_TILE:
        return frozenset((fact,)) - tables(spec).keys()
    return frozenset[str]().union(*[given_behind(spec, source) for source in formula.sources])


def _faced_tile(spec: GameSpec) -> dict[str, Formula]:
    """The tile ahead: its block, its item, whether a creature stands on it, and its number in the tables."""
    creatures = range(sum(spec.slots[:CREATURES]))
    places = [f"creature_{slot}_{axis}" for slot in creatures for axis in ("row", "column")]
    found = {
        "block": Formula(("direction", *[f"block_{cell}" for cell in CELLS_AHEAD]), _ahead),
        "occupied": Formula(("direction", *places), partial(_is_occupied, spec.window)),
        "tile": Formula(("block", "occupied"), lambda block, occupied: block + CREATURE * occupied),
    }
    if spec.key == "classic":
        return found
    return found | {
        "item": Formula(("direction", *[f"item_{cell}" for cell in CELLS_AHEAD]), _ahead),
        "tile": Formula(
            ("block", "occupied", "item"),
            lambda block, occupied, item: block + CREATURE * occupied + ITEM * (item > 0),
        ),
    }


def _ahead(direction: Any, left: Any, right: Any, up: Any, down: Any) -> Any:
    """Select the value for the direction that the player faces."""
    return (direction == 1) * left + (direction == 2) * right + (direction == 3) * up + (direction == 4) * down


def _is_occupied(window: tuple[int, int], direction: Any, *places: Any) -> Any:
    """Whether a creature stands on the faced tile; `places` alternates rows and columns."""
    row = window[0] // 2 + _ahead(direction, *[down for down, _ in OFFSETS[1:]])
    column = window[1] // 2 + _ahead(direction, *[right for _, right in OFFSETS[1:]])
    stands = [(down == row) & (right == column) for down, right in zip(places[::2], places[1::2], strict=True)]
    return reduce(operator.or_, stands)


def _ways_of_full() -> dict[str, Formula]:
    """Whether the player can move in a direction; always true for those not faced, which only turn the player."""
    return {
        f"free_{name}": Formula(
            ("direction", "walkable_tiles", "tile", "god_mode"),
            lambda direction, walkable, tile, god_mode, number=number: (
                (direction != number) | (walkable[tile] > 0) | god_mode
            ),
        )
        for number, name in enumerate(DIRECTIONS[1:], start=1)
    }


def _ways_of_classic(spec: GameSpec) -> dict[str, Formula]:
    """The same.

    The engine looks beyond the edge at row or column -1, the far side of the map: where lava lies, one can walk.
    """
    edge = spec.block_index["out_of_bounds"]

    def is_free(number: int, direction: Any, walkable: Any, tile: Any, block: Any) -> Any:
        is_beyond = (block == edge) & ((direction == 1) | (direction == 3))
        return (direction != number) | (walkable[tile] > 0) | is_beyond

    return {
        f"free_{name}": Formula(("direction", "walkable_tiles", "tile", "block"), partial(is_free, number))
        for number, name in enumerate(DIRECTIONS[1:], start=1)
    }


def _uses(spec: GameSpec) -> dict[str, Formula]:
    """What can be placed on the faced tile, and taken from it."""
    sites = {
        f"site_{placement.action}": Formula((f"{placement.action}_tiles", "tile"), operator.getitem)
        for placement in spec.placements
    }
    tools = {harvest.tool for harvest in spec.harvests if harvest.tool}
    spare = {
        f"spare_{tool}": Formula((tool, f"{tool}_tiles", "tile"), lambda tier, needed, tile: tier - needed[tile])
        for tool in tools
    }
    room = Formula(("sapling_tiles", "tile", "sapling"), lambda limits, tile, carried: limits[tile] - carried)
    if spec.key == "classic":  # which pays for the first sapling even where there is no room for it
        room = Formula(
            ("sapling_tiles", "tile", "sapling", "collect_sapling"),
            lambda limits, tile, carried, unlocked: limits[tile] - carried * unlocked,
        )
    return {**sites, **spare, "sapling_room": room}


def _stations() -> dict[str, Formula]:
    """What stands beside the player to craft with."""
    beside = [f"block_{cell}" for cell in _CELLS_BESIDE]
    return {
        "stations": Formula(
            ("station_blocks", *beside), lambda table, *blocks: sum([table[block] for block in blocks])
        ),
        "crafting_table": Formula(("stations",), lambda stations: stations // TABLE),
        "furnace": Formula(("stations",), lambda stations: stations // FURNACE % TABLE),
    }


def _wants(spec: GameSpec) -> dict[str, Formula]:
    """Whether sleep and rest would restore anything."""
    found = {}
    for fact, vital in (("tired", "energy"), ("hurt", "health")):
        base, attribute, factor = spec.maxima[vital]
        found[fact] = Formula(
            (vital, attribute) if attribute else (vital,),
            lambda value, level=0, base=base, factor=factor: value < base + factor * level,
        )
    return found


def _ladders() -> dict[str, Formula]:
    return {
        "on_ladder_down": Formula(
            ("block_4", "item_4", "ladder_open", "god_mode"),
            lambda block, item, is_open, god_mode: (item == 2) | ((block == DARK) & (is_open > 0)) | god_mode,
        ),
        "on_ladder_up": Formula(
            ("block_4", "item_4", "god_mode"),
            lambda block, item, god_mode: (item == 3) | (block == DARK) | god_mode,
        ),
    }


def _magic(spec: GameSpec) -> dict[str, Formula]:
    """What the faced tile is to enchantments and to the last fight, and how many shots may still be fired."""
    boss, last = spec.block_index["necromancer_vulnerable"], len(spec.floors) - 1
    shots = spec.slots[-1]
    return {
        "gem": Formula(
            ("ruby", "fire_tiles", "sapphire", "ice_tiles", "tile"),
            lambda ruby, fire, sapphire, ice, tile: ruby * fire[tile] + sapphire * ice[tile],
        ),
        "boss_fights": Formula(
            ("block", "occupied", "floor"),
            lambda block, occupied, floor: (block != boss) | occupied | (floor == last),
        ),
        "free_shots": Formula(
            tuple([f"shot_{slot}" for slot in range(shots)]), lambda *in_flight: shots - sum(in_flight)
        ),
    }


def _armour(spec: GameSpec) -> dict[str, Formula]:
    pieces = tuple([f"armour_{piece}" for piece in range(len(spec.armour))])
    below = {
        f"below_armour_{tier}": Formula(pieces, lambda *worn, tier=tier: sum([piece < tier for piece in worn]))
        for tier in range(1, len(spec.armour_tiers))
    }
    return below | {"armour": Formula(pieces, lambda *worn: sum(worn))}


def _growth(spec: GameSpec) -> dict[str, Formula]:
    """The points that can be spent, and how far each attribute can still grow.

    Being on a floor whose achievement is unset pays it, and one point, before all else.
    """
    entries = {number: floor.achievement for number, floor in enumerate(spec.floors) if floor.achievement}

    def experience(points: Any, floor: Any, *entered: Any) -> Any:
        return points + sum([(floor == number) > has for number, has in zip(entries, entered, strict=True)])

    growth = {
        f"{attribute}_to_gain": Formula((attribute, "max_attribute"), lambda level, most: most - level)
        for attribute in ATTRIBUTES[1:]
    }
    return growth | {"experience": Formula(("points", "floor", *entries.values()), experience)}
