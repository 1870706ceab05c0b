"""How sections are written down, one file each. A new markup is a new file and a line in `MARKUPS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from craftax_text_gym.text.loading import load as _load

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


class Part(NamedTuple):
    """A section that is about to be written down.

    Attributes:
        name: The section's name in the format.
        title: Its heading; `""` for none.
        body: Its words.
    """

    name: str
    title: str
    body: Body


class WordMarkup(Protocol):
    """Joins sections in words into one text; a user's own needs no more than this."""

    structured: Literal[False]

    def write(self, parts: list[Part]) -> str:
        """Write sections down.

        Args:
            parts: The sections that have something to say; never empty.

        Returns:
            The text.
        """


class DataMarkup(Protocol):
    """Writes the sections' data as one text; a user's own needs no more than this."""

    structured: Literal[True]

    def write(self, data: dict[str, Any]) -> str:
        """Write data down.

        Args:
            data: Section's name -> its JSON values.

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
