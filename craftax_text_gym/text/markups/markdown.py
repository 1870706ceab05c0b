"""Markdown: a heading for each section, the grid in a fence."""

from __future__ import annotations

from craftax_text_gym.text.markups import Part
from craftax_text_gym.text.markups.headed import Headed


class Markdown(Headed):
    """Markdown."""

    def section(self, part: Part) -> str:
        """Write one section."""
        heading = (f"## {part.title}",) if part.title else ()
        fence = ("```",) if part.body.grid else ()
        return "\n".join((*heading, *fence, *part.body.grid, *fence, *part.body.lines))
