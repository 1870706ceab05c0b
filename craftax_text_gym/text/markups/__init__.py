"""How sections are written down, one file each. A new markup is a new file and a line in `MARKUPS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from craftax_text_gym.utils.plugins import load as _load

if TYPE_CHECKING:
    from craftax_text_gym.text.sections import Body

_HERE = "craftax_text_gym.text.markups"

MARKUPS: Mapping[str, str] = {
    "markdown": f"{_HERE}.markdown:Markdown",
    "xml": f"{_HERE}.xml:Xml",
    "json": f"{_HERE}.json:Json",
    "plain": f"{_HERE}.plain:Plain",
}
"""Name -> `"module:Class"`."""


class WordMarkup(Protocol):
    """Joins sections in words into one text; a user's own needs no more than this."""

    structured: Literal[False]

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Take the sections' headings by name, `""` for none."""

    def write(self, bodies: Mapping[str, Body]) -> str:
        """Write sections down.

        Args:
            bodies: Name -> words, of the sections that have something to say, in order; never empty.

        Returns:
            The text.
        """


class DataMarkup(Protocol):
    """Writes the sections' data as one text; a user's own needs no more than this."""

    structured: Literal[True]

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Take the sections' headings by name, `""` for none."""

    def write(self, data: Mapping[str, Any]) -> str:
        """Write data down.

        Args:
            data: Name -> JSON values, of every section, in order.

        Returns:
            The text.
        """


def load(name: str) -> type[WordMarkup] | type[DataMarkup]:
    """The class of a markup.

    Args:
        name: A key of `MARKUPS`, or a user's own `"package.module:Class"`.

    Returns:
        The class.

    Raises:
        ValueError: If it cannot be loaded.
    """
    markup: type[WordMarkup] | type[DataMarkup] = _load("markup", name, MARKUPS)
    return markup
