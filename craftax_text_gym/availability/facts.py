"""What decides whether an action can be done, read from packed rows: one formula for one game and for a batch.

A *fact* is a number: for one game a plain Python number, for a batch an array `[B]`. Every formula here is written in
operators that mean the same for both, so that the rules are stated once: plain numbers are four times as fast as
arrays of one element. Whatever the player cannot see counts as favourable.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.availability.derived import ADDERS, CREATURES, OF_FACED_TILE, Adder, tile_arrays, tile_lists
from craftax_text_gym.games.shared import ATTRIBUTES
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import THING_FIELDS, row_dtype

Facts = dict[str, Any]
"""Fact -> int, or int array `[B]` (`health`: float)."""

_VITALS = ("food", "drink", "energy")


def of_game(spec: GameSpec, data: bytes) -> Facts:
    """The facts of one game.

    Args:
        spec: The game.
        data: The bytes of a packed row.

    Returns:
        Fact -> number.
    """
    return _derive(spec, _read(spec, data), tile_lists(spec))


def on_demand(spec: GameSpec, data: bytes) -> OnDemand:
    """The facts of one game for who needs few of them: those that are derived appear when they are first asked for.

    Args:
        spec: The game.
        data: The bytes of a packed row.

    Returns:
        Fact -> number, for reading by `[]` only.
    """
    return OnDemand(spec, data)


def of_batch(spec: GameSpec, rows: NDArray[np.void]) -> Facts:
    """The facts of a batch of games.

    Args:
        spec: The game.
        rows: `[B]` of `engine.layout.row_dtype(spec)`.

    Returns:
        Fact -> array `[B]`.
    """
    return _derive(spec, _columns(spec).read(rows), tile_arrays(spec))


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
    return _derive(spec, facts, {name: xp.asarray(values) for name, values in tile_arrays(spec).items()})


class OnDemand(dict[str, Any]):
    """Facts of one game; one that is missing is derived, with those that are derived beside it."""

    def __init__(self, spec: GameSpec, data: bytes) -> None:
        """Read the numbers.

        Args:
            spec: The game.
            data: The bytes of a packed row.
        """
        self._spec = spec
        self._columns = _columns(spec)
        self._numbers: tuple[Any, ...] = self._columns.unpack(data)

    def __missing__(self, fact: str) -> Any:
        at = self._columns.index.get(fact)
        if at is not None:
            return self._numbers[at]
        _derivations(self._spec)[fact].add(self._spec, self, tile_lists(self._spec))
        return self[fact]


class Sources(NamedTuple):
    """What some facts of one game come from: where it is equal, so are they.

    Attributes:
        read: The bytes of a packed row -> the numbers behind the facts, but for those of the faced tile.
        face: Whether a fact is of the faced tile.
    """

    read: Callable[[bytes], tuple[Any, ...]]
    face: bool


def sources(spec: GameSpec, facts: Iterable[str]) -> Sources:
    """What facts come from.

    Args:
        spec: The game.
        facts: The facts.

    Returns:
        Their sources.
    """
    behind = frozenset[str]().union(*[_behind(spec, fact) for fact in facts])
    columns = _columns(spec)
    return Sources(
        columns.unpacking([columns.index[name] for name in behind - OF_FACED_TILE]),
        not behind.isdisjoint(OF_FACED_TILE),
    )


def _behind(spec: GameSpec, fact: str) -> frozenset[str]:
    """The facts that one is derived from: those that are read, and those of the faced tile."""
    if fact in OF_FACED_TILE or fact in _columns(spec).index:
        return frozenset((fact,))
    return frozenset[str]().union(*[_behind(spec, source) for source in _derivations(spec)[fact].sources])


def _read(spec: GameSpec, data: bytes) -> Facts:
    """The numbers behind the facts of one game."""
    columns = _columns(spec)
    return dict(zip(columns.names, columns.unpack(data), strict=True))


def _derive(spec: GameSpec, facts: Facts, tiles: Mapping[str, Any]) -> Facts:
    for add in ADDERS[spec.key]:
        add(spec, facts, tiles)
    return facts


class _Derivation(NamedTuple):
    """How a fact is derived: what adds it, and from which others."""

    add: Adder
    sources: frozenset[str]


class _Recorded(dict[str, Any]):
    """Facts that remember which of them were read."""

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self.read: set[str] = set()

    def __getitem__(self, fact: str) -> Any:
        self.read.add(fact)
        return super().__getitem__(fact)


@lru_cache
def _derivations(spec: GameSpec) -> dict[str, _Derivation]:
    """By derived fact; no formula has branches, so that any row shows what it reads."""
    facts, derivations = _Recorded(_read(spec, bytes(row_dtype(spec).itemsize))), dict[str, _Derivation]()
    for add in ADDERS[spec.key]:
        known = set(facts)
        facts.read.clear()
        add(spec, facts, tile_lists(spec))
        added = facts.keys() - known
        derivations |= dict.fromkeys(added, _Derivation(add, frozenset(facts.read - added)))
    return derivations


class _Columns:
    """Where the numbers behind the facts lie in a packed row."""

    def __init__(self, spec: GameSpec) -> None:
        self.dtype = row_dtype(spec)
        self._found: list[tuple[int, str, str]] = []  # offset, format, name
        self.places: dict[str, tuple[str, int]] = {}  # name -> field, index within it
        self._list(spec)
        self._found.sort()
        self.names = [name for _, _, name in self._found]
        self.index = {name: number for number, name in enumerate(self.names)}

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
        creatures = range(sum(spec.slots[:CREATURES]))
        at_row = THING_FIELDS.index("row")
        self._add("things", [f"creature_{n}" for n in creatures], [n * width + at_row for n in creatures], "h")
        keys = spec.achievement_keys
        if spec.key == "classic":
            self._add("achievements", ("collect_sapling",), (keys.index("collect_sapling"),))
            return
        self._add("items", [f"item_{cell}" for cell in range(9)], around)
        self._add("mana", ("mana",))
        self._add("attributes", ("points", *ATTRIBUTES[1:]))
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
        return self.unpacking(range(len(self._found)))

    def unpacking(self, places: Iterable[int]) -> Callable[[bytes], tuple[Any, ...]]:
        """Bytes of a row -> the numbers at some places, in their order."""
        text, end = "<", 0
        for offset, code, _ in [self._found[place] for place in sorted(places)]:
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
