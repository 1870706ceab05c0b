"""JSON: one object with the sections' data by name."""

from __future__ import annotations

import json
from typing import Any, Literal


class Json:
    """Compact JSON in printable ASCII."""

    structured: Literal[True] = True

    def __init__(self) -> None:
        self._encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

    def write(self, data: dict[str, Any]) -> str:
        """Write sections as one object."""
        return self._encode(data)
