"""XML: an element for each section, well-formed."""

from __future__ import annotations

from typing import Literal
from xml.sax.saxutils import escape

from craftax_text_gym.text.markups import Part


class Xml:
    """XML."""

    structured: Literal[False] = False

    def write(self, parts: list[Part]) -> str:
        """Write sections as elements of one observation."""
        elements = [
            f"<{(name := _element(part.name))}>\n{escape(chr(10).join((*part.body.grid, *part.body.lines)))}\n</{name}>"
            for part in parts
        ]
        return "\n".join(("<observation>", *elements, "</observation>"))


def _element(name: str) -> str:
    """The section's name; of a user's own, the last part."""
    return name.rpartition(":")[2]
