"""What a section is."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.schema_parts import Schema


class Body(NamedTuple):
    """The content of a section in words.

    Attributes:
        lines: Lines of words.
        grid: Rows of characters above the lines, to be kept in columns.
    """

    lines: list[str]
    grid: tuple[str, ...] = ()


class Section(Protocol):
    """A part of a text; a user's own needs no more than this.

    Attributes:
        title: Its heading; `""` for none.
    """

    title: str

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        """Prepare whatever does not change from step to step."""

    def body(self, moment: Moment) -> Body | None:
        """The section in words; None where it has nothing to report."""

    def data(self, moment: Moment) -> Any:
        """The section as JSON values, for structured markups."""


@runtime_checkable
class DescribedSection(Section, Protocol):
    """A section that also says what its data looks like; `json_schema` takes any value from one that does not."""

    def schema(self) -> Schema:
        """The JSON Schema (draft 2020-12) that all of its `data` meets."""
