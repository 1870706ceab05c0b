"""Files of JSON Lines that many processes append to, any of which may be killed at any moment.

A line is written by one `write` to a file opened for appending, under a lock: lines of several processes never mix. A
line that a killed process left torn stays alone on its line, so it spoils no other.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FILE_MODE = 0o666


class RecordingError(OSError):
    """A log or trajectory cannot be written; the message names the path, the reason and the cure."""


@dataclass(frozen=True, slots=True)
class Lines:
    """What a file of JSON Lines holds.

    Attributes:
        values: The objects, in the file's order.
        num_torn: How many lines are no whole JSON object: what killed processes left.
    """

    values: tuple[dict[str, Any], ...]
    num_torn: int


def encode(value: Mapping[str, Any]) -> bytes:
    """One line.

    Args:
        value: JSON-able, without NaN or infinity.

    Returns:
        Its JSON and a newline.

    Raises:
        ValueError: If it holds NaN or infinity.
        TypeError: If it is not JSON-able.
    """
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def append(path: str | os.PathLike[str], value: Mapping[str, Any]) -> None:
    """Add one line to a file, which is made if there is none.

    Args:
        path: The file. Its folder must exist.
        value: JSON-able, without NaN or infinity.

    Raises:
        RecordingError: If it cannot be written; the file is then as it was before.
        ValueError: If the value holds NaN or infinity.
        TypeError: If it is not JSON-able.
    """
    import fcntl  # of Unix alone: the rest of the package shall do without

    line = encode(value)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, _FILE_MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            _append(descriptor, line)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _explained(error, path) from error


def create(path: str | os.PathLike[str], value: Mapping[str, Any]) -> None:
    """Make a file with one line in it.

    Args:
        path: The file. Its folder must exist.
        value: JSON-able, without NaN or infinity.

    Raises:
        FileExistsError: If there is such a file already.
        RecordingError: If it cannot be written.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE))
    except FileExistsError:
        raise
    except OSError as error:
        raise _explained(error, path) from error
    append(path, value)


def read(path: str | os.PathLike[str]) -> Lines:
    """Read a file, leaving out torn lines but counting them.

    Args:
        path: The file.

    Returns:
        Its objects, and how many lines were torn.

    Raises:
        OSError: If it cannot be read.
    """
    values, num_torn = [], 0
    with Path(path).open("rb") as file:
        for line in file:
            if line.strip():
                value = _decode(line)
                if value is None:
                    num_torn += 1
                else:
                    values.append(value)
    return Lines(tuple(values), num_torn)


def _append(descriptor: int, line: bytes) -> None:
    """Write under the lock. What a full disk cut short is taken back, so that no part of a line stays."""
    status = os.fstat(descriptor)
    size = status.st_size if stat.S_ISREG(status.st_mode) else 0
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        line = b"\n" + line
    try:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError:
        if stat.S_ISREG(status.st_mode):
            os.ftruncate(descriptor, size)
        raise


def _decode(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


_CURES = {
    errno.ENOSPC: "free space on the disk",
    errno.EDQUOT: "free space within your quota",
    errno.ENOENT: "make the folder first",
    errno.EACCES: "allow writing there",
    errno.EPERM: "allow writing there",
    errno.EROFS: "that disk is read-only",
}


def _explained(error: OSError, path: str | os.PathLike[str]) -> RecordingError:
    cure = _CURES.get(error.errno or 0)
    advice = f"{cure}, or choose another path" if cure else "choose another path"
    explained = RecordingError(f"Cannot write '{os.fspath(path)}' ({error.strerror or error}): {advice}.")
    explained.errno = error.errno
    return explained
