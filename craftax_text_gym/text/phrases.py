"""Words that several sections share: offsets, tiles, numbers."""

from __future__ import annotations

from functools import lru_cache

from craftax_text_gym.engine.layout import DARK
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.scene import Thing, Tile

DARKNESS = "darkness"
"""What a tile is called on which the player sees nothing."""

HERE = "here"
"""The offset of the player's own tile."""


def rows_away(down: int) -> str:
    """`"2 up"`, `"1 down"`, or `""` for the player's own row."""
    return f"{abs(down)} {'down' if down > 0 else 'up'}" if down else ""


def columns_away(first: int, last: int) -> str:
    """The columns from `first` to `last`: `"2 left"`, `"1-3 right"`, `"2 left to 1 right"`, or `""` for the own one."""
    if first == last:
        return f"{abs(first)} {'right' if first > 0 else 'left'}" if first else ""
    if first >= 0:
        return f"{first}-{last} right"
    if last <= 0:
        return f"{-last}-{-first} left"
    return f"{-first} left to {last} right"


@lru_cache(4096)
def offset(down: int, right: int, last: int | None = None) -> str:
    """Where something is, seen from the player, in the words of the actions.

    Args:
        down: Rows below the player (negative: above).
        right: Columns right of the player (negative: left).
        last: The last column of a stretch that begins at `right`; by default there is only one tile.

    Returns:
        Such as `"2 up 1 left"`, `"3 down 1-4 right"`, `"here"`.
    """
    words = f"{rows_away(down)} {columns_away(right, right if last is None else last)}".strip()
    return words or HERE


def block_label(spec: GameSpec, block: int) -> str:
    """The words for a block number as the packed view has it."""
    return DARKNESS if block == DARK else spec.blocks[block].label


def thing(seen: Thing) -> str:
    """The words for a creature or projectile: `"cow"`, `"your arrow flying up"`, `"zombie (health 3)"`."""
    words = f"your {seen.label}" if seen.owner == "player" else seen.label
    if seen.heading:
        words += f" flying {seen.heading}"
    if seen.health is not None:
        words += f" (health {number(seen.health)})"
    return words


def tile(seen: Tile) -> str:
    """The words for a tile, from top to bottom: `"cow on torch on path"`."""
    layers = [" + ".join(thing(one) for one in seen.things), seen.item or "", seen.block or DARKNESS]
    return " on ".join(layer for layer in layers if layer)


def number(value: float) -> str:
    """A number with at most two decimals: `"9"`, `"0.4"`; never `"0"` for what is above zero."""
    if value == int(value):
        return str(int(value))
    return "0.01" if 0 < value < 0.01 else f"{value:.2f}".rstrip("0").rstrip(".")
