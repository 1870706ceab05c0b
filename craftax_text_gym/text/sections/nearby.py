"""What is in view, by its offset from the player."""

from __future__ import annotations

import operator
from functools import lru_cache
from itertools import groupby

from craftax_text_gym.engine.layout import DARK
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.scene import Scene
from craftax_text_gym.text import phrases
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.moment import Moment


class Nearby:
    """Creatures, projectiles, items and blocks with their offsets.

    With a grid beside it, the list has every tile but those of terrain, and the nearest tile of each kind of terrain.
    Without one, it has every tile, in stretches, but those of the commonest kind, which it names at the end.
    """

    title = "Nearby"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._spec = spec
        self._whole = text_format.map == "list"
        rows, columns = spec.window
        self._half_columns = columns // 2
        self._row_offsets = [row - rows // 2 for row in range(rows)]
        terrain = {index for index, block in enumerate(spec.blocks) if block.terrain}
        self._terrain = frozenset(terrain | {DARK})
        order = sorted(range(rows * columns), key=lambda index: _distance(index, spec))[1:]
        self._by_distance = operator.itemgetter(*order)
        self._nearest_words = [
            phrases.offset(index // columns - rows // 2, index % columns - columns // 2) for index in order
        ]
        self._labels = {block: phrases.block_label(spec, block) for block in (*range(len(spec.blocks)), DARK)}

    def lines(self, moment: Moment) -> list[str]:
        scene = moment.scene
        flat = scene.field("blocks")
        lines = _things(scene) + _items(scene) + _revealed(scene)
        ground = max(set(flat), key=flat.count)
        skipped = frozenset((ground,)) if self._whole else self._terrain
        lines += self._blocks(flat, skipped)
        if self._whole:
            lines.append(f"everything else: {self._labels[ground]}")
        else:
            nearest = self._nearest(bytes(self._by_distance(flat)))
            if nearest:
                lines.append(f"nearest terrain: {nearest}")
        return lines

    def _blocks(self, flat: bytes, skipped: frozenset[int]) -> list[str]:
        columns = self._spec.window[1]
        found: dict[int, list[str]] = {}
        for row, down in enumerate(self._row_offsets):
            for block, words in _stretches(flat[row * columns : (row + 1) * columns], down, skipped):
                found.setdefault(block, []).append(words)
        return [f"{self._labels[block]}: {', '.join(where)}" for block, where in found.items()]

    def _nearest(self, by_distance: bytes) -> str:
        """The nearest tile of each kind of terrain."""
        kinds = sorted(self._terrain.intersection(by_distance), key=by_distance.index)
        return ", ".join([f"{self._labels[kind]} {self._nearest_words[by_distance.index(kind)]}" for kind in kinds])


def _distance(index: int, spec: GameSpec) -> tuple[int, int]:
    rows, columns = spec.window
    return abs(index // columns - rows // 2) + abs(index % columns - columns // 2), index


@lru_cache(16_384)
def _stretches(row: bytes, down: int, skipped: frozenset[int]) -> tuple[tuple[int, str], ...]:
    """The stretches of equal blocks in a row, with their words; the few rows of a world recur all the time."""
    found, column = [], -(len(row) // 2)
    for block, stretch in groupby(row):
        length = len(list(stretch))
        if block not in skipped:
            found.append((block, phrases.offset(down, column, column + length - 1)))
        column += length
    return tuple(found)


def _things(scene: Scene) -> list[str]:
    lines = []
    for seen in scene.things:
        below = scene.tile(seen.down, seen.right)
        ground = f"{below.item} on {below.block}" if below.item else below.block
        lines.append(f"{phrases.thing(seen)}: {phrases.offset(seen.down, seen.right)}, on {ground}")
    return lines


def _items(scene: Scene) -> list[str]:
    if not scene.is_full:
        return []
    items = scene.field("items")
    if not any(items):
        return []
    rows, columns = scene.spec.window
    lines = []
    for index, item in enumerate(items):
        if item:
            down, right = index // columns - rows // 2, index % columns - columns // 2
            ground = phrases.block_label(scene.spec, scene.field("blocks")[index])
            lines.append(f"{scene.spec.items[item].label}: {phrases.offset(down, right)}, on {ground}")
    return lines


def _revealed(scene: Scene) -> list[str]:
    """What `reveal` asks for: the own position, kills, plants' ages."""
    lines = []
    if scene.position is not None:
        lines.append("you: row {}, column {}".format(*scene.position))
    if scene.kills is not None:
        lines.append(f"kills on this floor: {scene.kills}")
    lines += [f"plant of age {age}: {phrases.offset(*where)}" for where, age in scene.plant_ages.items()]
    return lines
