"""The JSON Schema of observations that are written as data."""

from __future__ import annotations

from collections.abc import Mapping

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.text.formats import TextFormat, resolve
from craftax_text_gym.text.loading import load_markup
from craftax_text_gym.text.schema_parts import Schema, array_of, object_of, with_optional
from craftax_text_gym.text.section import DescribedSection
from craftax_text_gym.text.writer import get_writer


def json_schema(game: str | GameSpec, text_format: str | Mapping[str, object] | TextFormat = "json") -> Schema:
    """The JSON Schema (draft 2020-12) that every observation of a game in a format meets.

    Args:
        game: `"full"`, `"classic"`, an environment id, or the spec.
        text_format: The same as the environment was made with; its markup must write data, as `"json"` does.

    Returns:
        The schema, as plain JSON values. Offsets in it are rows below (`down`) and columns right of (`right`) the
        player, negative above and left; a block is null where it is too dark to see. A user's own section may be
        anything, unless it has a `schema` of its own. `error` and `notes` are what wrappers add.

    Raises:
        TypeError: If `text_format` is not a format.
        ValueError: If there is no such game or format, or its markup writes words.
    """
    spec, chosen = games.get(game), resolve(text_format)
    if not load_markup(chosen.markup).structured:
        raise ValueError(
            f"Expected a text_format whose markup writes data, got markup={chosen.markup!r}. "
            "Use text_format='json', or a mapping with markup='json'."
        )
    sections = get_writer(spec, chosen).sections
    properties = {
        name: section.schema() if isinstance(section, DescribedSection) else {} for name, section in sections.items()
    }
    error = {"type": "string", "description": "Why the last reply was invalid."}
    notes = array_of({"type": "string"}, "What wrappers add, a sentence each.")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"An observation of {spec.title}",
        **with_optional(object_of(**properties), error=error, notes=notes),
    }
