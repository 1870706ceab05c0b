"""Words that several sections share: offsets, tiles, numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import DARK
from craftax_text_gym.observation.scene import Scene, Thing
from craftax_text_gym.utils.words import number

DARKNESS = "darkness"
"""The label of a tile on which the player sees nothing."""

HERE = "here"
"""The offset of the player's own tile."""


class Directions(NamedTuple):
    """The words for the four directions."""

    up: str
    down: str
    left: str
    right: str


DIRECTIONS = {"up": Directions("up", "down", "left", "right"), "north": Directions("north", "south", "west", "east")}
"""The words by `TextFormat.directions`."""


def _columns(first: int, last: int, words: Directions) -> str:
    """The columns from `first` to `last`: `2 left`, `1-3 right`, `2 left to 1 right`; empty for column 0."""
    if first == last:
        return f"{abs(first)} {words.right if first > 0 else words.left}" if first else ""
    if first >= 0:
        return f"{first}-{last} {words.right}"
    if last <= 0:
        return f"{-last}-{-first} {words.left}"
    return f"{-first} {words.left} to {last} {words.right}"


@lru_cache(16_384)
def offset(down: int, right: int, words: Directions, last: int | None = None) -> str:
    """Where something is, relative to the player.

    Args:
        down: Rows below the player (negative: above).
        right: Columns right of the player (negative: left).
        words: The words for the directions.
        last: The last column of a run of tiles that starts at `right`; by default a single tile.

    Returns:
        For example `"2 up 1 left"`, `"3 down 1-4 right"`, `"here"`.
    """
    rows = f"{abs(down)} {words.down if down > 0 else words.up} " if down else ""
    return (rows + _columns(right, right if last is None else last, words)).strip() or HERE


def block_label(spec: GameSpec, block: int) -> str:
    """The words for a block number of the packed row."""
    return DARKNESS if block == DARK else spec.blocks[block].label


def thing(seen: Thing, words: Directions) -> str:
    """The words for a creature or projectile: `"cow"`, `"your arrow flying up"`, `"zombie (health 3)"`."""
    label = f"your {seen.label}" if seen.owner == "player" else seen.label
    if seen.heading:
        label += f" flying {getattr(words, seen.heading)}"
    if seen.health is not None:
        label += f" (health {number(seen.health)})"
    return label


@lru_cache(4096)
def ground(spec: GameSpec, block: int, item: int) -> str:
    """The words for a tile without the things on it, by the numbers of block and item: `"torch on path"`."""
    label = block_label(spec, block)
    return f"{spec.items[item].label} on {label}" if item else label


def tile_at(scene: Scene, offset: tuple[int, int], words: Directions) -> str:
    """The words for a tile of the window, from top to bottom: `"cow on torch on path"`."""
    bare = ground(scene.spec, *scene.codes(*offset))
    if not scene.things:
        return bare
    here = [thing(seen, words) for seen in scene.things if (seen.down, seen.right) == offset]
    return f"{' + '.join(here)} on {bare}" if here else bare
