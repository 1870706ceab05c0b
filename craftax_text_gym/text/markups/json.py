"""JSON: one object with the sections' data by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal


class Json:
    """Compact JSON in printable ASCII."""

    structured: Literal[True] = True

    def __init__(self, _titles: Mapping[str, str]) -> None:
        self._encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

    def write(self, data: Mapping[str, Any]) -> str:
        """Write sections as one object."""
        return self._encode(dict(data))
