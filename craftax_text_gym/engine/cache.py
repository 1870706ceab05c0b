"""Compiled functions on disk, so that only the first process on a machine compiles.

The user's JAX configuration and JAX's own cache are left alone. An entry is executable code: it is kept only in a
folder that belongs to the user and that no one else may enter. Whatever fails here, the game is compiled instead.
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
from pathlib import Path
from typing import Any

import jax
import platformdirs

from craftax_text_gym.engine import jax_internals, proved
from craftax_text_gym.utils import provenance

CACHE_ENV_VAR = "CRAFTAX_TEXT_CACHE"
"""The environment variable: `off` to disable the cache, or another folder for it."""

_CHECKSUM_BYTES = hashlib.sha256().digest_size
_ENTRY_SUFFIX = ".xla"
_PARTIAL_SUFFIX = ".part"
_PARTIAL_MAX_AGE = 3600.0
_ENTRY_MAX_AGE = 90 * 24 * 3600.0
"""Seconds since a process last loaded an entry, after which it is removed: most likely it is for old versions."""
_OWN_SOURCES = ("availability", "engine", "games", "observation")
_CRAFTAX_SOURCES = ("craftax", "craftax_classic", "environment_base")

_PICKLE_ERRORS = (pickle.PickleError, AttributeError, EOFError, ImportError, IndexError, TypeError, ValueError)
"""What pickle raises for bytes that are no pickle, or one of other objects, or one that names what is not here."""
_XLA_ERRORS = (RuntimeError, KeyError)
"""What JAX raises where it cannot serialize or load code: XLA's errors, and a device that does not exist here."""
_CACHE_ERRORS = (OSError, *_PICKLE_ERRORS, *_XLA_ERRORS)
"""What only means that an entry cannot be used or stored; any other exception is a bug."""


def folder() -> Path | None:
    """Where the entries are; it need not exist yet.

    Returns:
        The folder, or None where the cache is disabled.
    """
    choice = os.environ.get(CACHE_ENV_VAR, "")
    if choice.lower() in ("off", "0", "false", "no"):
        return None
    return Path(choice).expanduser() if choice else platformdirs.user_cache_path("craftax-text-gym", appauthor=False)


def load(name: str) -> Callable[..., Any] | None:
    """Load a function that an earlier process compiled.

    Args:
        name: Identifies the function, its game, sizes and device.

    Returns:
        The function; None where there is none, or none that can be used here, which a warning then says.
    """
    path = _path(name)
    if path is None:
        return None
    try:
        if not path.exists():
            return None
        _check_private(path.parent)
        _check_private(path)
        serialized, device = pickle.loads(_read_checked(path))
        with contextlib.suppress(OSError):  # the folder may be read-only
            path.touch()
        devices = {entry.id: entry for entry in jax.local_devices()}
        compiled: Callable[..., Any] = jax_internals.deserialize(serialized, devices[device])
    except _CACHE_ERRORS as error:
        reason = f"{type(error).__name__}: {error}"
        _warning.give(f"The compiled function {path} cannot be used ({reason}), so it is compiled again.")
        return None
    return compiled


def store(name: str, compiled: Any, device: int) -> None:
    """Store a compiled function for later processes.

    Args:
        name: Identifies the function, its game, sizes and device.
        compiled: A `jax.stages.Compiled`.
        device: The id of the device that it was compiled for.
    """
    path = _path(name)
    if path is None:
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_private(path.parent)
        payload = pickle.dumps((jax_internals.serialize(compiled), device))
        _remove_old(path.parent)
        _write_atomically(path, _checksum(path, payload) + payload)
    except _CACHE_ERRORS as error:
        _warning.give(
            f"Compiled functions cannot be stored in {path.parent} ({type(error).__name__}: {error}). "
            f"Set {CACHE_ENV_VAR} to another folder, or to off."
        )


def _path(name: str) -> Path | None:
    place = folder()
    if place is None:
        return None
    digest = hashlib.sha256(f"{name} {_identity()} {_settings()}".encode()).hexdigest()
    return place / f"{name}-{digest[:32]}{_ENTRY_SUFFIX}"


def _read_checked(path: Path) -> bytes:
    """The payload of an entry; raises `ValueError` where the entry is damaged."""
    content = path.read_bytes()
    checksum, payload = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
    if _checksum(path, payload) != checksum:
        raise ValueError("its checksum is wrong")
    return payload


def _checksum(path: Path, payload: bytes) -> bytes:
    """Covers the entry's name too, so that no entry can pass for another."""
    return hashlib.sha256(path.name.encode() + payload).digest()


def _remove_old(place: Path) -> None:
    """Remove partial files of writers killed long ago, and entries unused for long."""
    for suffix, max_age in ((_PARTIAL_SUFFIX, _PARTIAL_MAX_AGE), (_ENTRY_SUFFIX, _ENTRY_MAX_AGE)):
        for path in place.glob(f"*{suffix}"):
            with contextlib.suppress(FileNotFoundError):  # another process may rename it, or remove it too
                if path.lstat().st_mtime < time.time() - max_age:
                    path.unlink()


def _write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that other processes see all of it or nothing."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=_PARTIAL_SUFFIX, delete=False) as file:
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
        raise PermissionError(f"expected {path} to be yours alone: chmod go-rwx '{path}', or choose another folder")


@lru_cache
def _identity() -> str:
    """Everything that decides whether compiled code fits: machine, backend, versions and sources."""
    device = jax.local_devices()[0]
    return json.dumps(
        [
            platform.machine(),
            _processor(),
            platform.python_version(),
            device.platform,
            device.device_kind,
            jax_internals.platform_version(device),
            len(jax.local_devices()),
            dict(provenance.versions()),
            _digest_of_sources(),
        ]
    )


def _settings() -> list[str]:
    """The user's settings that affect compilation and that are not pinned."""
    return [os.environ.get("XLA_FLAGS", ""), str(jax.config.jax_default_matmul_precision)]  # type: ignore[attr-defined]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return str(sorted({line for line in lines if line.startswith(("flags", "Features", "model name"))}))


def _digest_of_sources() -> str:
    digest = hashlib.sha256()
    own, craftax = Path(__file__).parents[1], proved.craftax_folder()
    for place in (*(own / name for name in _OWN_SOURCES), *(craftax / name for name in _CRAFTAX_SOURCES)):
        for path in sorted(place.rglob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


class _Warning:
    """Warns once per process, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.is_given = False

    def give(self, message: str) -> None:
        with self._lock:
            is_first, self.is_given = not self.is_given, True
        if is_first:
            warnings.warn(message, RuntimeWarning, stacklevel=3)


_warning = _Warning()
