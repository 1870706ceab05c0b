"""What decides whether an action can be done, read from packed rows: one formula for one game and for a batch.

A *fact* is a number: for one game a plain Python number, for a batch an array `[B]`. Every formula here is written in
operators that mean the same for both, so that the rules are stated once: plain numbers are four times as fast as
arrays of one element. Whatever the player cannot see counts as favourable.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.engine.layout import DARK, THING_FIELDS, row_dtype
from craftax_text_gym.games.shared import ATTRIBUTES, OFFSETS
from craftax_text_gym.games.spec import GameSpec

Facts = dict[str, Any]
"""Fact -> int, or int array `[B]` (`health`: float)."""

NEVER = 127
"""A tool tier that nobody reaches."""

_ITEM, _MOB = 256, 512  # added to the number of the faced block where an item lies or a creature stands on it
_TABLE, _FURNACE = 16, 1  # what a near tile adds to the count of stations
_USEFUL = ("water", "fountain", "ripe_plant", "chest", "necromancer_vulnerable")  # for `do`, beside the harvests
_CREATURES = 3  # the first groups of `GameSpec.slots`
_VITALS = ("food", "drink", "energy")


def of_game(spec: GameSpec, data: bytes) -> Facts:
    """The facts of one game.

    Args:
        spec: The game.
        data: The bytes of a packed row.

    Returns:
        Fact -> number.
    """
    columns = _columns(spec)
    return _derive(spec, dict(zip(columns.names, columns.unpack(data), strict=True)), _tile_lists(spec))


def of_batch(spec: GameSpec, rows: NDArray[np.void]) -> Facts:
    """The facts of a batch of games.

    Args:
        spec: The game.
        rows: `[B]` of `engine.layout.row_dtype(spec)`.

    Returns:
        Fact -> array `[B]`.
    """
    return _derive(spec, _columns(spec).read(rows), _tile_arrays(spec))


def of_fields(spec: GameSpec, fields: Mapping[str, Any], xp: Any) -> Facts:
    """The facts of one game, for code that is compiled.

    Args:
        spec: The game.
        fields: Field of `engine.layout.row_dtype(spec)` -> array.
        xp: The arrays' own NumPy, such as `jax.numpy`.

    Returns:
        Fact -> scalar array.
    """
    facts = {}
    for name, (field, index) in _columns(spec).places.items():
        values = xp.asarray(fields[field]).ravel()
        value = values[index] if name == "health" else values[index].astype(np.int32)
        facts[name] = value + 256 * values[index + 1].astype(np.int32) if name.startswith("creature_") else value
    return _derive(spec, facts, {name: xp.asarray(values) for name, values in _tile_arrays(spec).items()})


def _derive(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> Facts:
    key = _derive_faced(spec, facts, tiles)
    stations = tiles["stations"]
    count = stations[facts["block_0"]]
    for cell in (1, 2, 3, 5, 6, 7, 8):
        count = count + stations[facts[f"block_{cell}"]]
    facts["crafting_table"], facts["furnace"] = count // _TABLE, count % _TABLE
    for fact, vital in (("tired", "energy"), ("hurt", "health")):
        base, attribute, factor = spec.maxima[vital]
        facts[fact] = facts[vital] < base + (factor * facts[attribute] if attribute else 0)
    return _derive_full(spec, facts, tiles, key) if spec.key == "full" else facts


def _derive_faced(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> Any:
    """Add what depends on the faced tile; returns its number in `tiles`."""
    full, direction = spec.key == "full", facts["direction"]
    left, right, up, down = direction == 1, direction == 2, direction == 3, direction == 4

    def faced(name: str) -> Any:
        """Of the nine tiles around, numbered by rows, the one that the player looks at."""
        sides = facts[f"{name}_3"], facts[f"{name}_5"], facts[f"{name}_1"], facts[f"{name}_7"]
        return left * sides[0] + right * sides[1] + up * sides[2] + down * sides[3]

    facts["block"] = block = faced("block")
    codes = _faced_codes(spec)
    code = left * codes[1] + right * codes[2] + up * codes[3] + down * codes[4]
    occupied = facts["creature_0"] == code
    for slot in range(1, sum(spec.slots[:_CREATURES])):
        occupied = occupied | (facts[f"creature_{slot}"] == code)
    facts["occupied"] = occupied
    key = block + _MOB * occupied + (_ITEM * (faced("item") > 0) if full else 0)

    walkable = tiles["walkable"][key]
    if not full:
        # The engine looks beyond the edge at row or column -1, the far side of the map: where lava lies, one can walk.
        walkable = walkable | ((block == spec.block_index["out_of_bounds"]) & (left | up))
    for name, faces in (("left", left), ("right", right), ("up", up), ("down", down)):
        facts[f"free_{name}"] = (faces == 0) | walkable
    for placement in spec.placements:
        facts[f"site_{placement.action}"] = tiles[placement.action][key]
    for tool in _tools(spec):
        facts[f"spare_{tool}"] = facts[tool] - tiles[f"needs_{tool}"][key]
    # Classic pays for the first sapling even where there is no room for it.
    at_stake = facts["sapling"] if full else facts["sapling"] * facts["collect_sapling"]
    facts["sapling_room"] = tiles["sapling_limit"][key] - at_stake
    return key


def _derive_full(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any], key: Any) -> Facts:
    facts["gem"] = facts["ruby"] * tiles["fire"][key] + facts["sapphire"] * tiles["ice"][key]
    boss, last = spec.block_index["necromancer_vulnerable"], len(spec.floors) - 1
    facts["boss_fights"] = (facts["block"] != boss) | facts["occupied"] | (facts["floor"] == last)
    dark, item = facts["block_4"] == DARK, facts["item_4"]
    facts["on_ladder_down"] = (item == 2) | (dark & facts["ladder_open"])
    facts["on_ladder_up"] = (item == 3) | dark
    pieces = [facts[f"armour_{piece}"] for piece in range(len(spec.armour))]
    for tier in range(1, len(spec.armour_tiers)):
        facts[f"below_armour_{tier}"] = sum([piece < tier for piece in pieces])
    facts["armour"] = sum(pieces)
    shots = spec.slots[-1]
    facts["free_shots"] = shots - sum([facts[f"shot_{slot}"] for slot in range(shots)])
    # Being on a floor whose achievement is unset pays it, and a point, before the step does anything else.
    for number, floor in enumerate(spec.floors):
        if floor.achievement:
            facts["experience"] = facts["experience"] + ((facts["floor"] == number) > facts[floor.achievement])
    return facts


class _Columns:
    """Where the numbers behind the facts lie in a packed row."""

    def __init__(self, spec: GameSpec) -> None:
        self.dtype = row_dtype(spec)
        self._found: list[tuple[int, str, str]] = []  # offset, format, name
        self.places: dict[str, tuple[str, int]] = {}  # name -> field, index within it
        self._list(spec)
        self._found.sort()
        self.names = [name for _, _, name in self._found]

    def _list(self, spec: GameSpec) -> None:
        self._add("direction", ("direction",))
        self._add("materials", spec.materials)
        self._add("vitals", _VITALS)
        self._add("health", ("health",))
        self._add("sleeping", ("sleeping",))
        self._add("resting", ("resting",))
        rows, columns = spec.window
        corner = (rows // 2 - 1) * columns + columns // 2 - 1
        around = [corner + row * columns + column for row in range(3) for column in range(3)]
        self._add("blocks", [f"block_{cell}" for cell in range(9)], around)
        width = len(THING_FIELDS)
        creatures = range(sum(spec.slots[:_CREATURES]))
        at_row = THING_FIELDS.index("row")
        self._add("things", [f"creature_{n}" for n in creatures], [n * width + at_row for n in creatures], "h")
        keys = spec.achievement_keys
        if spec.key == "classic":
            self._add("achievements", ("collect_sapling",), (keys.index("collect_sapling"),))
            return
        self._add("items", [f"item_{cell}" for cell in range(9)], around)
        self._add("mana", ("mana",))
        self._add("attributes", ATTRIBUTES)
        self._add("floor", ("floor",))
        self._add("potions", spec.potions)
        self._add("armour", [f"armour_{piece}" for piece in range(len(spec.armour))])
        self._add("spells", spec.spells)
        self._add("ladder_open", ("ladder_open",))
        first = sum(spec.slots[:-1])
        shots = range(spec.slots[-1])
        self._add("things", [f"shot_{n}" for n in shots], [(first + n) * width for n in shots])
        entries = [floor.achievement for floor in spec.floors if floor.achievement]
        self._add("achievements", entries, [keys.index(entry) for entry in entries])

    def _add(self, field: str, names: Any, indices: Any = None, code: str = "") -> None:
        dtype, offset = self.dtype.fields[field][:2]  # type: ignore[index]
        code = code or {"i4": "i", "f4": "f", "u1": "B", "i1": "b"}[dtype.base.str[1:]]
        for name, index in zip(names, range(len(names)) if indices is None else indices, strict=True):
            self._found.append((offset + index * dtype.base.itemsize, code, name))
            self.places[name] = field, index

    @cached_property
    def unpack(self) -> Any:
        """Bytes of a row -> the numbers, in the order of `names`."""
        text, end = "<", 0
        for offset, code, _ in self._found:
            text += f"{offset - end}x{code}"
            end = offset + struct.calcsize("<" + code)
        return struct.Struct(text).unpack_from

    def read(self, rows: NDArray[np.void]) -> Facts:
        """Rows `[B]` -> name to array `[B]`, int32 (`health`: float32)."""
        raw = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1)
        facts = {}
        for offset, code, name in self._found:
            column = raw[:, offset : offset + struct.calcsize("<" + code)].view("<" + code)[:, 0]
            facts[name] = column if code in "if" else column.astype(np.int32)
        return facts


@lru_cache
def _columns(spec: GameSpec) -> _Columns:
    return _Columns(spec)


@lru_cache
def _faced_codes(spec: GameSpec) -> tuple[int, ...]:
    """Heading number -> the faced tile's window row and column, as one little-endian int16."""
    rows, columns = spec.window
    return tuple([rows // 2 + row + 256 * (columns // 2 + column) for row, column in OFFSETS])


@lru_cache
def _tools(spec: GameSpec) -> list[str]:
    return sorted({harvest.tool for harvest in spec.harvests if harvest.tool})


@lru_cache
def _tile_arrays(spec: GameSpec) -> dict[str, NDArray[np.int32]]:
    """Per fact of a tile, its value by block number `+ _ITEM + _MOB`; dark tiles are whatever helps."""
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
def _tile_lists(spec: GameSpec) -> dict[str, list[int]]:
    return {name: values.tolist() for name, values in _tile_arrays(spec).items()}
