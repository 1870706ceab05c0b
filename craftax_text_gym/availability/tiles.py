"""Lookup tables by block number, with or without an item or a creature on the tile."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.games.spec import Block, GameSpec
from craftax_text_gym.observation.layout import DARK

ITEM, CREATURE = 256, 512
"""Added to the number of a block where an item lies or a creature stands on it."""

TABLE, FURNACE = 16, 1
"""What a block adds to the `stations` fact."""

_NEVER = 127
"""A tool tier out of reach."""

_USEFUL = ("water", "fountain", "ripe_plant", "chest", "necromancer_vulnerable")  # for `do`, beside the harvests


class _Tile(NamedTuple):
    """A tile; its block is None where it is dark."""

    block: Block | None
    has_item: bool
    has_creature: bool


@lru_cache
def tables(spec: GameSpec) -> dict[str, NDArray[np.int32]]:
    """The properties of every tile. Dark tiles have whatever makes actions available.

    Args:
        spec: The game.

    Returns:
        Table -> int32 `[1024]`: its value by block number `+ ITEM + CREATURE`. `station_blocks` is by block number
        alone; `{tool}_tiles` holds the tier that `do` needs.
    """
    tools = {harvest.tool for harvest in spec.harvests if harvest.tool}
    return {
        "walkable_tiles": _fill(spec, partial(_is_walkable, spec)),
        "station_blocks": _fill(spec, _stations),
        "fire_tiles": _fill(spec, partial(_serves_as, "enchantment_table_fire")),
        "ice_tiles": _fill(spec, partial(_serves_as, "enchantment_table_ice")),
        "sapling_tiles": _fill(spec, partial(_sapling_limit, spec)),
        **{f"{tool}_tiles": _fill(spec, partial(_needed_tier, spec, tool)) for tool in tools},
        **{
            f"{placement.action}_tiles": _fill(spec, partial(_is_site, placement.action, placement.onto))
            for placement in spec.placements
        },
    }


@lru_cache
def lists(spec: GameSpec) -> dict[str, list[int]]:
    """`tables` as lists, which are faster for one game.

    Args:
        spec: The game.

    Returns:
        Table -> its values.
    """
    return {name: values.tolist() for name, values in tables(spec).items()}


def _fill(spec: GameSpec, value: Callable[[_Tile], int]) -> NDArray[np.int32]:
    table = np.zeros(2 * CREATURE, np.int32)
    for number, block in [*enumerate(spec.blocks), (DARK, None)]:
        for item, creature in product((0, ITEM), (0, CREATURE)):
            table[number + item + creature] = value(_Tile(block, bool(item), bool(creature)))
    return table


def _is_walkable(spec: GameSpec, tile: _Tile) -> bool:
    if spec.key == "classic" and tile.block is not None and tile.block.name == "lava":
        return True  # to the player's death, creature or not
    return not tile.has_creature and (tile.block is None or tile.block.walkable)


def _serves_as(name: str, tile: _Tile) -> bool:
    return tile.block is None or tile.block.name == name


def _stations(tile: _Tile) -> int:
    if tile.block is None:
        return TABLE + FURNACE
    return {"crafting_table": TABLE, "furnace": FURNACE}.get(tile.block.name, 0)


def _sapling_limit(spec: GameSpec, tile: _Tile) -> int:
    """How many saplings the player may carry and still use `do`."""
    is_chancy = any(
        tile.block is not None and harvest.block == tile.block.name and harvest.chance < 1 for harvest in spec.harvests
    )
    return spec.inventory_cap if is_chancy and not tile.has_creature else 2 * spec.inventory_cap


def _needed_tier(spec: GameSpec, tool: str, tile: _Tile) -> int:
    """The tier of a tool that `do` needs; 0 for none."""
    if tile.has_creature or tile.block is None:
        return 0  # a creature takes the blow
    for harvest in spec.harvests:
        if harvest.block == tile.block.name:
            return harvest.tier if harvest.tool == tool else 0
    return 0 if tile.block.name in _USEFUL else _NEVER


def _is_site(action: str, onto: frozenset[str], tile: _Tile) -> bool:
    """Whether something can be placed there."""
    if tile.has_creature:
        return False
    if tile.block is None:
        return not tile.has_item
    allows_items = action == "place_stone" and tile.block.name == "water"
    return tile.block.name in onto and (not tile.has_item or allows_items)
