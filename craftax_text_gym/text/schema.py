"""The JSON Schema of the `json` preset's observations."""

from __future__ import annotations

from typing import Any

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.text import phrases
from craftax_text_gym.text.symbols import symbols

_INTEGER = {"type": "integer", "minimum": 0}
_FLAG = {"type": "boolean"}
_HEADINGS = ["left", "right", "up", "down"]


def json_schema(game: str | GameSpec) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that every observation of `text_format="json"` meets.

    Args:
        game: `"full"`, `"classic"`, an environment id, or the spec.

    Returns:
        The schema, as plain JSON values. Offsets in it are rows below (`down`) and columns right of (`right`) the
        player, negative above and left; a block is null where it is too dark to see.
    """
    spec = games.get(game)
    properties = {
        "feedback": _list({"type": "string"}, "What the last action did, a sentence each; empty after a reset."),
        "status": _status(spec),
        "inventory": _inventory(spec),
        "nearby": _nearby(spec),
        "map": _map(spec),
        "achievements": _object(
            unlocked=_list({"enum": list(spec.achievement_keys)}, "Keys of those unlocked in this episode."),
            total={"const": len(spec.achievements)},
        ),
        "actions": _object(
            available=_list({"enum": list(spec.actions)}, "The actions that are available now."),
            perhaps=_list({"enum": list(spec.actions)}, "Those that may be: something that cannot be seen decides."),
        ),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"An observation of {spec.title}",
        **_object(**properties),
    }


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _optional(schema: dict[str, Any], **properties: Any) -> dict[str, Any]:
    """The object with properties that it may lack: what `reveal` shows."""
    return {**schema, "properties": {**schema["properties"], **properties}}


def _list(items: dict[str, Any], description: str) -> dict[str, Any]:
    return {"type": "array", "items": items, "description": description}


def _enum(labels: list[str], description: str) -> dict[str, Any]:
    return {"enum": [*dict.fromkeys(labels), None], "description": description}


def _blocks(spec: GameSpec) -> dict[str, Any]:
    return _enum([block.label for block in spec.blocks], "The block; null in darkness.")


def _items(spec: GameSpec) -> dict[str, Any]:
    return _enum([item.label for item in spec.items[1:]], "What lies on the block, if anything.")


def _tile(spec: GameSpec) -> dict[str, Any]:
    return _object(block=_blocks(spec), item=_items(spec), things=_list({"enum": _things(spec)}, "What is on it."))


def _things(spec: GameSpec) -> list[str]:
    return list(dict.fromkeys([mob.label for mob in spec.mobs] + [shot.label for shot in spec.projectiles]))


def _status(spec: GameSpec) -> dict[str, Any]:
    vitals = {"health": {"type": "number", "minimum": 0}, "food": _INTEGER, "drink": _INTEGER, "energy": _INTEGER}
    common = {
        **vitals,
        "maxima": _object(**dict.fromkeys(spec.maxima, _INTEGER)),
        "daylight": {"type": "number", "minimum": 0, "maximum": 1, "description": "0 at night, 1 by day."},
        "asleep": _FLAG,
        "dead": _FLAG,
        "facing": {"enum": _HEADINGS},
        "faced": _tile(spec),
        "underfoot": _tile(spec),
    }
    position = _object(row=_INTEGER, column=_INTEGER)
    if spec.key == "classic":
        return _optional(_object(**common), position=position)
    full = {
        **dict.fromkeys(("mana", "experience", "dexterity", "strength", "intelligence"), _INTEGER),
        "spells": _list({"enum": list(spec.spells)}, "Those learned."),
        "floor": {"type": "integer", "minimum": 0, "maximum": len(spec.floors) - 1},
        "floor_name": {"enum": [floor.label for floor in spec.floors]},
        "ladder_down_open": _FLAG,
        "necromancer_vulnerable": {"type": ["boolean", "null"], "description": "Null but on the last floor."},
        "resting": _FLAG,
        "boss_defeated": _FLAG,
    }
    return _optional(_object(**common, **full), position=position, kills=_INTEGER)


def _inventory(spec: GameSpec) -> dict[str, Any]:
    carried = {
        name: _enum(list(spec.tools[name][1:]), "The one carried, if any.") if name in spec.tools else _INTEGER
        for name in spec.materials
    }
    if spec.key == "classic":
        return _object(**carried)
    enchantment = _enum(list(spec.enchantments[1:]), "Its enchantment, if any.")
    piece = _object(material=_enum(list(spec.armour_tiers[1:]), "Null where none is worn."), enchantment=enchantment)
    effect = {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"type": "integer"}],
        "minItems": 2,
        "maxItems": 2,
    }
    inventory = _object(
        **carried,
        sword_enchantment=enchantment,
        bow_enchantment=enchantment,
        armour=_object(**dict.fromkeys(spec.armour, piece)),
        potions=_object(**dict.fromkeys(spec.potions, _INTEGER)),
    )
    return _optional(inventory, potion_effects=_object(**dict.fromkeys(spec.potions, effect)))


def _offset(spec: GameSpec) -> dict[str, Any]:
    rows, columns = spec.window
    return {
        "down": {"type": "integer", "minimum": -(rows // 2), "maximum": rows // 2},
        "right": {"type": "integer", "minimum": -(columns // 2), "maximum": columns // 2},
    }


def _nearby(spec: GameSpec) -> dict[str, Any]:
    offset, place = _offset(spec), {"on": _blocks(spec), "item": _items(spec)}
    creature = _object(name={"enum": list(dict.fromkeys(mob.label for mob in spec.mobs))}, **offset, **place)
    projectile = _object(
        name={"enum": list(dict.fromkeys(shot.label for shot in spec.projectiles))},
        **offset,
        **place,
        owner={"enum": ["mob", "player"]},
        heading={"enum": _HEADINGS},
    )
    item = _object(name={"enum": [item.label for item in spec.items[1:]]}, **offset, on=_blocks(spec))
    pair = {
        "type": "array",
        "prefixItems": [offset["down"], offset["right"]],
        "items": False,
        "minItems": 2,
    }
    labels = [block.label for block in spec.blocks] + [phrases.DARKNESS]
    blocks = {
        "type": "object",
        "propertyNames": {"enum": list(dict.fromkeys(labels))},
        "additionalProperties": _list(pair, "Offsets."),
        "description": "Every tile in view but those of terrain, by kind, as [down, right].",
    }
    nearby = _object(
        creatures=_list(_optional(creature, health={"type": "number"}), "Creatures in view."),
        projectiles=_list(projectile, "What flies in view."),
        items=_list(item, "What lies in view."),
        blocks=blocks,
    )
    age = {"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}
    return _optional(nearby, plant_ages=_list(age, "Plants in view as [down, right, age]."))


def _map(spec: GameSpec) -> dict[str, Any]:
    rows, columns = spec.window
    row = {"type": "string", "minLength": columns, "maxLength": columns}
    legend = {
        "type": "object",
        "properties": {symbol: {"const": words} for symbol, words in symbols(spec).items()},
        "additionalProperties": False,
        "description": "The words for the characters of the grid, those in view and no others.",
    }
    grid = {**_list(row, "The grid, the player in its middle."), "minItems": rows, "maxItems": rows}
    return _object(rows=grid, legend=legend)
