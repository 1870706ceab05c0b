"""What is in view, by its offset from the player."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import DARK
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene, Thing
from craftax_text_gym.text import phrases
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.schema_parts import (
    HEADING,
    Schema,
    array_of,
    block_schema,
    choice,
    item_schema,
    object_of,
    with_optional,
)
from craftax_text_gym.text.section import Body
from craftax_text_gym.utils.words import json_number


class Nearby:
    """Creatures, projectiles, items and blocks with their offsets.

    With a list alone it has every tile, in stretches, but those of the commonest kind, which it names at the end. With
    a list and a grid it has every tile but those of terrain, and the nearest tile of each kind of terrain. With a grid
    alone it has only what the grid cannot show: creatures, projectiles and items, and what they stand on.
    """

    title = "Nearby"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        rows, columns = spec.window
        self._spec = spec
        self._no_items = bytes(rows * columns)
        self._map = text_format.map
        self._words = phrases.DIRECTIONS[text_format.directions]
        self._radius = text_format.radius
        reach = max(rows, columns) if text_format.radius is None else text_format.radius
        self._first_column = max(0, columns // 2 - reach)
        self._last_column = columns - self._first_column
        self._rows = {row: row - rows // 2 for row in range(rows) if abs(row - rows // 2) <= reach}
        self._stretches: dict[tuple[int, int], str] = {}
        self._reach = reach
        self._terrain = frozenset({index for index, block in enumerate(spec.blocks) if block.terrain} | {DARK})
        self._plants = spec.block_index["plant"], spec.block_index["ripe_plant"]
        self._worth_naming = self._terrain - {DARK}
        order = sorted(
            (
                row * columns + column
                for row, down in self._rows.items()
                for column in range(self._first_column, self._last_column)
                if down or column != columns // 2
            ),
            key=lambda index: _distance(index, spec),
        )
        self._by_distance = np.array(order)
        self._nearest_words = [
            phrases.offset(index // columns - rows // 2, index % columns - columns // 2, self._words) for index in order
        ]
        self._tiles = lru_cache(1024)(self._write_tiles)
        self._thing = lru_cache(4096)(self._write_thing)
        self._labels = {block: phrases.block_label(spec, block) for block in (*range(len(spec.blocks)), DARK)}

    def body(self, moment: Moment) -> Body | None:
        """The section in words."""
        scene = moment.scene
        flat = scene.field("blocks")
        lines = [self._thing(seen, *scene.codes(seen.down, seen.right)) for seen in self._near_things(scene)]
        lines += self._items(scene)
        if self._map in ("both", "list"):
            lines += self._tiles(flat)
            if self._radius is not None:
                lines.append(f"farther than {self._radius} is not listed")
        if self._plants[0] in flat or self._plants[1] in flat:
            ages = scene.plant_ages.items()
            lines += [f"plant of age {age}: {phrases.offset(*where, self._words)}" for where, age in ages]
        return Body(lines) if lines else None

    def data(self, moment: Moment) -> dict[str, Any]:
        """The section as JSON values; offsets are rows below and columns right of the player."""
        scene = moment.scene
        things = [
            (seen, scene.tile(seen.down, seen.right)) for seen in scene.things if self._is_near(seen.down, seen.right)
        ]
        data: dict[str, Any] = {
            "creatures": [
                {"name": seen.label, **_place(seen), "on": tile.block, "item": tile.item}
                | ({} if seen.health is None else {"health": json_number(seen.health)})
                for seen, tile in things
                if seen.mob
            ],
            "projectiles": [
                {"name": seen.label, **_place(seen), "on": tile.block, "item": tile.item}
                | {"owner": seen.owner, "heading": seen.heading}
                for seen, tile in things
                if not seen.mob
            ],
            "items": [
                {"name": label, "down": down, "right": right, "on": scene.tile(down, right).block}
                for label, down, right in self._item_offsets(scene)
            ],
        }
        if self._map in ("both", "list"):
            data |= self._tile_data(scene.field("blocks"))
        if scene.plant_ages:
            data["plant_ages"] = [[down, right, age] for (down, right), age in scene.plant_ages.items()]
        return data

    def schema(self) -> Schema:
        """The JSON Schema of its data."""
        spec = self._spec
        offset, ground = _offset_schema(spec), {"on": block_schema(spec), "item": item_schema(spec)}
        creature = object_of(name=choice([mob.label for mob in spec.mobs]), **offset, **ground)
        projectile = object_of(
            name=choice([projectile.label for projectile in spec.projectiles]),
            **offset,
            **ground,
            owner=choice(["mob", "player"]),
            heading=HEADING,
        )
        lying = object_of(name=choice([item.label for item in spec.items[1:]]), **offset, on=block_schema(spec))
        data = {
            "creatures": array_of(with_optional(creature, health={"type": "number"}), "Creatures in view."),
            "projectiles": array_of(projectile, "What flies in view."),
            "items": array_of(lying, "What lies in view."),
        }
        if self._map in ("both", "list"):
            data |= self._tile_schema(offset)
        age = {"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}
        return with_optional(object_of(**data), plant_ages=array_of(age, "Plants in view as [down, right, age]."))

    def _tile_schema(self, offset: dict[str, Schema]) -> dict[str, Schema]:
        pair = {"type": "array", "prefixItems": [offset["down"], offset["right"]], "items": False, "minItems": 2}
        label = choice(self._labels.values())
        skipped = "terrain" if self._map == "both" else "the commonest kind"
        blocks = {
            "type": "object",
            "propertyNames": label,
            "additionalProperties": array_of(pair, "Offsets."),
            "description": f"Every tile in view but those of {skipped}, by kind, as [down, right].",
        }
        return {"blocks": blocks} if self._map == "both" else {"blocks": blocks, "everything_else": label}

    def _is_near(self, down: int, right: int) -> bool:
        return abs(down) <= self._reach and abs(right) <= self._reach

    def _near_things(self, scene: Scene) -> Iterable[Thing]:
        if self._radius is None:
            return scene.things
        return [seen for seen in scene.things if self._is_near(seen.down, seen.right)]

    def _write_thing(self, seen: Thing, block: int, item: int) -> str:
        where = phrases.offset(seen.down, seen.right, self._words)
        return f"{phrases.thing(seen, self._words)}: {where}, on {phrases.ground(self._spec, block, item)}"

    def _items(self, scene: Scene) -> list[str]:
        """A line for each kind of item: its tiles, by the ground that it lies on."""
        found: dict[str, dict[str, list[str]]] = {}
        for label, down, right in self._item_offsets(scene):
            ground = scene.tile(down, right).block or phrases.DARKNESS
            found.setdefault(label, {}).setdefault(ground, []).append(phrases.offset(down, right, self._words))
        return [
            f"{label}: {'; '.join([self._on(ground, where) for ground, where in by_ground.items()])}"
            for label, by_ground in found.items()
        ]

    @staticmethod
    def _on(ground: str, where: list[str]) -> str:
        return f"{', '.join(where)}, on {ground}"

    def _item_offsets(self, scene: Scene) -> list[tuple[str, int, int]]:
        if not scene.is_full:
            return []
        items = scene.field("items")
        if items == self._no_items:
            return []
        rows, columns = self._spec.window
        places = [
            (self._spec.items[item].label, index // columns - rows // 2, index % columns - columns // 2)
            for index, item in enumerate(items)
            if item
        ]
        return [place for place in places if self._is_near(*place[1:])]

    def _write_tiles(self, flat: bytes) -> list[str]:
        if self._map == "both":
            lines = self._blocks(flat, self._terrain)
            nearest = self._nearest(np.frombuffer(flat, np.uint8)[self._by_distance].tobytes())
            return [*lines, f"nearest terrain: {nearest}"] if nearest else lines
        ground = _commonest(flat)
        return [*self._blocks(flat, frozenset((ground,))), f"everything else: {self._labels[ground]}"]

    def _blocks(self, flat: bytes, skipped: frozenset[int]) -> list[str]:
        """The tiles of every kind but those skipped, in stretches."""
        found: dict[int, list[str]] = {}
        for stretch in _other_than(skipped).finditer(flat):
            start, end = stretch.span()
            where = self._stretches.get((start, end)) or self._cut(start, end)
            found.setdefault(flat[start], []).append(where)
        return [
            f"{self._labels[block]}: {', '.join([w for w in where if w])}"
            for block, where in found.items()
            if any(where)
        ]

    def _cut(self, start: int, end: int) -> str:
        """A stretch that goes on in the next row, or beyond the radius, as the stretches that are listed."""
        columns = self._spec.window[1]
        bounds = sorted({start, end, *range((start // columns + 1) * columns, end, columns)})
        parts = []
        for first, last in pairwise(bounds):
            row, left = divmod(first, columns)
            left, right = max(left, self._first_column), min(last - row * columns, self._last_column)
            if left < right and row in self._rows:
                parts.append(self._offset_of(row, left, right))
        self._stretches[start, end] = ", ".join(parts)
        return self._stretches[start, end]

    def _offset_of(self, row: int, first: int, end: int) -> str:
        half = self._spec.window[1] // 2
        return phrases.offset(self._rows[row], first - half, self._words, end - 1 - half)

    def _nearest(self, by_distance: bytes) -> str:
        """The nearest tile of each kind of terrain but darkness; the player's own tile does not count."""
        kinds = [kind for kind in dict.fromkeys(by_distance) if kind in self._worth_naming]
        return ", ".join([f"{self._labels[kind]} {self._nearest_words[by_distance.index(kind)]}" for kind in kinds])

    def _tile_data(self, flat: bytes) -> dict[str, Any]:
        columns = self._spec.window[1]
        ground = _commonest(flat)
        skipped = self._terrain if self._map == "both" else {ground}
        blocks: dict[str, list[tuple[int, int]]] = {}
        for row, down in self._rows.items():
            for column in range(self._first_column, self._last_column):
                block = flat[row * columns + column]
                if block not in skipped:
                    blocks.setdefault(self._labels[block], []).append((down, column - columns // 2))
        return {"blocks": blocks} | ({} if self._map == "both" else {"everything_else": self._labels[ground]})


def _commonest(flat: bytes) -> int:
    return max(sorted(set(flat)), key=flat.count)


def _distance(index: int, spec: GameSpec) -> tuple[int, int]:
    rows, columns = spec.window
    return abs(index // columns - rows // 2) + abs(index % columns - columns // 2), index


def _offset_schema(spec: GameSpec) -> dict[str, Schema]:
    rows, columns = spec.window
    return {
        "down": {"type": "integer", "minimum": -(rows // 2), "maximum": rows // 2},
        "right": {"type": "integer", "minimum": -(columns // 2), "maximum": columns // 2},
    }


def _place(seen: Thing) -> dict[str, int]:
    return {"down": seen.down, "right": seen.right}


@lru_cache
def _other_than(skipped: frozenset[int]) -> re.Pattern[bytes]:
    """Stretches of one block that is none of those skipped."""
    return re.compile(
        rb"([^" + b"".join([re.escape(bytes([block])) for block in sorted(skipped)]) + rb"])\1*", re.DOTALL
    )
