"""Markdown: a heading for each section, the grid in a fence."""

from __future__ import annotations

from craftax_text_gym.text.markups import Part
from craftax_text_gym.text.markups.headed import Headed


class Markdown(Headed):
    """Markdown."""

    def section(self, part: Part) -> str:
        """Write one section."""
        words = "\n".join(part.body.lines)
        if part.body.grid:
            words = "\n".join(("```", *part.body.grid, "```", words))
        return f"## {part.title}\n{words}" if part.title else words
