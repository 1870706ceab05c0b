"""XML: an element for each section, well-formed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal
from xml.sax.saxutils import escape

from craftax_text_gym.text.markup import add_lines, put_line_first
from craftax_text_gym.text.section import Body

_START = "<observation>"
_END = "</observation>"
_NOTES_END = f"</notes>\n{_END}"


class Xml:
    """XML."""

    structured: Literal[False] = False

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Name each element after its section; a user's own section gives the last part of its name."""
        self._elements = {name: name.rpartition(":")[2] for name in titles}

    def write(self, bodies: Mapping[str, Body]) -> str:
        """Write sections as elements of one observation."""
        written = []
        for name, (lines, rows) in bodies.items():
            element = self._elements[name]
            words = escape("\n".join((*rows, *lines)))
            written.append(f"<{element}>\n{words}\n</{element}>")
        return "\n".join((_START, *written, _END))

    @staticmethod
    def add_notes(text: str, notes: Sequence[str]) -> str:
        """Add notes to the element `<notes>`, the observation's last; outside of an observation, as lines."""
        if not text.endswith(_END):
            return add_lines(text, notes)
        lines = escape("\n".join(notes))
        if text.endswith(_NOTES_END):
            return f"{text.removesuffix(_NOTES_END)}{lines}\n{_NOTES_END}"
        return f"{text.removesuffix(_END)}<notes>\n{lines}\n{_NOTES_END}"

    @staticmethod
    def put_first(text: str, note: str) -> str:
        """Put a sentence into the element `<error>`, the observation's first; outside of one, as a line."""
        if not (text.startswith(_START) and text.endswith(_END)):
            return put_line_first(text, note)
        return f"{_START}\n<error>\n{escape(note)}\n</error>{text.removeprefix(_START)}"
