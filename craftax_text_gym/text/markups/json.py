"""JSON: one object with the sections' data by name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from craftax_text_gym.text.markup import add_lines, put_line_first

_NOTES_AT_END = re.compile(r',"notes":\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*\]\}\Z')
"""The list of notes as the last member of an object. No section is called `notes`, so it is always ours."""


class Json:
    """Compact JSON in printable ASCII."""

    structured: Literal[True] = True

    def __init__(self, _titles: Mapping[str, str]) -> None:
        self._encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

    def write(self, data: Mapping[str, Any]) -> str:
        """Write sections as one object."""
        return self._encode(dict(data))

    @staticmethod
    def add_notes(text: str, notes: Sequence[str]) -> str:
        """Add notes to the list `"notes"`, the object's last member; outside of an object, as lines."""
        if not (text.startswith("{") and text.endswith("}")):
            return add_lines(text, notes)
        strings = ",".join([json.dumps(note) for note in notes])
        if _NOTES_AT_END.search(text):
            return f"{text[:-2]},{strings}]}}"
        return f'{text[:-1]},"notes":[{strings}]}}'

    @staticmethod
    def put_first(text: str, note: str) -> str:
        """Put a sentence into the object's first member, `"error"`; outside of an object, as a line."""
        if not (text.startswith("{") and text.endswith("}")):
            return put_line_first(text, note)
        rest = text[1:]
        return f'{{"error":{json.dumps(note)}{"" if rest == "}" else ","}{rest}'
