"""Plain text: headings with a colon, no other markup."""

from __future__ import annotations

from craftax_text_gym.text.markups.headed import Headed


class Plain(Headed):
    """Plain text."""

    def heading(self, title: str) -> str:
        """A heading's line."""
        return f"{title}:"

    def grid(self, rows: tuple[str, ...]) -> str:
        """A grid's lines."""
        return "\n".join(rows)
