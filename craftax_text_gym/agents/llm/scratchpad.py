"""The model's private notes: a tagged section of its reply, which the parser of actions passes over."""

from __future__ import annotations

import re

_NOTES = re.compile(r"<scratchpad\s*>(.*?)</scratchpad\s*>", re.DOTALL | re.IGNORECASE)


def find_notes(reply: str) -> str | None:
    """The notes in a reply.

    Args:
        reply: Its text.

    Returns:
        The last notes that are closed, without white space around them; None where there are none.
    """
    found = _NOTES.findall(reply)
    return found[-1].strip() if found else None


def show_notes(notes: str) -> str:
    """How the notes are shown to the model again."""
    return f"<scratchpad>\n{notes or '(empty)'}\n</scratchpad>"
