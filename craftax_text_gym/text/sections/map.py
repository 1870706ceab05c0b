"""What is in view, as a grid of characters with a legend."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import DARK
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.schema_parts import Schema, array_of, object_of
from craftax_text_gym.text.section import Body
from craftax_text_gym.text.symbols import DARK_SYMBOL, OWN_PROJECTILE, PLAYER, PROJECTILE, symbols


def _dense(rows: tuple[str, ...]) -> tuple[str, ...]:
    return rows


def _spaced(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([" ".join(row) for row in rows])


def _labelled(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Rows and columns by their offset from the player, negative above and left."""
    half_rows, half_columns = len(rows) // 2, len(rows[0]) // 2
    head = "".join([f"{right:3}" for right in range(-half_columns, half_columns + 1)])
    lines = [f"{down:2}{''.join([f'{tile:>3}' for tile in row])}" for down, row in enumerate(rows, -half_rows)]
    return (f"  {head}", *lines)


_SETTINGS: dict[str, Callable[[tuple[str, ...]], tuple[str, ...]]] = {
    "dense": _dense,
    "spaced": _spaced,
    "labelled": _labelled,
}
"""`TextFormat.grid` -> how the grid's rows are set."""


class Map:
    """The window as a grid: row above row, the player in the middle; on each tile the uppermost thing."""

    title = "Map"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        rows, columns = spec.window
        self._shown = text_format.map in ("both", "grid")
        self._terse = text_format.terse
        self._set = _SETTINGS[text_format.grid]
        self._has_legend = text_format.legend
        self._columns = columns
        self._centre = rows * columns // 2
        self._full = spec.key == "full"
        table = {index: block.symbol for index, block in enumerate(spec.blocks)} | {DARK: DARK_SYMBOL}
        self._table = bytes(ord(table.get(code, DARK_SYMBOL)) for code in range(256))
        self._items = [ord(item.symbol) for item in spec.items]
        self._no_items = bytes(rows * columns)
        self._symbols = symbols(spec)
        self._legend = lru_cache(4096)(self._write_legend)
        self._body = lru_cache(2048)(self._write_body)

    def body(self, moment: Moment) -> Body | None:
        """The section in words."""
        if not self._shown:
            return None
        return self._body(self._grid(moment.scene))

    def data(self, moment: Moment) -> dict[str, Any] | None:
        """The section as JSON values."""
        if not self._shown:
            return None
        grid = self._grid(moment.scene)
        data: dict[str, Any] = {"rows": self._set(self._cut(grid))}
        if self._has_legend:
            data["legend"] = {symbol: words for symbol, words in self._symbols.items() if symbol in grid}
        return data

    def schema(self) -> Schema:
        """The JSON Schema of its data."""
        if not self._shown:
            return {"type": "null"}
        rows = self._set(self._cut("." * len(self._no_items)))
        row = {"type": "string", "minLength": len(rows[0]), "maxLength": len(rows[0])}
        grid = array_of(row, "The grid, the player in its middle.")
        data = {"rows": {**grid, "minItems": len(rows), "maxItems": len(rows)}}
        if self._has_legend:
            data["legend"] = {
                "type": "object",
                "properties": {symbol: {"const": words} for symbol, words in self._symbols.items()},
                "additionalProperties": False,
                "description": "The words for the characters of the grid, those in view and no others.",
            }
        return object_of(**data)

    def _write_body(self, grid: str) -> Body:
        return Body([self._legend(frozenset(grid))] if self._has_legend else [], self._set(self._cut(grid)))

    def _cut(self, grid: str) -> tuple[str, ...]:
        columns = self._columns
        return tuple([grid[start : start + columns] for start in range(0, len(grid), columns)])

    def _grid(self, scene: Scene) -> str:
        grid = bytearray(scene.field("blocks").translate(self._table))
        if self._full:
            items = scene.field("items")
            if items != self._no_items:
                for index, item in enumerate(items):
                    if item:
                        grid[index] = self._items[item]
        # Creatures last: of several things on a tile, the one that can be struck is drawn.
        for seen in reversed(scene.things):
            symbol = seen.mob.symbol if seen.mob else OWN_PROJECTILE if seen.owner == "player" else PROJECTILE
            grid[self._centre + seen.down * self._columns + seen.right] = ord(symbol)
        grid[self._centre] = ord(PLAYER)
        return grid.decode()

    def _write_legend(self, seen: frozenset[str]) -> str:
        shown = [(symbol, words) for symbol, words in self._symbols.items() if symbol in seen]
        if self._terse:
            return ", ".join([f"{symbol}{words}" for symbol, words in shown if symbol != PLAYER])
        return ", ".join([f"{symbol} {words}" for symbol, words in shown])
