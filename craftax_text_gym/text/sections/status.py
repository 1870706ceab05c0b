"""How the player is, where, and what it faces."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import HIDDEN, read_group
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene, Tile, maxima
from craftax_text_gym.text import phrases
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.schema_parts import (
    COUNT,
    FLAG,
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
from craftax_text_gym.utils.words import json_number, number, percent

_QUIET = bytes(4)
_LONG_NAMES = "experience {}, dexterity {}, strength {}, intelligence {}"
_SHORT_NAMES = "xp {} dex {} str {} int {}"


class Status:
    """Vitals with their maxima, attributes, place, daylight, sleep, the faced tile and the one underfoot."""

    title = "Status"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._spec = spec
        self._full = spec.key == "full"
        self._terse = text_format.terse
        self._words = phrases.DIRECTIONS[text_format.directions]
        self._person = lru_cache(4096)(self._write_person)
        self._place = lru_cache(4096)(self._write_place)
        self._bare = lru_cache(4096)(self._write_bare)

    def body(self, moment: Moment) -> Body:
        """The section in words."""
        scene = moment.scene
        flags = scene.progress_flags
        lines = [*self._person(scene.body, flags)]
        if self._full:
            lines.append(self._place(scene.place, round(100 * scene.daylight), flags))
        else:
            lines.append(f"daylight {percent(scene.daylight)}")
        if scene.states != _QUIET or scene.numbers("position")[0] != HIDDEN:
            lines += _states(scene)
        return Body([*lines, *self._tiles(scene)])

    def data(self, moment: Moment) -> dict[str, Any]:
        """The section as JSON values."""
        scene = moment.scene
        data: dict[str, Any] = {
            "health": json_number(scene.health),
            "food": scene.food,
            "drink": scene.drink,
            "energy": scene.energy,
            "maxima": scene.maxima,
            "daylight": round(100 * scene.daylight) / 100,
            "asleep": scene.sleeping,
            "dead": scene.dead,
            "facing": scene.direction,
            "faced": _tile_data(scene.faced),
            "underfoot": _tile_data(scene.underfoot),
        }
        if scene.position is not None:
            data["position"] = {"row": scene.position[0], "column": scene.position[1]}
        return data | _full_data(scene) if self._full else data

    def schema(self) -> Schema:
        """The JSON Schema of its data."""
        spec = self._spec
        tile = _tile_schema(spec)
        common: dict[str, Schema] = {
            "health": {"type": "number", "minimum": 0},
            **dict.fromkeys(("food", "drink", "energy"), COUNT),
            "maxima": object_of(**dict.fromkeys(spec.maxima, COUNT)),
            "daylight": {"type": "number", "minimum": 0, "maximum": 1, "description": "0 at night, 1 by day."},
            "asleep": FLAG,
            "dead": FLAG,
            "facing": HEADING,
            "faced": tile,
            "underfoot": tile,
        }
        position = object_of(row=COUNT, column=COUNT)
        if not self._full:
            return with_optional(object_of(**common), position=position)
        return with_optional(object_of(**common, **_full_schema(spec)), position=position, kills=COUNT)

    def _tiles(self, scene: Scene) -> tuple[str, ...]:
        """The faced tile and the one underfoot."""
        direction = scene.direction
        ahead = scene.ahead
        for seen in scene.things:
            if (seen.down, seen.right) in ((0, 0), ahead):
                tiles = phrases.tile_at(scene, ahead, self._words), phrases.tile_at(scene, (0, 0), self._words)
                return self._say_tiles(direction, *tiles)
        return self._bare(direction, scene.codes(*ahead), scene.codes(0, 0))

    def _write_bare(self, direction: str, ahead: tuple[int, int], under: tuple[int, int]) -> tuple[str, ...]:
        tiles = phrases.ground(self._spec, *ahead), phrases.ground(self._spec, *under)
        return self._say_tiles(direction, *tiles)

    def _say_tiles(self, direction: str, ahead: str, under: str) -> tuple[str, ...]:
        facing, underfoot = f"facing {getattr(self._words, direction)}: {ahead}", f"underfoot: {under}"
        return (f"{facing}; {underfoot}",) if self._terse else (facing, underfoot)

    def _write_person(self, body: bytes, flags: bytes) -> tuple[str, ...]:
        """The vitals and, in the full game, the attributes and spells, from the packed row's own bytes."""
        values = read_group(self._spec, "body", body)
        attributes = tuple(values.get("attributes", ()))
        vitals = [values["health"], *values["vitals"], *([values["mana"]] if self._full else [])]
        most = maxima(self._spec, attributes).items()
        told = [(name, number(value), cap) for (name, cap), value in zip(most, vitals, strict=True)]
        if self._terse:  # the maxima follow from the attributes
            lines = [" ".join([f"{name} {value}" for name, value, _ in told])]
        else:
            lines = [", ".join([f"{name} {value}/{cap}" for name, value, cap in told])]
        if attributes:
            names = _SHORT_NAMES if self._terse else _LONG_NAMES
            known = read_group(self._spec, "progress_flags", flags)["spells"]
            spells = [spell for spell, is_known in zip(self._spec.spells, known, strict=True) if is_known]
            lines.append(names.format(*attributes) + (f"; spells: {', '.join(spells)}" if spells else ""))
        return tuple(lines)

    def _write_place(self, place: bytes, daylight: int, flags: bytes) -> str:
        values = read_group(self._spec, "place", place)
        floor, kills = values["floor"], values["kills"]
        progress = read_group(self._spec, "progress_flags", flags)
        name = "" if self._terse else f" ({self._spec.floors[floor].label})"
        words = f"floor {floor}{name}, daylight {daylight}%"
        if floor == len(self._spec.floors) - 1:
            return f"{words}, necromancer {'vulnerable' if progress['boss_vulnerable'] else 'invulnerable'}"
        words = f"{words}, ladder down {'open' if progress['ladder_open'] else 'closed'}"
        return words if kills == HIDDEN else f"{words} after {kills} kills"


def _states(scene: Scene) -> list[str]:
    states = []
    if scene.dead:
        states.append("you have died")
    if scene.boss_defeated:
        states.append("you have defeated the necromancer")
    if scene.sleeping:
        states.append("you are asleep")
    if scene.resting:
        states.append("you are resting")
    if scene.position is not None:
        states.append("you are at row {}, column {}".format(*scene.position))
    return ["; ".join(states)]


def _tile_data(tile: Tile) -> dict[str, Any]:
    """A tile; its block is null where it is dark."""
    return {"block": tile.block, "item": tile.item, "things": [seen.label for seen in tile.things]}


def _full_data(scene: Scene) -> dict[str, Any]:
    """What only the full game has."""
    experience, dexterity, strength, intelligence = scene.attributes
    data: dict[str, Any] = {
        "mana": scene.mana,
        "experience": experience,
        "dexterity": dexterity,
        "strength": strength,
        "intelligence": intelligence,
        "spells": scene.spells,
        "floor": scene.floor,
        "floor_name": scene.spec.floors[scene.floor].label,
        "ladder_down_open": scene.ladder_open,
        "necromancer_vulnerable": scene.boss_vulnerable if scene.on_boss_floor else None,
        "resting": scene.resting,
        "boss_defeated": scene.boss_defeated,
    }
    return data if scene.kills is None else data | {"kills": scene.kills}


def _tile_schema(spec: GameSpec) -> Schema:
    things = choice([mob.label for mob in spec.mobs] + [projectile.label for projectile in spec.projectiles])
    return object_of(block=block_schema(spec), item=item_schema(spec), things=array_of(things, "What is on it."))


def _full_schema(spec: GameSpec) -> dict[str, Schema]:
    return {
        **dict.fromkeys(("mana", "experience", "dexterity", "strength", "intelligence"), COUNT),
        "spells": array_of(choice(spec.spells), "Those learned."),
        "floor": {"type": "integer", "minimum": 0, "maximum": len(spec.floors) - 1},
        "floor_name": {"enum": [floor.label for floor in spec.floors]},
        "ladder_down_open": FLAG,
        "necromancer_vulnerable": {"type": ["boolean", "null"], "description": "Null but on the last floor."},
        "resting": FLAG,
        "boss_defeated": FLAG,
    }
