"""How sections are written down, one file each. A new markup is a new file and a line in `MARKUPS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

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


class Markup(Protocol):
    """Joins sections into one text; a user's own needs no more than this.

    Attributes:
        structured: Whether it writes the sections' data (`write_data`) instead of their words (`write`).
    """

    structured: bool

    def write(self, parts: list[Part]) -> str:
        """Write sections in words."""

    def write_data(self, data: dict[str, Any]) -> str:
        """Write sections as JSON values, by name."""


def load(name: str) -> type[Markup]:
    """The class of a markup.

    Args:
        name: A key of `MARKUPS`, or a user's own `"package.module:Class"`.

    Returns:
        The class.

    Raises:
        ValueError: If it cannot be loaded.
    """
    markup: type[Markup] = _load("markup", name, MARKUPS)
    return markup
