"""How sections are written down, one file each. A new markup is a new file and a line in `MARKUPS`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Protocol

MARKUPS: Mapping[str, str] = {
    "markdown": "craftax_text_gym.text.markups.markdown:write",
}
"""Name -> `"module:function"`."""


class Markup(Protocol):
    """Joins titled sections into one text."""

    def __call__(self, sections: list[tuple[str, list[str]]]) -> str:
        """Write the sections down.

        Args:
            sections: Titles and lines, none of them empty.

        Returns:
            The text.
        """


def load(name: str) -> Markup:
    """The function of a markup.

    Args:
        name: A key of `MARKUPS`.

    Returns:
        The function.
    """
    module, _, attribute = MARKUPS[name].partition(":")
    markup: Markup = getattr(import_module(module), attribute)
    return markup
