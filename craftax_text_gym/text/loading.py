"""Finding a section or a markup by its name: one of ours, or a user's own."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def load(what: str, name: str, table: Mapping[str, str]) -> Any:
    """Import what a name stands for.

    Args:
        what: What it is, for the message.
        name: A key of `table`, or a user's own `"package.module:Name"`.
        table: Name -> `"package.module:Name"`.

    Returns:
        The object.

    Raises:
        ValueError: If the module or the name in it does not exist.
    """
    module, _, attribute = table.get(name, name).partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"Expected {what} as 'package.module:Name', but {name!r} cannot be loaded: {error}") from error
