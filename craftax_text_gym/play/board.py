"""The map in colour for a terminal: a picture of half blocks if it fits, else one coloured character per tile."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rich.color import Color
from rich.style import Style
from rich.text import Text

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.rendering import frames
from craftax_text_gym.text import TextFormat
from craftax_text_gym.text.sections.map import Map
from craftax_text_gym.text.symbols import PLAYER

PIXELS = (8, 6)
"""The sizes of a tile in pixels, the preferred first; a character shows two pixels, one above the other."""

SYMBOL_WIDTH = 3
"""The width in characters of a tile that is drawn as a character."""

_TILE_SIZE = 16
_POSES = {"left": "◀", "right": "▶", "up": "▲", "down": "▼"}
_ASLEEP = "z"
_HALF_BLOCK = "▀"
_WHITE = (255, 255, 255)
_BRIGHT, _SOFT = 1.0, 0.35
"""The contrast of characters with their tile: for things, and for terrain."""

Pixels = NDArray[np.uint8]


def draw(scene: Scene, columns: int, rows: int, *, symbols_only: bool = False) -> Text:
    """Draw the window around the player.

    Args:
        scene: The scene.
        columns: The available width in characters.
        rows: The available height in rows.
        symbols_only: Whether to draw characters even if the picture fits.

    Returns:
        Coloured lines. The smallest drawing may exceed the available space.
    """
    down, across = scene.spec.window
    for pixels in () if symbols_only else PIXELS:
        if across * pixels <= columns and down * pixels <= 2 * rows:
            return _picture(scene, pixels)
    return _symbols(scene)


def _window(scene: Scene) -> Pixels:
    """uint8 `[height, width, 3]`: the game's picture without the inventory."""
    return frames.render(scene, _TILE_SIZE)[: scene.spec.window[0] * _TILE_SIZE]


def _picture(scene: Scene, pixels: int) -> Text:
    down, across = scene.spec.window
    shrunk = Image.fromarray(_window(scene)).resize((across * pixels, down * pixels), Image.Resampling.BOX)
    pairs = np.asarray(shrunk).reshape(-1, 2, across * pixels, 3).swapaxes(1, 2).tolist()
    lines = [[(_HALF_BLOCK, tuple(upper), tuple(lower)) for upper, lower in row] for row in pairs]
    row, column = down // 2 * pixels // 2 + pixels // 4, across // 2 * pixels + pixels // 2
    lines[row][column] = (_pose(scene), _WHITE, lines[row][column][2])  # so few pixels do not show the direction
    return _lines(lines)


def _symbols(scene: Scene) -> Text:
    down, across = scene.spec.window
    tiles = _window(scene).reshape(down, _TILE_SIZE, across, _TILE_SIZE, 3).mean((1, 3))
    lines = []
    for symbols, colours in zip(_grid(scene), tiles.astype(int).tolist(), strict=True):
        line = []
        for symbol, colour in zip(symbols, colours, strict=True):
            strength = _SOFT if symbol in _terrain(scene.spec) else _BRIGHT
            shown = _pose(scene) if symbol == PLAYER else symbol
            line.append((shown.center(SYMBOL_WIDTH), _ink(colour, strength), tuple(colour)))
        lines.append(line)
    return _lines(lines)


def _grid(scene: Scene) -> tuple[str, ...]:
    """The map characters of the text, row by row."""
    data = _mapper(scene.spec).data(Moment(scene, scene.action_mask))
    rows: tuple[str, ...] = () if data is None else data["rows"]
    return rows


@lru_cache
def _mapper(spec: GameSpec) -> Map:
    return Map(spec, TextFormat(map="grid"))


@lru_cache
def _terrain(spec: GameSpec) -> frozenset[str]:
    return frozenset(block.symbol for block in spec.blocks if block.terrain)


def _pose(scene: Scene) -> str:
    return _ASLEEP if scene.sleeping else _POSES[scene.direction]


def _ink(paper: list[int], strength: float) -> tuple[int, ...]:
    """A colour that contrasts with another: towards white on dark colours, towards black on bright ones."""
    target = 255 if sum(paper) < 3 * 140 else 0
    return tuple(round(value + strength * (target - value)) for value in paper)


def _lines(lines: list[list[tuple[str, tuple[int, ...], tuple[int, ...]]]]) -> Text:
    """Join coloured characters into text, with runs of equal colours as one span."""
    text = Text(no_wrap=True, end="")
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        run, style = "", None
        for characters, ink, paper in line:
            if (ink, paper) != style and style is not None:
                text.append(run, _style(*style))
                run = ""
            run, style = run + characters, (ink, paper)
        if style is not None:
            text.append(run, _style(*style))
    return text


@lru_cache(16_384)
def _style(ink: tuple[int, ...], paper: tuple[int, ...]) -> Style:
    return Style(color=Color.from_rgb(*ink), bgcolor=Color.from_rgb(*paper))
