"""A process forked after JAX has started would hang in its first JAX call. This turns the hang into an error.

The package imports this at once, before anything can fork; it imports no JAX.
"""

from __future__ import annotations

import os

from craftax_text_gym.engine import jax_internals

_forked_after_start = False


def _after_fork_in_child() -> None:
    global _forked_after_start
    if jax_internals.has_started():
        _forked_after_start = True


def check() -> None:
    """Check that this process was not forked from one in which JAX had started.

    Raises:
        RuntimeError: If it was; the message says what to do instead.
    """
    if _forked_after_start:
        raise RuntimeError(
            "This process was forked after JAX had started, so the game would hang here. Use the start method spawn: "
            'gym.make_vec(..., vectorization_mode="async", vector_kwargs={"context": "spawn"}), '
            "or fork before the first reset of any environment."
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
