"""The pictures of many scenes as one sheet of tiles, and the tile numbers of each scene.

A picture is a grid of tiles. Without darkness, night and sleep, which the page adds back, there are few different
tiles, so successive pictures compress well.
"""

from __future__ import annotations

import base64
import io
import struct

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.rendering import frames

SHEET_COLUMNS = 32
"""The number of tiles per row of the sheet."""


def in_full_light(scene: Scene) -> Scene:
    """The same scene by day and fully lit, with a sleeping player's pose but no dimming.

    Args:
        scene: The scene.

    Returns:
        A scene whose picture shows no darkness, night or sleep, except for unseen tiles.
    """
    data = bytearray(scene.data)

    def put(name: str, value: bytes) -> None:
        data[scene.start(name) : scene.start(name) + len(value)] = value

    put("daylight", struct.pack("<f", 1))
    if scene.is_full:
        put("light", np.ones(scene.spec.window, "<f4").tobytes())
    if scene.sleeping:
        put("sleeping", b"\0")
        put("direction", struct.pack("<i", 0))
    return Scene(scene.spec, bytes(data))


class TileSheet:
    """Collects the distinct tiles of pictures.

    Attributes:
        tile_size: Width and height of a tile in pixels.
    """

    def __init__(self, tile_size: int) -> None:
        """Start empty.

        Args:
            tile_size: Width and height of a tile in pixels, at least `frames.MIN_TILE_SIZE`.
        """
        self.tile_size = tile_size
        self._numbers: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, scene: Scene) -> NDArray[np.int64]:
        """Add the picture of a scene, in full light.

        Args:
            scene: The scene.

        Returns:
            int64 `[rows, columns]`: the numbers of its tiles, with the inventory below the window.
        """
        size = self.tile_size
        picture = frames.render(in_full_light(scene), size)
        rows, columns = picture.shape[0] // size, picture.shape[1] // size
        tiles = picture.reshape(rows, size, columns, size, 3).swapaxes(1, 2).reshape(rows * columns, -1)
        numbers = [self._numbers.setdefault(tile.tobytes(), len(self._numbers)) for tile in tiles]
        return np.array(numbers).reshape(rows, columns)

    def pixels(self) -> NDArray[np.uint8]:
        """Draw the sheet.

        Returns:
            uint8 `[rows * tile_size, SHEET_COLUMNS * tile_size, 3]`: the tiles by number, row by row, padded with
            black.
        """
        size, rows = self.tile_size, -(-max(len(self), 1) // SHEET_COLUMNS)
        tiles = np.zeros((rows * SHEET_COLUMNS, size, size, 3), np.uint8)
        for tile, number in self._numbers.items():
            tiles[number] = np.frombuffer(tile, np.uint8).reshape(size, size, 3)
        grid = tiles.reshape(rows, SHEET_COLUMNS, size, size, 3).swapaxes(1, 2)
        return grid.reshape(rows * size, SHEET_COLUMNS * size, 3)

    def to_url(self) -> str:
        """The sheet as a PNG in a `data:` URL."""
        file = io.BytesIO()
        Image.fromarray(self.pixels()).save(file, "PNG", optimize=True)
        return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
