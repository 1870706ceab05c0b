"""XML: an element for each section, well-formed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from xml.sax.saxutils import escape

from craftax_text_gym.text.section import Body


class Xml:
    """XML."""

    structured: Literal[False] = False

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Name the elements: after the sections; after a user's own, by the last part of its name."""
        self._elements = {name: name.rpartition(":")[2] for name in titles}

    def write(self, bodies: Mapping[str, Body]) -> str:
        """Write sections as elements of one observation."""
        written = []
        for name, (lines, rows) in bodies.items():
            element = self._elements[name]
            words = escape("\n".join((*rows, *lines)))
            written.append(f"<{element}>\n{words}\n</{element}>")
        return "\n".join(("<observation>", *written, "</observation>"))
