"""Sections under headings, whatever a heading looks like."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

from craftax_text_gym.text.markups import Part


class Headed(ABC):
    """Sections one under another; a subclass says how one is written."""

    structured: Literal[False] = False

    def write(self, parts: list[Part]) -> str:
        """Write sections one under another, an empty line between those that have headings."""
        return ("\n\n" if parts[0].title else "\n").join([self.section(part) for part in parts])

    @abstractmethod
    def section(self, part: Part) -> str:
        """Write one section."""
