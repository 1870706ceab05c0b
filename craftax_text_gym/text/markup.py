"""What a markup is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

from craftax_text_gym.text.section import Body


class WordMarkup(Protocol):
    """Joins sections in words into one text; a user's own needs no more than this."""

    structured: Literal[False]

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Take the sections' headings by name, `""` for none."""

    def write(self, bodies: Mapping[str, Body]) -> str:
        """Write the sections as one text.

        Args:
            bodies: Name -> words, of the sections that have something to report, in order; never empty.

        Returns:
            The text.
        """


class DataMarkup(Protocol):
    """Writes the sections' data as one text; a user's own needs no more than this."""

    structured: Literal[True]

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Take the sections' headings by name, `""` for none."""

    def write(self, data: Mapping[str, Any]) -> str:
        """Write the data as one text.

        Args:
            data: Name -> JSON values, of every section, in order.

        Returns:
            The text.
        """


@runtime_checkable
class NotedMarkup(Protocol):
    """A markup that says where notes go; those of one that does not are lines after an empty one."""

    @staticmethod
    def add_notes(text: str, notes: Sequence[str]) -> str:
        """Add notes at the end of a text.

        Args:
            text: What `write` returned, with earlier notes or without; a wrapper may have put it into a longer text.
            notes: Sentences, at least one.

        Returns:
            The text with the notes after the earlier ones.
        """


@runtime_checkable
class LedMarkup(Protocol):
    """A markup that says where a sentence goes that must be read first; that of one that does not is the first line."""

    @staticmethod
    def put_first(text: str, note: str) -> str:
        """Put a sentence before all else.

        Args:
            text: As for `add_notes`.
            note: The sentence.

        Returns:
            The text with the sentence at its beginning.
        """


def put_line_first(text: str, note: str) -> str:
    """Put a sentence before all else, as a line with an empty one after it."""
    return f"{note}\n\n{text}"


def add_lines(text: str, notes: Sequence[str]) -> str:
    """Add notes as lines after an empty one."""
    return "\n".join((text, "", *notes))
