"""The facts that are derived from others, each formula once, for one game and for a batch alike: see `facts`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import DARK

if TYPE_CHECKING:
    from craftax_text_gym.availability.facts import Facts

Adder = Callable[[GameSpec, dict[str, Any], Mapping[str, Any]], None]
"""Adds facts that are derived from others and from the tables of `tile_arrays`."""

CREATURES = 3
"""The first groups of `GameSpec.slots`."""

NEVER = 127
"""A tool tier that nobody reaches."""

OF_FACED_TILE = frozenset(("block", "occupied", "tile"))
"""Facts of the tile that the player looks at: its block, creature and item settle them."""

_ITEM, _MOB = 256, 512  # added to the number of the faced block where an item lies or a creature stands on it
_BLOCKS = "block_3", "block_5", "block_1", "block_7"  # left, right, above, below: of nine, numbered by rows
_ITEMS = "item_3", "item_5", "item_1", "item_7"
_TABLE, _FURNACE = 16, 1  # what a near tile adds to the count of stations
_USEFUL = ("water", "fountain", "ripe_plant", "chest", "necromancer_vulnerable")  # for `do`, beside the harvests


def _add_faced(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:  # noqa: ARG001
    """The faced tile: its block, whether a creature stands on it, and its number in `tiles`."""
    direction = facts["direction"]
    left, right, up, down = direction == 1, direction == 2, direction == 3, direction == 4

    def faced(on_the: tuple[str, str, str, str]) -> Any:
        """Of the four tiles beside the player, the one that he looks at."""
        to_left, to_right, above, below = on_the
        return left * facts[to_left] + right * facts[to_right] + up * facts[above] + down * facts[below]

    facts["block"] = block = faced(_BLOCKS)
    codes = _faced_codes(spec)
    code = left * codes[1] + right * codes[2] + up * codes[3] + down * codes[4]
    first, *others = _creatures(spec)
    occupied = facts[first] == code
    for creature in others:
        occupied = occupied | (facts[creature] == code)
    facts["occupied"] = occupied
    facts["tile"] = block + _MOB * occupied + (_ITEM * (faced(_ITEMS) > 0) if spec.key == "full" else 0)


def _add_ways(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:
    """Whether the faced tile can be walked on."""
    direction, walkable = facts["direction"], tiles["walkable"][facts["tile"]]
    if spec.key == "classic":
        # The engine looks beyond the edge at row or column -1, the far side of the map: where lava lies, one can walk.
        beyond = facts["block"] == spec.block_index["out_of_bounds"]
        walkable = walkable | (beyond & ((direction == 1) | (direction == 3)))
    for number, name in enumerate(DIRECTIONS[1:], start=1):
        facts[f"free_{name}"] = (direction != number) | walkable


def _add_uses(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:
    """What can be placed on the faced tile, and taken from it."""
    tile = facts["tile"]
    for placement in spec.placements:
        facts[f"site_{placement.action}"] = tiles[placement.action][tile]
    for tool in _tools(spec):
        facts[f"spare_{tool}"] = facts[tool] - tiles[f"needs_{tool}"][tile]
    # Classic pays for the first sapling even where there is no room for it.
    at_stake = facts["sapling"] * facts["collect_sapling"] if spec.key == "classic" else facts["sapling"]
    facts["sapling_room"] = tiles["sapling_limit"][tile] - at_stake


def _add_stations(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:  # noqa: ARG001
    """What stands beside the player to craft with."""
    stations = tiles["stations"]
    count = stations[facts["block_0"]]
    for cell in (1, 2, 3, 5, 6, 7, 8):
        count = count + stations[facts[f"block_{cell}"]]
    facts["crafting_table"], facts["furnace"] = count // _TABLE, count % _TABLE


def _add_wants(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:  # noqa: ARG001
    """Whether sleep and rest would restore something."""
    for fact, vital in (("tired", "energy"), ("hurt", "health")):
        base, attribute, factor = spec.maxima[vital]
        facts[fact] = facts[vital] < base + (factor * facts[attribute] if attribute else 0)


def _add_magic(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:
    """What the faced tile is to enchantments, and to the last fight."""
    tile = facts["tile"]
    facts["gem"] = facts["ruby"] * tiles["fire"][tile] + facts["sapphire"] * tiles["ice"][tile]
    boss, last = spec.block_index["necromancer_vulnerable"], len(spec.floors) - 1
    facts["boss_fights"] = (facts["block"] != boss) | facts["occupied"] | (facts["floor"] == last)


def _add_ladders(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:  # noqa: ARG001
    dark, item = facts["block_4"] == DARK, facts["item_4"]
    facts["on_ladder_down"] = (item == 2) | (dark & facts["ladder_open"])
    facts["on_ladder_up"] = (item == 3) | dark


def _add_armour(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:  # noqa: ARG001
    pieces = [facts[f"armour_{piece}"] for piece in range(len(spec.armour))]
    for tier in range(1, len(spec.armour_tiers)):
        facts[f"below_armour_{tier}"] = sum([piece < tier for piece in pieces])
    facts["armour"] = sum(pieces)


def _add_shots(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:  # noqa: ARG001
    shots = spec.slots[-1]
    facts["free_shots"] = shots - sum([facts[f"shot_{slot}"] for slot in range(shots)])


def _add_experience(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> None:  # noqa: ARG001
    """The points that can be spent: being on a floor whose achievement is unset pays it, and one, before all else."""
    experience = facts["points"]
    for number, floor in enumerate(spec.floors):
        if floor.achievement:
            experience = experience + ((facts["floor"] == number) > facts[floor.achievement])
    facts["experience"] = experience


_IN_BOTH: tuple[Adder, ...] = (_add_faced, _add_ways, _add_uses, _add_stations, _add_wants)
_IN_FULL: tuple[Adder, ...] = (_add_magic, _add_ladders, _add_armour, _add_shots, _add_experience)
ADDERS = {"classic": _IN_BOTH, "full": _IN_BOTH + _IN_FULL}
"""What adds the derived facts, each after those that it reads."""


@lru_cache
def _faced_codes(spec: GameSpec) -> tuple[int, ...]:
    """Heading number -> the faced tile's window row and column, as one little-endian int16."""
    rows, columns = spec.window
    return tuple([rows // 2 + row + 256 * (columns // 2 + column) for row, column in OFFSETS])


@lru_cache
def _creatures(spec: GameSpec) -> tuple[str, ...]:
    """The facts that say where creatures are."""
    return tuple([f"creature_{slot}" for slot in range(sum(spec.slots[:CREATURES]))])


@lru_cache
def _tools(spec: GameSpec) -> list[str]:
    return sorted({harvest.tool for harvest in spec.harvests if harvest.tool})


@lru_cache
def tile_arrays(spec: GameSpec) -> dict[str, NDArray[np.int32]]:
    """What a tile is good for.

    Args:
        spec: The game.

    Returns:
        Name -> int32 `[1024]`: its value by block number `+ _ITEM + _MOB`; dark tiles are whatever helps.
    """
    tiles = {name: np.zeros(2 * _MOB, np.int32) for name in ("walkable", "stations", "fire", "ice")}
    tiles |= {placement.action: np.zeros(2 * _MOB, np.int32) for placement in spec.placements}
    needs = {tool: np.full(2 * _MOB, NEVER, np.int32) for tool in _tools(spec)}
    limit = np.full(2 * _MOB, spec.inventory_cap * 2, np.int32)
    harvests = {harvest.block: harvest for harvest in spec.harvests}
    for number, block in [*enumerate(spec.blocks), (DARK, None)]:
        for item in (0, _ITEM):
            free, mob = number + item, number + item + _MOB
            harvest = harvests.get(block.name) if block else None
            useful = block is None or harvest is not None or block.name in _USEFUL
            for tool, need in needs.items():
                need[mob] = 0  # a creature takes the blow
                if useful:
                    need[free] = harvest.tier if harvest and harvest.tool == tool else 0
            if harvest and harvest.chance < 1:
                limit[free] = spec.inventory_cap
            tiles["walkable"][free] = block is None or block.walkable
            for placement in spec.placements:
                welcome = block is None or block.name in placement.onto
                tiles[placement.action][free] = welcome and (not item or _ignores_items(placement.action, number, spec))
            for at in (free, mob):
                tiles["fire"][at] = block is None or block.name == "enchantment_table_fire"
                tiles["ice"][at] = block is None or block.name == "enchantment_table_ice"
    if spec.key == "classic":
        lava = spec.block_index["lava"]
        tiles["walkable"][[lava, lava + _MOB]] = 1  # to the player's death, creature or not
    tiles["stations"][[spec.block_index["crafting_table"], spec.block_index["furnace"], DARK]] = (
        _TABLE,
        _FURNACE,
        _TABLE + _FURNACE,
    )
    return tiles | {f"needs_{tool}": need for tool, need in needs.items()} | {"sapling_limit": limit}


def _ignores_items(action: str, block: int, spec: GameSpec) -> bool:
    return action == "place_stone" and block == spec.block_index["water"]


@lru_cache
def tile_lists(spec: GameSpec) -> dict[str, list[int]]:
    """`tile_arrays` as lists, which are faster for one game.

    Args:
        spec: The game.

    Returns:
        Name -> its values.
    """
    return {name: values.tolist() for name, values in tile_arrays(spec).items()}
