"""Which sections a text has, in which markup: `TextFormat`, its presets, and how one is chosen."""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from craftax_text_gym.text.markups import MARKUPS
from craftax_text_gym.text.sections import SECTIONS

DEFAULT_SECTIONS: tuple[str, ...] = ("status", "inventory", "nearby", "map", "actions")


def _choose(what: str, name: object, known: Mapping[str, object] | tuple[str, ...]) -> None:
    if not isinstance(name, str):
        raise TypeError(f"Expected the name of a {what}, got {name!r} of type {type(name).__name__}.")
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known
        raise ValueError(f"Unknown {what} {name!r}. The closest choices: {', '.join(near)}.")


@dataclass(frozen=True, slots=True)
class TextFormat:
    """How an observation is written. Immutable, hashable, JSON-able.

    Attributes:
        markup: How the sections are written down: a name from `text.markups.MARKUPS`.
        sections: Which sections, in which order: names from `text.sections.SECTIONS`.
        map: How the surroundings are told. `"grid"`: a character a tile, with a legend. `"list"`: every tile by its
            offset, and what all others are. `"both"`: the grid, and a list of all but the terrain.
    """

    markup: str = "markdown"
    sections: tuple[str, ...] = DEFAULT_SECTIONS
    map: Literal["both", "grid", "list"] = "both"

    def __post_init__(self) -> None:
        """Raise `ValueError` or `TypeError` where a field holds what it cannot."""
        if isinstance(self.sections, str) or not all(isinstance(name, str) for name in self.sections):
            raise TypeError(f"Expected sections as a sequence of names, got {self.sections!r}.")
        object.__setattr__(self, "sections", tuple(self.sections))
        _choose("markup", self.markup, MARKUPS)
        _choose("map", self.map, ("both", "grid", "list"))
        for name in self.sections:
            _choose("section", name, SECTIONS)
        if not self.sections or len(set(self.sections)) != len(self.sections):
            raise ValueError(f"Expected sections without repetition and at least one, got {self.sections}.")

    def to_json(self) -> dict[str, object]:
        """The fields as plain JSON values, which `resolve` takes back."""
        return json.loads(json.dumps(dataclasses.asdict(self)))  # type: ignore[no-any-return]

    @property
    def digest(self) -> str:
        """12 hex digits that are equal for equal formats, to be recorded with scores."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:12]


PRESETS: Mapping[str, TextFormat] = {"markdown": TextFormat()}


def resolve(text_format: str | Mapping[str, object] | TextFormat) -> TextFormat:
    """Turn what a user passes as `text_format` into a `TextFormat`.

    Args:
        text_format: A preset's name, a mapping of fields, or a `TextFormat`.

    Returns:
        The format.

    Raises:
        TypeError: If it is none of these.
        ValueError: If a name or field is unknown; the closest ones are in the message.
    """
    if isinstance(text_format, TextFormat):
        return text_format
    if isinstance(text_format, str):
        _choose("text_format", text_format, PRESETS)
        return PRESETS[text_format]
    if isinstance(text_format, Mapping):
        fields = tuple(field.name for field in dataclasses.fields(TextFormat))
        for name in text_format:
            _choose("text_format field", name, fields)
        return TextFormat(**cast("dict[str, str]", dict(text_format)))  # type: ignore[arg-type]
    raise TypeError(
        f"Expected text_format as a preset's name ({', '.join(PRESETS)}), a mapping of fields or a TextFormat, "
        f"got {text_format!r} of type {type(text_format).__name__}."
    )
