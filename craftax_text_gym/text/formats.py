"""Which sections a text has, in which markup: `TextFormat`, its presets, and how to choose one."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from craftax_text_gym.text.registry import MARKUPS, SECTIONS
from craftax_text_gym.utils.validation import check_choice

DEFAULT_SECTIONS: tuple[str, ...] = ("feedback", "status", "inventory", "nearby", "map", "actions")

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "map": ("both", "grid", "list", "none"),
    "grid": ("dense", "spaced", "labelled"),
    "directions": ("up", "north"),
}


@dataclass(frozen=True, slots=True)
class TextFormat:
    """How an observation is written. Immutable, hashable, JSON-able.

    Attributes:
        markup: How the sections are written down: `"markdown"`, `"xml"`, `"json"`, `"plain"`, or a user's own as
            `"package.module:Name"`.
        sections: Which sections, in which order: of `"feedback"` (what the last action did), `"status"` (vitals,
            place, the faced tile and the one underfoot), `"inventory"`, `"nearby"` (what is in view, by offset),
            `"map"` (the grid), `"achievements"`, `"actions"` (those available now), `"balrog"`, or a user's own as
            `"package.module:Name"`.
        map: How the surroundings are shown. `"grid"`: one character per tile, with a legend. `"list"`: every tile by
            its offset, except those of the commonest kind. `"both"`: the grid, and a list of everything but terrain.
            `"none"`: neither.
        grid: How the grid is laid out. `"dense"`: one character per tile and nothing between. `"spaced"`: a space
            between neighbours, so that each tile is a token of its own. `"labelled"`: spaced, with the offsets of rows
            and columns at its edges.
        legend: Whether the characters in view are explained below the grid; `instructions` explain all of them anyway.
        radius: How far, in rows and in columns, the list of `"nearby"` reaches; None for the whole window. A list
            that is cut short says so.
        directions: The words of offsets and headings: `"up"` (down, left, right) or `"north"` (south, west, east).
        absent: Whether the inventory lists what the player lacks.
        terse: Whether to drop headings and whatever can be derived from the rest, such as maxima.
    """

    markup: str = "markdown"
    sections: tuple[str, ...] = DEFAULT_SECTIONS
    map: Literal["both", "grid", "list", "none"] = "both"
    grid: Literal["dense", "spaced", "labelled"] = "dense"
    legend: bool = True
    radius: int | None = None
    directions: Literal["up", "north"] = "up"
    absent: bool = False
    terse: bool = False

    def __post_init__(self) -> None:
        """Check the fields; raises `ValueError` or `TypeError` where one is invalid."""
        if isinstance(self.sections, str) or not isinstance(self.sections, Iterable):
            raise TypeError(f"Expected sections as a sequence of names, got {self.sections!r}.")
        object.__setattr__(self, "sections", tuple(self.sections))
        check_choice("markup", self.markup, MARKUPS, custom=True)
        for name in self.sections:
            check_choice("section", name, SECTIONS, custom=True)
        for field, choices in _CHOICES.items():
            check_choice(field, getattr(self, field), choices)
        for field in ("legend", "absent", "terse"):
            if not isinstance(getattr(self, field), bool):
                raise TypeError(f"Expected {field} as True or False, got {getattr(self, field)!r}.")
        if not self.sections or len(set(self.sections)) != len(self.sections):
            raise ValueError(f"Expected at least one section and none twice, got {self.sections}.")
        if self.radius is not None and (isinstance(self.radius, bool) or not isinstance(self.radius, int)):
            raise TypeError(f"Expected radius as an int or None, got {self.radius!r}.")
        if self.radius is not None and self.radius < 1:
            raise ValueError(f"Expected a radius of at least 1, or None for the whole window, got {self.radius}.")

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values, which `resolve` takes back."""
        fields: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        return fields

    @property
    def digest(self) -> str:
        """12 hex digits, equal for equal formats; recorded with scores."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:12]


PRESETS: Mapping[str, TextFormat] = {
    "markdown": TextFormat(),
    "xml": TextFormat(markup="xml"),
    "json": TextFormat(
        markup="json", sections=("feedback", "status", "inventory", "nearby", "map", "achievements", "actions")
    ),
    "plain": TextFormat(markup="plain", map="list"),
    "compact": TextFormat(markup="plain", sections=DEFAULT_SECTIONS[:-1], map="grid", terse=True),
    "balrog": TextFormat(markup="plain", sections=("feedback", "balrog", "actions"), map="list", directions="north"),
}
"""The named formats."""


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
        check_choice("text_format", text_format, PRESETS)
        return PRESETS[text_format]
    if isinstance(text_format, Mapping):
        for name in text_format:
            check_choice("text_format field", name, (field.name for field in dataclasses.fields(TextFormat)))
        fields: dict[str, Any] = dict(text_format)
        return TextFormat(**fields)
    raise TypeError(
        f"Expected text_format as a preset's name ({', '.join(PRESETS)}), a mapping of fields or a TextFormat, "
        f"got {text_format!r} of type {type(text_format).__name__}."
    )
