"""Checking names that a user chose from a list, with the closest ones in the error."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def choose(what: str, name: object, known: Iterable[str], custom: bool = False) -> None:
    """Check a name.

    Args:
        what: What it is the name of, for the message.
        name: The name.
        known: The names that there are.
        custom: Whether a user's own `"package.module:Name"` will do too.

    Raises:
        TypeError: If it is no string.
        ValueError: If there is no such name; the closest ones are in the message.
    """
    names = tuple(known)
    if not isinstance(name, str):
        raise TypeError(f"Expected {what} as one of {names}, got {name!r} of type {type(name).__name__}.")
    if name not in names and not (custom and ":" in name):
        raise ValueError(f"Unknown {what} {name!r}. The closest choices: {', '.join(nearest(name, names))}.")


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The names that are closest to one that is unknown; all of them where none is close."""
    names = list(known)
    return difflib.get_close_matches(name, names, n=3, cutoff=0.4) or names
