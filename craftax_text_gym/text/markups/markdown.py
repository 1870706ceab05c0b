"""Markdown: a heading for each section, the grid in a fence."""

from __future__ import annotations

from craftax_text_gym.text.markups.headed import Headed


class Markdown(Headed):
    """Markdown."""

    def heading(self, title: str) -> str:
        """A heading's line."""
        return f"## {title}"

    def grid(self, rows: tuple[str, ...]) -> str:
        """A grid's lines, in a fence."""
        return "\n".join(("```", *rows, "```"))
