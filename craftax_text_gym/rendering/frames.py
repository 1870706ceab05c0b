"""The official frame of a scene, drawn with NumPy and Pillow from the textures that Craftax ships.

Equal to upstream's pixel renderers (`craftax/renderer.py`, `craftax_classic/renderer.py`): their float32 arithmetic,
operation by operation, then their floats from 0 to 255 rounded to the nearest integer. (Compiled XLA may fuse a
product and a sum into one rounding; at dusk and night that moves fewer than one in a thousand of upstream's values, all
of them almost halfway between two levels, by one level.) Needs neither JAX nor Craftax's code.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.games import GameSpec
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.rendering.textures import Pixels, block_textures, texture, vignette

MIN_TILE_SIZE = 6
"""The smallest tile in which upstream's Classic renderer has room for an icon."""

T = TypeVar("T")

_DIGITS = " 123456789"
_NIGHT_TINT = np.array([0, 16, 64], np.float32)
_SLEEP_TINT = np.array([0, 0, 16], np.float32)
_UNMASKED_ICONS = frozenset({"food", "intelligence"})
"""Icons that show the colours under their transparent pixels. (Upstream ignores more alphas, without effect.)"""


_FULL_CELLS = (
    "health     food         drink       energy      mana        -             floor  helmet     -       experience",
    "coal       iron         diamond     sapphire    ruby        sapling       bow    chestplate sword   dexterity",
    "wood       stone        torches     books       fireball    iceball       arrows leggings   pickaxe strength",
    "potion_red potion_green potion_blue potion_pink potion_cyan potion_yellow -      boots      -       intelligence",
)
_CLASSIC_CELLS = (
    "health  food         drink         energy       sapling    wood        stone      coal iron",
    "diamond wood_pickaxe stone_pickaxe iron_pickaxe wood_sword stone_sword iron_sword",
)


class _Inventory(NamedTuple):
    """How an inventory is laid out: the names in its rows, a digit's share of a tile, and a shift in pixels."""

    rows: tuple[str, ...]
    digit: float
    shift: int


_INVENTORIES = {"full": _Inventory(_FULL_CELLS, 0.4, 0), "classic": _Inventory(_CLASSIC_CELLS, 0.6, -1)}


class _Cell(NamedTuple):
    """What a cell of the inventory shows: an icon, a number on it, an enchantment on both."""

    icon: str = ""
    number: str = ""
    enchantment: str = ""


def render(scene: Scene, tile_size: int = 16, noise: NDArray[np.floating] | None = None) -> NDArray[np.uint8]:
    """Draw a scene: the window around the player, and the inventory below it.

    Args:
        scene: What the player sees.
        tile_size: Width and height of a tile in pixels, at least `MIN_TILE_SIZE`.
        noise: The static of the night, float32 `[height, width]` of the window in pixels, uniform from 0 to 1.
            Upstream draws it from a random key that a scene does not hold; by default it is drawn here, seeded by
            `scene.timestep`.

    Returns:
        uint8 `[height, width, 3]`: 13 by 11 tiles in the full game, 9 by 9 in Classic.

    Raises:
        TypeError: If `tile_size` is not an integer.
        ValueError: If `tile_size` is too small, or `noise` has another shape.
    """
    size = _check_size(tile_size)
    window = _window(scene, size)
    if noise is not None and noise.shape != window.shape[:2]:
        raise ValueError(f"Expected noise of shape {window.shape[:2]}, got {noise.shape}.")
    shade = _shade_full if scene.is_full else _shade_classic
    pixels = np.concatenate((shade(scene, window, noise), _inventory(scene, size)))
    return np.rint(pixels, out=pixels).astype(np.uint8)


def _check_size(tile_size: int) -> int:
    try:
        size = operator.index(tile_size)
    except TypeError:
        raise TypeError(f"Expected an integer as tile_size, got {tile_size!r}.") from None
    if size < MIN_TILE_SIZE:
        raise ValueError(f"Expected a tile_size of at least {MIN_TILE_SIZE} pixels, got {size}.")
    return size


def _clamped(values: Sequence[T], index: int) -> T:
    """Index as JAX does: negative numbers count from the end, an index out of range becomes the nearest one."""
    return values[min(max(index + len(values) * (index < 0), 0), len(values) - 1)]


def _blend(canvas: Pixels, picture: Pixels, top: int, left: int) -> None:
    """Draw a texture onto the canvas, in place."""
    part = canvas[top : top + picture.shape[0], left : left + picture.shape[1]]
    alpha = picture[..., 3:]
    part[:] = part * (1 - alpha) + picture[..., :3] * alpha


def _window(scene: Scene, size: int) -> Pixels:
    """float32 `[height, width, 3]`: blocks, items, the player, creatures and projectiles, fully lit."""
    key, (rows, columns) = scene.spec.key, scene.spec.window
    blocks = block_textures(key, size)
    tiles = blocks[np.minimum(scene.blocks, len(blocks) - 1)]
    canvas = tiles.swapaxes(1, 2).reshape(rows * size, columns * size, 3)
    for row, column in np.argwhere(scene.items).tolist():
        item = scene.spec.items[scene.items[row, column]].name
        _blend(canvas, texture(key, item, size), row * size, column * size)
    pose = (not scene.sleeping and scene.direction) or "sleep"
    player = texture(key, f"player-{pose}", size, soft=not scene.is_full)
    _blend(canvas, player, rows // 2 * size, columns // 2 * size)
    for picture, row, column in _things(scene, size):
        _blend(canvas, picture, row * size, column * size)
    return canvas


def _things(scene: Scene, size: int) -> Iterator[tuple[Pixels, int, int]]:
    """The textures of creatures and projectiles with their rows and columns, in drawing order."""
    creatures = sum(scene.spec.slots[:3])
    table = scene.row["things"].tolist()
    for slot, labels in enumerate(_slot_labels(scene.spec)):
        present, kind, row, column, down, right = table[slot]
        if present:
            soft = not scene.is_full and slot < creatures
            picture = texture(scene.spec.key, _clamped(labels, kind), size, soft=soft)
            yield (picture if slot < creatures else _rotate(picture, down, right)), row, column


@lru_cache
def _slot_labels(spec: GameSpec) -> tuple[tuple[str, ...], ...]:
    """For each slot of the field `things`, what it may hold, by type."""
    projectiles = tuple(projectile.label for projectile in spec.projectiles)
    groups = [
        *(tuple(mob.label for mob in spec.mobs if mob.mob_class == group) for group in ("melee", "passive", "ranged")),
        projectiles,
        projectiles,
    ]
    return tuple(labels for labels, count in zip(groups, spec.slots, strict=True) for _ in range(count))


def _rotate(picture: Pixels, down: int, right: int) -> Pixels:
    """Turn a projectile's texture, which points up, along its heading."""
    flipped = picture[::-1] if down > 0 or right > 0 else picture
    return flipped.swapaxes(0, 1) if right else flipped


def _shade_full(scene: Scene, window: Pixels, noise: NDArray[np.floating] | None) -> Pixels:
    """Darkness, night (in the overworld only) and sleep of the full game."""
    rows, columns = scene.spec.window
    tiles = window.reshape(rows, window.shape[0] // rows, columns, window.shape[1] // columns, 3)
    lit = (scene.light[:, None, :, None, None] * tiles).reshape(window.shape)
    daylight = np.float32(scene.daylight)
    if scene.floor == 0 and daylight != 1:
        night = _NIGHT_TINT * 0.5 + 0.5 * _with_static(scene, lit, noise)
        lit = daylight * lit + (1 - daylight) * night
    return lit * np.float32(0.5) if scene.sleeping else lit


def _shade_classic(scene: Scene, window: Pixels, noise: NDArray[np.floating] | None) -> Pixels:
    """Night and sleep of Classic."""
    daylight = np.float32(scene.daylight)
    if daylight != 1:
        night = _with_static(scene, window, noise)
        night = night * 0.4 + 0.6 * _luminance(night)
        night = 0.5 * night + 0.5 * _NIGHT_TINT
        window = daylight * window + (1 - daylight) * night
    return 0.5 * _luminance(window) + 0.5 * _SLEEP_TINT if scene.sleeping else window


def _with_static(scene: Scene, pixels: Pixels, noise: NDArray[np.floating] | None) -> Pixels:
    """The window under static, which grows as daylight falls below one half."""
    intensity = 2 * (0.5 - np.float32(scene.daylight))
    if intensity <= 0:
        return pixels
    if noise is None:
        noise = np.random.default_rng(scene.timestep).random(pixels.shape[:2], np.float32)
    static = (noise.astype(np.float32) * 95 + 32)[..., None]
    mask = intensity * vignette(scene.spec.key, pixels.shape[0] // scene.spec.window[0])
    shown: Pixels = (1 - mask) * pixels + mask * static
    return shown


def _luminance(pixels: Pixels) -> Pixels:
    """float32 `[height, width, 1]`: the brightness of each pixel."""
    grey: Pixels = 0.299 * pixels[..., :1] + 0.587 * pixels[..., 1:2] + 0.114 * pixels[..., 2:]
    return grey


def _inventory(scene: Scene, size: int) -> Pixels:
    """float32 `[height, width, 3]`: the cells below the window."""
    rows = _INVENTORIES[scene.spec.key].rows
    cells = _full_cells(scene) if scene.is_full else _classic_cells(scene)
    canvas = np.zeros((len(rows) * size, scene.spec.window[1] * size, 3), np.float32)
    for row, names in enumerate(rows):
        for column, name in enumerate(names.split()):
            if name != "-":
                _draw_cell(canvas, scene.spec.key, cells[name], row * size, column * size, size)
    return canvas


def _draw_cell(canvas: Pixels, key: str, cell: _Cell, top: int, left: int, size: int) -> None:
    _, digit, shift = _INVENTORIES[key]
    icon_size, digit_size = int(0.8 * size), int(digit * size)
    margin = (size - icon_size) // 2 + shift
    if cell.icon:
        icon = texture(key, cell.icon, icon_size, unmasked=cell.icon in _UNMASKED_ICONS)
        _blend(canvas, icon, top + margin, left + margin)
    for place, glyph in enumerate(reversed(cell.number), start=1):
        if glyph != " ":
            picture = texture(key, glyph, digit_size)
            _blend(canvas, picture, top + size - digit_size + shift, left + size - place * digit_size + shift)
    if cell.enchantment:
        _blend(canvas, texture(key, cell.enchantment, icon_size), top + margin, left + margin)


def _counter(name: str, count: int, number: str) -> _Cell:
    return _Cell(name if count > 0 else "", number)


def _two_digits(count: int) -> str:
    tens, ones = divmod(count, 10)
    return f"{_clamped(_DIGITS, tens)}{ones}" if count else ""


def _classic_cells(scene: Scene) -> dict[str, _Cell]:
    vitals = {"health": int(scene.health), "food": scene.food, "drink": scene.drink, "energy": scene.energy}
    return {name: _counter(name, count, _clamped(_DIGITS, count)) for name, count in (vitals | scene.materials).items()}


def _full_cells(scene: Scene) -> dict[str, _Cell]:
    spec, materials = scene.spec, scene.materials
    tools = {name: _Cell(_clamped(spec.tools[name], materials.pop(name))) for name in spec.tools}
    counts = {
        "health": max(math.floor(scene.health), 1),  # upstream shows 1 for the dead too
        "food": scene.food,
        "drink": scene.drink,
        "energy": scene.energy,
        "mana": scene.mana or 0,
        **materials,
        **{f"potion_{colour}": count for colour, count in scene.potions.items()},
    }
    experience, *levels = scene.attributes
    attributes = zip(("dexterity", "strength", "intelligence"), levels, strict=True)
    cells = tools | {
        "floor": _Cell(number=_clamped(_DIGITS, scene.floor)),
        "experience": _counter("experience", experience, _clamped(_DIGITS, experience)),
        **{name: _Cell(name, _clamped(_DIGITS, level)) for name, level in attributes},
        **{name: _counter(name, count, _two_digits(count)) for name, count in counts.items()},
        **{name: _Cell(name if name in scene.spells else "") for name in spec.spells},
        **_armour_cells(scene),
    }
    sword, bow = (_clamped(spec.enchantments, number) for number in scene.weapon_enchantments)
    cells["sword"] = _enchanted(cells["sword"], "sword", sword)
    cells["arrows"] = _enchanted(cells["arrows"], "arrow", bow if materials["arrows"] > 0 else "")
    return cells


def _armour_cells(scene: Scene) -> dict[str, _Cell]:
    spec, cells = scene.spec, {}
    for piece, tier, number in zip(spec.armour, scene.armour, scene.armour_enchantments, strict=True):
        material = _clamped(spec.armour_tiers, tier)
        cell = _Cell(f"{material}_{piece}" if material else "")
        cells[piece] = _enchanted(cell, piece, _clamped(spec.enchantments, number))
    return cells


def _enchanted(cell: _Cell, name: str, element: str) -> _Cell:
    return cell._replace(enchantment=f"{name}_{element}_enchantment" if element else "")
