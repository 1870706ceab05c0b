"""What the markups that write words have in common."""

from __future__ import annotations

from typing import Any

from craftax_text_gym.text.markups import Part


class WordMarkup:
    """A markup of words; a subclass says how one section is written."""

    structured = False

    def write(self, parts: list[Part]) -> str:
        """Write sections one under another, an empty line between those that have headings."""
        return ("\n\n" if parts[0].title else "\n").join([self.section(part) for part in parts])

    def section(self, part: Part) -> str:
        """Write one section."""
        raise NotImplementedError

    def write_data(self, data: dict[str, Any]) -> str:
        """Refuse: this markup writes words."""
        raise TypeError(f"{type(self).__name__} writes words, not data.")
