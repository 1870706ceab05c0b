"""Report bad input: one line on stderr that names the cure, and exit status 2."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import typer


def fail(message: str) -> NoReturn:
    """Report bad input, and exit with status 2.

    Args:
        message: What was expected, what came, and the cure.

    Raises:
        typer.Exit: Always.
    """
    typer.echo(f"craftax-text: {' '.join(message.split())}", err=True)
    raise typer.Exit(2)


@contextlib.contextmanager
def failing_on(*kinds: type[Exception]) -> Iterator[None]:
    """Report exceptions of the block as bad input: their message as one line, and exit status 2.

    Args:
        kinds: The exception types to report.

    Yields:
        Nothing.
    """
    try:
        yield
    except kinds as error:
        fail(str(error))


def check_at_least(option: str, value: int, least: int) -> None:
    """Fail if a number is too small.

    Args:
        option: The option's name.
        value: The value given.
        least: The minimum.
    """
    if value < least:
        fail(f"Expected {option} of at least {least}, got {value}.")


def check_path(option: str, path: Path, suffix: str) -> None:
    """Check early, before a game is compiled, whether an output file can be written.

    Args:
        option: The option's name.
        path: The path given.
        suffix: The required suffix, in lower case.
    """
    if path.suffix.lower() != suffix:
        fail(f"Expected {option} as a path that ends in {suffix}, got '{path}'.")
    if path.is_dir():
        fail(f"Expected {option} as the path of a file, got the folder '{path}'.")
    if not path.parent.is_dir():
        fail(f"Cannot write '{path}': make the folder '{path.parent}' first, or choose another path.")
