"""Compiled functions on disk, so that only the first process on a machine compiles.

The user's JAX configuration and JAX's own cache are left alone. An entry is executable code: it is kept only in a
folder that belongs to the user and that no one else may enter. Whatever goes wrong here, the game is compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pickle
import platform
import stat
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jax
import platformdirs
from jax.experimental import serialize_executable

from craftax_text_gym.utils import provenance

SWITCH = "CRAFTAX_TEXT_CACHE"
"""The environment variable: `off` for no cache, or another folder for it."""

_CHECKSUM_BYTES = hashlib.sha256().digest_size
_ENTRY = ".xla"
_UNFINISHED = ".part"
_LONGEST_WRITE = 3600.0
_LONGEST_UNUSED = 90 * 24 * 3600.0
"""Seconds after which an entry that no process has loaded is removed: it is of other versions, most likely."""
_OWN_SOURCES = ("availability", "engine", "games", "observation")
_CRAFTAX_SOURCES = ("craftax", "craftax_classic", "environment_base")
_UNLOADABLE = (
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    pickle.UnpicklingError,
)
"""What reading an entry may raise, from the file system, pickle or XLA."""


def folder() -> Path | None:
    """Where the entries lie; it need not exist yet.

    Returns:
        The folder, or None where the cache is switched off.
    """
    choice = os.environ.get(SWITCH, "")
    if choice.lower() in ("off", "0", "false", "no"):
        return None
    return Path(choice).expanduser() if choice else platformdirs.user_cache_path("craftax-text-gym", appauthor=False)


def load(name: str) -> Callable[..., Any] | None:
    """A compiled function of an earlier process.

    Args:
        name: Of the function, its game, sizes and device.

    Returns:
        The function; None where there is none that can be used here.
    """
    path = _path(name)
    if path is None:
        return None
    try:
        if not path.exists():
            return None
        _check_private(path.parent)
        _check_private(path)
        content = path.read_bytes()
        checksum, payload = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
        if _checksum(path, payload) != checksum:
            raise ValueError("its checksum is wrong")
        with contextlib.suppress(OSError):  # the folder may be one that is only read
            path.touch()
        serialized, in_tree, out_tree, device = pickle.loads(payload)
        devices = [entry for entry in jax.local_devices() if entry.id == device]
        compiled: Callable[..., Any] = serialize_executable.deserialize_and_load(
            serialized, in_tree, out_tree, execution_devices=devices
        )
    except _UNLOADABLE as error:
        _warning.give(f"The compiled function {path} cannot be used ({error}), so it is compiled anew.")
        return None
    return compiled


def store(name: str, compiled: Any, device: int) -> None:
    """Keep a compiled function for later processes.

    Args:
        name: Of the function, its game, sizes and device.
        compiled: A `jax.stages.Compiled`.
        device: The id of the device that it was compiled for.
    """
    path = _path(name)
    if path is None:
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_private(path.parent)
        payload = pickle.dumps((*serialize_executable.serialize(compiled), device))
        _remove_old(path.parent)
        _write_whole(path, _checksum(path, payload) + payload)
    except _UNLOADABLE as error:
        _warning.give(
            f"Compiled functions cannot be kept in {path.parent} ({error}); set {SWITCH} to another folder or off."
        )


def _path(name: str) -> Path | None:
    place = folder()
    if place is None:
        return None
    digest = hashlib.sha256(f"{name} {_identity()} {_settings()}".encode()).hexdigest()
    return place / f"{name}-{digest[:32]}{_ENTRY}"


def _checksum(path: Path, payload: bytes) -> bytes:
    """Of the entry's name too, so that an entry cannot stand in for another."""
    return hashlib.sha256(path.name.encode() + payload).digest()


def _remove_old(place: Path) -> None:
    """Remove what writers left that were killed long ago, and entries that have not been used for long."""
    for ending, longest in ((_UNFINISHED, _LONGEST_WRITE), (_ENTRY, _LONGEST_UNUSED)):
        for path in place.glob(f"*{ending}"):
            with contextlib.suppress(FileNotFoundError):  # another process may finish it, or remove it too
                if path.lstat().st_mtime < time.time() - longest:
                    path.unlink()


def _write_whole(path: Path, content: bytes) -> None:
    """Write so that other processes see nothing or all of it."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=_UNFINISHED, delete=False) as file:
        try:
            file.write(content)
            file.close()
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def _check_private(path: Path) -> None:
    """Raise `PermissionError` unless the path is the user's own and closed to all others."""
    if not hasattr(os, "getuid"):  # Windows: the user's profile is private already
        return
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise PermissionError(f"expected {path} to be yours alone: chmod go-rwx '{path}', or another folder")


@lru_cache
def _identity() -> str:
    """All that decides whether compiled code fits: machine, backend, versions and sources."""
    device = jax.local_devices()[0]
    return json.dumps(
        [
            platform.machine(),
            _processor(),
            platform.python_version(),
            device.platform,
            device.device_kind,
            device.client.platform_version,
            len(jax.local_devices()),
            dict(provenance.versions()),
            _digest_of_sources(),
        ]
    )


def _settings() -> list[str]:
    """The user's settings that compilation depends on and that are not pinned."""
    return [os.environ.get("XLA_FLAGS", ""), str(jax.config.jax_default_matmul_precision)]  # type: ignore[attr-defined]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return str(sorted({line for line in lines if line.startswith(("flags", "Features", "model name"))}))


def _digest_of_sources() -> str:
    digest = hashlib.sha256()
    own, craftax = Path(__file__).parents[1], find_spec("craftax")
    theirs = Path((craftax.submodule_search_locations or ["."])[0]) if craftax else own
    for place in (*(own / name for name in _OWN_SOURCES), *(theirs / name for name in _CRAFTAX_SOURCES)):
        for path in sorted(place.rglob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


class _Warning:
    """Warns once a process, from whichever thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.is_given = False

    def give(self, message: str) -> None:
        with self._lock:
            is_first, self.is_given = not self.is_given, True
        if is_first:
            warnings.warn(message, RuntimeWarning, stacklevel=3)


_warning = _Warning()
