"""JSON Lines files that many processes append to, any of which may be killed at any moment.

Each line is appended by one `write` under a lock, so lines of several processes never mix. A torn line, left by a
killed process, stays on a line of its own and corrupts no other.
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
    """The contents of a JSON Lines file.

    Attributes:
        values: The objects, in file order.
        num_torn: The number of lines that are not a complete JSON object, left by killed processes.
    """

    values: tuple[dict[str, Any], ...]
    num_torn: int


def encode(value: Mapping[str, Any]) -> bytes:
    """Encode an object as one line.

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
    """Append one line to a file, which is created if needed.

    Args:
        path: The file. Its folder must exist.
        value: JSON-able, without NaN or infinity.

    Raises:
        RecordingError: If it cannot be written; the file is then unchanged.
        ValueError: If the value holds NaN or infinity.
        TypeError: If it is not JSON-able.
    """
    import fcntl  # Unix only: keep the rest of the package importable elsewhere

    line = encode(value)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, _FILE_MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            _append(descriptor, line)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _to_recording_error(error, path) from error


def create(path: str | os.PathLike[str], value: Mapping[str, Any]) -> None:
    """Create a file with one line.

    Args:
        path: The file. Its folder must exist.
        value: JSON-able, without NaN or infinity.

    Raises:
        FileExistsError: If the file exists.
        RecordingError: If it cannot be written.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE))
    except FileExistsError:
        raise
    except OSError as error:
        raise _to_recording_error(error, path) from error
    append(path, value)


def make_folder(folder: Path) -> None:
    """Make the folder of files to be written, if it does not exist.

    Args:
        folder: The folder; its parents are made too.

    Raises:
        RecordingError: If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordingError(f"Cannot make the folder '{folder}' ({error.strerror}): choose another one.") from error


def read(path: str | os.PathLike[str]) -> Lines:
    """Read a file; torn lines are skipped and counted.

    Args:
        path: The file.

    Returns:
        The objects, and the number of torn lines.

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
    """Write under the lock. If the disk is full, truncate the file to its old size, so that no partial line stays."""
    status = os.fstat(descriptor)
    size = status.st_size if stat.S_ISREG(status.st_mode) else 0
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        line = b"\n" + line
    try:
        remaining = memoryview(line)
        while remaining:
            remaining = remaining[os.write(descriptor, remaining) :]
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


def _to_recording_error(error: OSError, path: str | os.PathLike[str]) -> RecordingError:
    cure = _CURES.get(error.errno or 0)
    advice = f"{cure}, or choose another path" if cure else "choose another path"
    wrapped = RecordingError(f"Cannot write '{os.fspath(path)}' ({error.strerror or error}): {advice}.")
    wrapped.errno = error.errno
    return wrapped
