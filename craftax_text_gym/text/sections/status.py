"""How the player is, where, and what it faces."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from craftax_text_gym.engine.layout import HIDDEN
from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.scene import Scene, Tile, maxima
from craftax_text_gym.text import phrases
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.moment import Moment
from craftax_text_gym.text.sections import Body

_QUIET = bytes(4)


class Status:
    """Vitals with their maxima, attributes, place, daylight, sleep, the faced tile and the one underfoot."""

    title = "Status"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._spec = spec
        self._full = spec.key == "full"
        self._terse = text_format.terse
        self._words = phrases.DIRECTIONS[text_format.directions]
        self._ahead = {
            name: (getattr(self._words, name), offset) for name, offset in zip(DIRECTIONS[1:], OFFSETS[1:], strict=True)
        }
        self._vitals = lru_cache(4096)(self._write_vitals)
        self._attributes = lru_cache(1024)(self._write_attributes)
        self._place = lru_cache(4096)(self._write_place)

    def body(self, moment: Moment) -> Body:
        """The section in words."""
        scene = moment.scene
        lines = [self._vitals(scene.attributes, scene.vitals)]
        if self._full:
            ladder_open, vulnerable = scene.gates
            lines += [
                self._attributes(scene.attributes, scene.field("spells")),
                self._place(scene.floor, round(100 * scene.daylight), ladder_open, vulnerable, scene.kills),
            ]
        else:
            lines.append(f"daylight {phrases.percent(scene.daylight)}")
        states = _states(scene)
        if states:
            lines.append("; ".join(states))
        word, ahead = self._ahead[scene.direction]
        facing = f"facing {word}: {phrases.tile_at(scene, ahead, self._words)}"
        underfoot = f"underfoot: {phrases.tile_at(scene, (0, 0), self._words)}"
        return Body([*lines, f"{facing}; {underfoot}"] if self._terse else [*lines, facing, underfoot])

    def data(self, moment: Moment) -> dict[str, Any]:
        """The section as JSON values."""
        scene = moment.scene
        data: dict[str, Any] = {
            "health": float(phrases.number(scene.health)),
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

    def _write_vitals(self, attributes: tuple[int, ...], values: tuple[float, ...]) -> str:
        most = maxima(self._spec, attributes)
        vitals = [(name, phrases.number(value), cap) for (name, cap), value in zip(most.items(), values, strict=True)]
        if self._terse:  # the maxima follow from the attributes
            return " ".join([f"{name} {value}" for name, value, _ in vitals])
        return ", ".join([f"{name} {value}/{cap}" for name, value, cap in vitals])

    def _write_attributes(self, attributes: tuple[int, ...], known: bytes) -> str:
        short = "xp {} dex {} str {} int {}"
        names = short if self._terse else "experience {}, dexterity {}, strength {}, intelligence {}"
        words = names.format(*attributes)
        spells = [spell for spell, is_known in zip(self._spec.spells, known, strict=True) if is_known]
        return f"{words}; spells: {', '.join(spells)}" if spells else words

    def _write_place(self, floor: int, daylight: int, ladder_open: int, vulnerable: int, kills: int | None) -> str:
        name = "" if self._terse else f" ({self._spec.floors[floor].label})"
        words = f"floor {floor}{name}, daylight {daylight}%"
        if floor == len(self._spec.floors) - 1:
            return f"{words}, necromancer {'vulnerable' if vulnerable else 'invulnerable'}"
        words = f"{words}, ladder down {'open' if ladder_open else 'closed'}"
        return words if kills is None else f"{words} after {kills} kills"


def _states(scene: Scene) -> list[str]:
    states: list[str] = []
    if scene.states == _QUIET and scene.numbers("position")[0] == HIDDEN:
        return states
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
    return states


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
