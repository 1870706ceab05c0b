"""A process forked after JAX has started would hang inside it. This turns the hang into an error.

Imported with the package, before anything can fork; it imports nothing of JAX.
"""

from __future__ import annotations

import os
import sys

_forked_after_start = False


def _jax_has_started() -> bool:
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bool(getattr(bridge, "_backends", None))


def _after_fork_in_child() -> None:
    global _forked_after_start
    if _jax_has_started():
        _forked_after_start = True


def check() -> None:
    """Raise where this process was forked from one in which JAX had started.

    Raises:
        RuntimeError: With the cure.
    """
    if _forked_after_start:
        raise RuntimeError(
            "This process was forked after JAX had started, so the game would hang here. Start it by spawn: "
            'gym.make_vec(..., vectorization_mode="async", vector_kwargs={"context": "spawn"}), '
            "or fork before the first reset of any environment."
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
