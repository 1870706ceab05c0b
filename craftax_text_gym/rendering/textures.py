"""The textures that Craftax ships, found without importing it, scaled and cached.

A texture is float32 `[size, size, 4]`, read-only: colours from 0 to 255, alpha from 0 to 1.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from craftax_text_gym.games import get

Pixels = NDArray[np.float32]

_FOLDERS = {"full": "craftax", "classic": "craftax_classic"}
_FLAT_BLOCKS = {"out_of_bounds": 128, "darkness": 0}
_FILES = {  # file names that differ from the names of what they show
    "invalid": "debug_tile",
    "crafting_table": "table",
    "plant": "plant_on_grass",
    "ripe_plant": "ripe_plant_on_grass",
    "wall": "wall2",
    "torch": "torch_in_inventory",
    "torches": "torch_in_inventory",
    "books": "book",
    "arrow": "arrow-up",
    "arrows": "arrow-up",
    "heavy arrow": "arrow-up",
    "great fireball": "fireball",
    "great iceball": "iceball",
    "experience": "xp",
}


@lru_cache
def assets_folder(key: str) -> Path:
    """Find a game's textures.

    Args:
        key: `"classic"` or `"full"`.

    Returns:
        The folder of PNG files in the installed Craftax.

    Raises:
        ModuleNotFoundError: If Craftax is not installed.
    """
    spec = find_spec("craftax")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("The textures come with Craftax, which is not installed. Run: pip install craftax")
    return Path(spec.submodule_search_locations[0]) / _FOLDERS[key] / "assets"


@lru_cache(maxsize=4096)
def texture(key: str, name: str, size: int, *, soft: bool = False, unmasked: bool = False) -> Pixels:
    """Load a texture.

    Args:
        key: `"classic"` or `"full"`.
        name: What it shows: a name or label of the game's spec.
        size: Its width and height in pixels.
        soft: Whether pixels may be partly transparent; otherwise such pixels are fully transparent.
        unmasked: Whether to show the colours under transparent pixels.

    Returns:
        float32 `[size, size, 4]`, read-only.
    """
    file = _FILES.get(name, name).replace(" ", "_").replace("leggings", "pants")
    with Image.open(assets_folder(key) / f"{file}.png") as image:
        scaled = image.convert("RGBA").resize((size, size), Image.Resampling.NEAREST)
    pixels = np.asarray(scaled).astype(np.float32)
    pixels[..., 3] /= 255
    if unmasked:
        pixels[..., 3] = 1
    elif not soft:
        pixels[..., 3] = np.floor(pixels[..., 3])
    pixels.flags.writeable = False
    return pixels


@lru_cache(maxsize=16)
def block_textures(key: str, size: int) -> Pixels:
    """The textures of all blocks by number, then black for the tiles that the player does not see.

    Args:
        key: `"classic"` or `"full"`.
        size: Their width and height in pixels.

    Returns:
        float32 `[blocks + 1, size, size, 3]`, read-only.
    """
    pixels = np.zeros((len(get(key).blocks) + 1, size, size, 3), np.float32)
    for number, block in enumerate(get(key).blocks):
        flat = _FLAT_BLOCKS.get(block.name)
        pixels[number] = texture(key, block.name, size)[..., :3] if flat is None else flat
    pixels.flags.writeable = False
    return pixels


@lru_cache(maxsize=16)
def vignette(key: str, size: int) -> Pixels:
    """How strongly the night's static shows: weakly around the player, fully far away.

    Args:
        key: `"classic"` or `"full"`.
        size: Width and height of a tile in pixels.

    Returns:
        float32 `[height, width, 1]` of the window, read-only.
    """
    height, width = (tiles * size for tiles in get(key).window)
    if key == "full":
        rows, columns = np.ogrid[:height, :width]
        distance = np.sqrt(((rows - height // 2) ** 2 + (columns - width // 2) ** 2).astype(np.float32))
        strength = distance * (1 / distance.max())  # this is how XLA divides by a scalar
    else:
        x, y = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)
        strength = (1 - np.exp(-0.5 * (x**2 + y**2) / 0.5**2)).astype(np.float32)
    pixels: Pixels = strength[..., None]
    pixels.flags.writeable = False
    return pixels
