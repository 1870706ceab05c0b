"""Fast access to the bytes of a packed row, on which `Scene` builds. No JAX, no Craftax."""

from __future__ import annotations

import math
import struct
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import DARK, HIDDEN, SHORT_GROUPS, group_bytes, row_dtype, row_groups


class _Reader:
    """The offsets of a game's fields in a packed row."""

    def __init__(self, spec: GameSpec) -> None:
        self.dtype = row_dtype(spec)
        fields = [(name, *self.dtype.fields[name][:2]) for name in self.dtype.names or ()]  # type: ignore[index]
        codes, self.at = "", {}
        for name, dtype, shape in [field for group in SHORT_GROUPS for field in row_groups(spec)[group]]:
            size = math.prod(shape)
            self.at[name] = slice(len(codes), len(codes) + size) if shape else len(codes)
            codes += np.dtype(dtype).kind * size
        self.short = group_bytes(spec, *SHORT_GROUPS).start
        self.person = group_bytes(spec, "body", "belongings")
        self.body = group_bytes(spec, "body")
        self.belongings = group_bytes(spec, "belongings")
        self.place = group_bytes(spec, "place")
        self.states = group_bytes(spec, "states")
        self.is_full = spec.key == "full"
        self.progress_flags = group_bytes(spec, "progress_flags")
        self.unpack = struct.Struct("<" + codes).unpack_from
        self.bytes_at = {name: slice(start, start + dtype.itemsize) for name, dtype, start in fields}
        rows, columns = spec.window
        self.centre, self.columns = rows * columns // 2, columns
        self.half_rows, self.half_columns = rows // 2, columns // 2
        self.blocks_start = self.bytes_at["blocks"].start
        beside = [self.blocks_start + self.centre + row * columns for row in (-1, 0, 1)]
        self.around = tuple([slice(place - 1, place + 2) for place in beside])
        self.items_start = self.bytes_at["items"].start if "items" in self.bytes_at else 0
        self.mask_start = self.bytes_at["action_mask"].start
        self.no_ages = HIDDEN.to_bytes(4, "little", signed=True) * (rows * columns)
        self.labels: dict[int, str | None] = {index: block.label for index, block in enumerate(spec.blocks)}
        self.labels[DARK] = None
        self.item_labels = [item.label if index else None for index, item in enumerate(spec.items)]


@lru_cache
def _reader(spec: GameSpec) -> _Reader:
    return _Reader(spec)


class Row:
    """A packed row. Rows are equal if their bytes are.

    Attributes:
        spec: The game.
        data: The row's bytes, laid out as `layout.row_dtype(spec)`.
        is_full: Whether this is the full game.
        states: The flags `dead`, `boss_defeated`, `sleeping`, `resting`.
    """

    __slots__ = ("_at", "_read", "_values", "data", "is_full", "spec", "states")

    def __init__(self, spec: GameSpec, data: bytes) -> None:
        """Wrap a packed row.

        Args:
            spec: The game.
            data: The row's bytes.
        """
        self.spec = spec
        self.data = data
        self._read = _reader(spec)
        self._at: dict[str, Any] = self._read.at
        self._values = self._read.unpack(data, self._read.short)
        self.is_full = self._read.is_full
        self.states = data[self._read.states]

    def __reduce__(self) -> tuple[type[Row], tuple[GameSpec, bytes]]:
        return type(self), (self.spec, self.data)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.spec is other.spec and self.data == other.data

    def __hash__(self) -> int:
        return hash((self.spec.key, self.data))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.spec.key}, timestep {self._number('timestep')})"

    @property
    def rows(self) -> NDArray[np.void]:
        """The packed row as a structured array `[1]`, read-only."""
        return np.frombuffer(self.data, self._read.dtype)

    @property
    def row(self) -> np.void:
        """The packed row as a structured scalar, read-only."""
        row: np.void = self.rows[0]
        return row

    @property
    def person(self) -> bytes:
        """The bytes of the groups `body` and `belongings`: equal bytes mean equal numbers."""
        return self.data[self._read.person]

    def field(self, name: str) -> bytes:
        """The bytes of a field, for hot paths."""
        return self.data[self._read.bytes_at[name]]

    def start(self, name: str) -> int:
        """The offset of a field in `data`."""
        start: int = self._read.bytes_at[name].start
        return start

    @property
    def body(self) -> bytes:
        """The bytes of the vitals and attributes."""
        return self.data[self._read.body]

    @property
    def belongings(self) -> bytes:
        """The bytes of everything carried and worn."""
        return self.data[self._read.belongings]

    @property
    def place(self) -> bytes:
        """The bytes of `floor` and `kills`; empty in Classic."""
        return self.data[self._read.place]

    @property
    def progress_flags(self) -> bytes:
        """The bytes of `spells`, `ladder_open` and `boss_vulnerable`; empty in Classic."""
        return self.data[self._read.progress_flags]

    def allows(self, action: int) -> bool:
        """Whether an action is available."""
        return bool(self.data[self._read.mask_start + action])

    def codes(self, down: int, right: int) -> tuple[int, int]:
        """The block and item numbers of a tile of the window; no bounds check, for hot paths."""
        read = self._read
        index = read.centre + down * read.columns + right
        return self.data[read.blocks_start + index], self.data[read.items_start + index] if read.items_start else 0

    @property
    def around(self) -> bytes:
        """The block numbers of the nine tiles around the player, row by row."""
        above, beside, below = self._read.around
        return self.data[above] + self.data[beside] + self.data[below]

    def _number(self, name: str) -> int:
        number: int = self._values[self._at[name]]
        return number

    def numbers(self, name: str) -> tuple[int, ...]:
        """The values of a 4-byte field with several entries; empty if the game lacks the field."""
        numbers: tuple[int, ...] = self._values[self._at[name]] if name in self._at else ()
        return numbers

    def _flag(self, name: str) -> bool:
        return bool(self.data[self._read.bytes_at[name].start])
