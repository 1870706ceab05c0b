"""Optional dependencies: what to install where one is missing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def needed(extra: str) -> Iterator[None]:
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
