"""The model's private notes: a tagged section of its reply, which the action parser skips."""

from __future__ import annotations

import re

_NOTES = re.compile(r"<scratchpad\s*>(.*?)</scratchpad\s*>", re.DOTALL | re.IGNORECASE)


def extract_notes(reply: str) -> str | None:
    """Extract the notes from a reply.

    Args:
        reply: The text of the reply.

    Returns:
        The last complete notes, stripped; None if there are none.
    """
    found = _NOTES.findall(reply)
    return found[-1].strip() if found else None


def format_notes(notes: str) -> str:
    """Format the notes for the model."""
    return f"<scratchpad>\n{notes or '(empty)'}\n</scratchpad>"
