"""Checks of the values and names that users pass, with errors that name the valid choices."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def check_count(name: str, count: object) -> None:
    """Check a whole number from 1.

    Args:
        name: What it is, for the message.
        count: The number.

    Raises:
        TypeError: If it is no int.
        ValueError: If it is below 1.
    """
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"Expected {name} as an int, got {count!r} of type {type(count).__name__}.")
    if count < 1:
        raise ValueError(f"Expected {name} of at least 1, got {count}.")


def check_flag(name: str, flag: object) -> None:
    """Check a bool; raises `TypeError` where it is none."""
    if not isinstance(flag, bool):
        raise TypeError(f"Expected {name} as True or False, got {flag!r}.")


def check_choice(what: str, name: object, known: Iterable[str], custom: bool = False) -> None:
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
    by_lower = {known_name.lower(): known_name for known_name in names}
    close = difflib.get_close_matches(name.lower(), by_lower, n=3, cutoff=0.4)
    return [by_lower[found] for found in close] or names
