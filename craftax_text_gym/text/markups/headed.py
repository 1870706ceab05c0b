"""The base of markups that put sections under headings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Literal

from craftax_text_gym.text.section import Body


class Headed(ABC):
    """Sections one below the other; a subclass says what a heading and a grid look like."""

    structured: Literal[False] = False

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Prepare the headings.

        Args:
            titles: Name -> heading, `""` for none.
        """
        self._heads = {name: f"{self.heading(title)}\n" if title else "" for name, title in titles.items()}
        self._gap = "\n\n" if all(titles.values()) else "\n"

    @abstractmethod
    def heading(self, title: str) -> str:
        """A heading's line."""

    @abstractmethod
    def grid(self, rows: tuple[str, ...]) -> str:
        """A grid's lines."""

    def write(self, bodies: Mapping[str, Body]) -> str:
        """Write sections one below the other, with empty lines between them if all have headings."""
        written = []
        for name, (lines, rows) in bodies.items():
            words = "\n".join(lines)
            parts = [self.grid(rows), *([words] if words else [])] if rows else [words]
            written.append(self._heads[name] + "\n".join(parts))
        return self._gap.join(written)
