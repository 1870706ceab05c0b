"""The pieces that the JSON Schemas of several sections are built from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from craftax_text_gym.games.spec import GameSpec

Schema = dict[str, Any]
"""A JSON Schema (draft 2020-12) as plain JSON values."""

COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
HEADING: Schema = {"enum": ["left", "right", "up", "down"]}


def object_of(**properties: Schema) -> Schema:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def with_optional(schema: Schema, **properties: Schema) -> Schema:
    """The object with properties that it may lack."""
    return {**schema, "properties": {**schema["properties"], **properties}}


def array_of(items: Schema, description: str) -> Schema:
    """An array of any length."""
    return {"type": "array", "items": items, "description": description}


def choice(labels: Iterable[str]) -> Schema:
    """One of some words, each listed once."""
    return {"enum": list(dict.fromkeys(labels))}


def nullable(labels: Iterable[str], description: str) -> Schema:
    """One of some words, or null."""
    return {"enum": [*dict.fromkeys(labels), None], "description": description}


def block_schema(spec: GameSpec) -> Schema:
    """The block of a tile."""
    return nullable([block.label for block in spec.blocks], "The block; null in darkness.")


def item_schema(spec: GameSpec) -> Schema:
    """The item on a tile."""
    return nullable([item.label for item in spec.items[1:]], "What lies on the block, if anything.")
