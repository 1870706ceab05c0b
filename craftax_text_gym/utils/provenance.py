"""What must be known about a run for its numbers to be compared: the versions of the packages that shape it."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import version
from types import MappingProxyType

PACKAGES = ("craftax-text-gym", "craftax", "jax", "jaxlib", "gymnasium", "numpy")
"""The packages whose versions are recorded."""

SHAPES_RANDOMNESS = ("craftax", "jax")
"""Those of them whose versions may change what a seed gives."""


@lru_cache
def versions() -> MappingProxyType[str, str]:
    """The installed versions.

    Returns:
        Package -> version, for `PACKAGES`.
    """
    return MappingProxyType({name: version(name) for name in PACKAGES})
