"""What a markup is, and how one is loaded by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from craftax_text_gym.text.registry import MARKUPS
from craftax_text_gym.text.section import Body
from craftax_text_gym.utils.plugins import load


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


def load_markup(name: str) -> type[WordMarkup] | type[DataMarkup]:
    """Import the class of a markup.

    Args:
        name: A key of `MARKUPS`, or a user's own `"package.module:Class"`.

    Returns:
        The class.

    Raises:
        ValueError: If it cannot be loaded.
    """
    markup: type[WordMarkup] | type[DataMarkup] = load("markup", name, MARKUPS)
    return markup
