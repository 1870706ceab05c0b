"""Optional extras and plugins: the error that names a missing extra, and loading an object by its name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any


@contextlib.contextmanager
def require_extra(extra: str) -> Iterator[None]:
    """Name the cure where an import within the block fails.

    Args:
        extra: The extra of this package that installs what is imported.

    Yields:
        Nothing.

    Raises:
        ImportError: In place of the one that an import raised; it names the command to run.
    """
    try:
        yield
    except ImportError as error:
        raise ImportError(f'{error}. Run: pip install "craftax-text-gym[{extra}]"', name=error.name) from error


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
