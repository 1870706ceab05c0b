"""The facts that decide whether an action is available: entries of the packed row, parameters, and derived values.

A *fact* is a number: on the host a plain Python number, in traced code a scalar array. Plain numbers are four times as
fast as arrays of one element. Whatever the player cannot see counts as favourable.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from craftax_text_gym.availability import tiles
from craftax_text_gym.availability.derived import CREATURES, formulas
from craftax_text_gym.games.shared import ATTRIBUTES
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import THING_FIELDS, row_dtype

_RULES = ("max_attribute", "god_mode")
_CODES = {"i4": "i", "f4": "f", "u1": "B", "i1": "b"}


class Facts(dict[str, Any]):
    """The facts of one game; derived facts are computed on first access."""

    def __init__(self, spec: GameSpec, given: Mapping[str, Any]) -> None:
        """Start from the inputs.

        Args:
            spec: The game.
            given: The values of `places(spec)`, of `rules(spec)`, and the tables of `tiles`.
        """
        super().__init__(given)
        self._formulas = formulas(spec)

    def __missing__(self, fact: str) -> Any:
        sources, compute = self._formulas[fact]
        value = self[fact] = compute(*[self[source] for source in sources])
        return value


class Place(NamedTuple):
    """Where a fact lies in a packed row.

    Attributes:
        field: The field of `layout.row_dtype`.
        offset: The place within it, flattened.
    """

    field: str
    offset: int


def rules(spec: GameSpec) -> tuple[str, ...]:
    """The fields of Craftax's `EnvParams` that change what can be done.

    Args:
        spec: The game.

    Returns:
        Their names, each of which is a fact.
    """
    return tuple([param.name for param in spec.params if param.name in _RULES])


def of_row(spec: GameSpec, data: bytes, params: Mapping[str, Any]) -> Facts:
    """The facts of one game on the host.

    Args:
        spec: The game.
        data: The bytes of a packed row.
        params: The fields of Craftax's `EnvParams` that differ from its own.

    Returns:
        Fact -> number.
    """
    names = places(spec)
    given = dict(zip(names, unpacking(spec, names)(data), strict=True))
    chosen = {param.name: params.get(param.name, param.default) for param in spec.params if param.name in _RULES}
    return Facts(spec, given | chosen | tiles.lists(spec))


def of_fields(spec: GameSpec, fields: Mapping[str, Any], params: Mapping[str, Any], xp: Any) -> Facts:
    """The facts of one game as arrays.

    Args:
        spec: The game.
        fields: Field of `layout.row_dtype(spec)` -> array.
        params: The values of `rules(spec)`.
        xp: The arrays' own NumPy: `numpy`, or `jax.numpy` in traced code.

    Returns:
        Fact -> scalar array.
    """
    given = {}
    for name, (field, index) in places(spec).items():
        value = xp.asarray(fields[field]).ravel()[index]
        given[name] = value if name == "health" else value.astype(np.int32)
    given |= {name: xp.asarray(params[name]) for name in rules(spec)}
    return Facts(spec, given | {name: xp.asarray(table) for name, table in tiles.tables(spec).items()})


def unpacking(spec: GameSpec, facts: Iterable[str]) -> Callable[[bytes], tuple[Any, ...]]:
    """A fast reader of some facts.

    Args:
        spec: The game.
        facts: Some of `places(spec)`.

    Returns:
        The bytes of a packed row -> the facts' values, in the order of the row.
    """
    return _unpacking(spec, frozenset(facts))


@lru_cache(1024)
def _unpacking(spec: GameSpec, facts: frozenset[str]) -> Callable[[bytes], tuple[Any, ...]]:
    text, end, dtype = "<", 0, row_dtype(spec)
    for name, (field, index) in places(spec).items():
        if name in facts:
            base, start = dtype[field].base, dtype.fields[field][1]  # type: ignore[index]
            offset = start + index * base.itemsize
            text += f"{offset - end}x{_CODES[base.str[1:]]}"
            end = offset + base.itemsize
    return struct.Struct(text).unpack_from


@lru_cache
def places(spec: GameSpec) -> dict[str, Place]:
    """The location of each input fact in a packed row.

    Args:
        spec: The game.

    Returns:
        Fact -> its place, in the order of the row.
    """
    names = row_dtype(spec).names or ()
    found = sorted(_list_places(spec), key=lambda entry: (names.index(entry[1].field), entry[1].offset))
    return dict(found)


def _list_places(spec: GameSpec) -> list[tuple[str, Place]]:
    rows, columns = spec.window
    corner = (rows // 2 - 1) * columns + columns // 2 - 1
    around = [corner + row * columns + column for row in range(3) for column in range(3)]
    found = [
        *_name("direction", ["direction"]),
        *_name("materials", spec.materials),
        *_name("vitals", ("food", "drink", "energy")),
        *_name("health", ["health"]),
        *_name("sleeping", ["sleeping"]),
        *_name("resting", ["resting"]),
        *_name("blocks", [f"block_{cell}" for cell in range(9)], around),
        *_things(range(sum(spec.slots[:CREATURES])), "creature_{}_row", "row"),
        *_things(range(sum(spec.slots[:CREATURES])), "creature_{}_column", "column"),
    ]
    if spec.key == "classic":
        return found + _achievements(spec, ["collect_sapling"])
    first = sum(spec.slots[:-1])
    return [
        *found,
        *_name("items", [f"item_{cell}" for cell in range(9)], around),
        *_name("mana", ["mana"]),
        *_name("attributes", ("points", *ATTRIBUTES[1:])),
        *_name("floor", ["floor"]),
        *_name("potions", spec.potions),
        *_name("armour", [f"armour_{piece}" for piece in range(len(spec.armour))]),
        *_name("spells", spec.spells),
        *_name("ladder_open", ["ladder_open"]),
        *_things(range(first, first + spec.slots[-1]), "shot_{}", "present"),
        *_achievements(spec, [floor.achievement for floor in spec.floors if floor.achievement]),
    ]


def _name(field: str, names: Sequence[str], indices: Sequence[int] | None = None) -> list[tuple[str, Place]]:
    chosen = range(len(names)) if indices is None else indices
    return [(name, Place(field, index)) for name, index in zip(names, chosen, strict=True)]


def _things(slots: range, name: str, column: str) -> list[tuple[str, Place]]:
    """A column of the field `things`, for some of its slots, which are numbered from 0."""
    names = [name.format(number) for number in range(len(slots))]
    return _name("things", names, [slot * len(THING_FIELDS) + THING_FIELDS.index(column) for slot in slots])


def _achievements(spec: GameSpec, keys: Sequence[str]) -> list[tuple[str, Place]]:
    return _name("achievements", keys, [spec.achievement_keys.index(key) for key in keys])
