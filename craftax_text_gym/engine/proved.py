"""The versions of Craftax with which the tests have proved the full game's fast step. Imports neither Craftax nor JAX.

`one_floor` rests on how upstream's code works. With any other code it could be silently wrong, so the full game then
plays by upstream's own step.
"""

from __future__ import annotations

import hashlib
import warnings
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

PROVED = {
    "68ba003a2d990ece3b70e13eaff085128f867b191b264039f7e9a89ea406a0ce": "1.6.1",
}
"""Digest of `SOURCES` -> the version of Craftax. Before you add one, run `make proof` with that version."""

SOURCES = (
    "craftax/constants.py",
    "craftax/craftax_state.py",
    "craftax/game_logic.py",
    "craftax/util/game_logic_utils.py",
    "craftax/util/maths_utils.py",
    "environment_base/util.py",
)
"""The modules that upstream's step of the full game consists of, within the package."""


def craftax_folder() -> Path:
    """Find the installed Craftax without importing it.

    Returns:
        The folder of its package.

    Raises:
        ModuleNotFoundError: If it is not installed.
    """
    spec = find_spec("craftax")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("The package craftax is missing. Run: pip install craftax", name="craftax")
    return Path(spec.submodule_search_locations[0])


def digest() -> str:
    """Digest the installed `SOURCES`.

    Returns:
        SHA-256 in hexadecimal; a file that is missing counts as empty.
    """
    hashed = hashlib.sha256()
    for name in SOURCES:
        path = craftax_folder() / name
        content = path.read_bytes() if path.is_file() else b""
        hashed.update(f"{name} {len(content)}\n".encode() + content)
    return hashed.hexdigest()


def allows_shortcuts(key: str) -> bool:
    """Whether a game may play by its `fast_advance`.

    Args:
        key: `"classic"`, whose step is upstream's in any case, or `"full"`.

    Returns:
        Whether it may. Where not, a warning says why, once a process.
    """
    return key != "full" or is_proved()


@lru_cache
def is_proved() -> bool:
    """Whether the installed sources are among `PROVED`. Where not, warns, once a process."""
    if digest() in PROVED:
        return True
    versions = ", ".join(PROVED.values())
    warnings.warn(
        f"The full game is slower than usual: craftax {version('craftax')} is installed, whose code differs from that "
        f"of the versions that the fast step was tested with ({versions}), so upstream's own step plays. "
        f'For the usual speed: pip install "craftax=={list(PROVED.values())[-1]}".',
        RuntimeWarning,
        stacklevel=2,
    )
    return False
