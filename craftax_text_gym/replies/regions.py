"""A marked part of a reply."""

from __future__ import annotations

from typing import NamedTuple

TOP_RANK, BOX_RANK, JSON_RANK, FENCE_RANK, LABEL_RANK, PHRASE_RANK = range(6)
"""How formal the kinds of markers are, from the most to the least."""


class Region(NamedTuple):
    """A marked part of a text.

    Attributes:
        kind: The marker.
        rank: How formal the marker is; 0 is the most.
        start: Where the marker begins.
        end: Where it ends.
        value: What it marks: a text, or the value of a call or of JSON.
        is_cut: Whether it is opened and never closed.
    """

    kind: str
    rank: int
    start: int
    end: int
    value: object
    is_cut: bool = False
