"""Checking numbers and switches that a user chose."""

from __future__ import annotations


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
