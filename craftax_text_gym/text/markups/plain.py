"""Plain text: a heading and a colon, no markup at all."""

from __future__ import annotations

from craftax_text_gym.text.markups import Part
from craftax_text_gym.text.markups.headed import Headed


class Plain(Headed):
    """Plain text."""

    def section(self, part: Part) -> str:
        """Write one section."""
        heading = (f"{part.title}:",) if part.title else ()
        return "\n".join((*heading, *part.body.grid, *part.body.lines))
