"""JSON: one object with the sections' data by name."""

from __future__ import annotations

import json
from typing import Any

from craftax_text_gym.text.markups import Part


class Json:
    """Compact JSON in printable ASCII."""

    structured = True

    def __init__(self) -> None:
        self._encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

    def write(self, parts: list[Part]) -> str:
        """Refuse: this markup writes data."""
        raise TypeError("Json writes data, not words.")

    def write_data(self, data: dict[str, Any]) -> str:
        """Write sections as one object."""
        return self._encode(data)
