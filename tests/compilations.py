"""What XLA compiles, or loads from JAX's own cache, while a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import jax

from craftax_text_gym.engine.jax_internals import COMPILATION

_open: list[list[str]] = []


@contextmanager
def compilations() -> Iterator[list[str]]:
    """The names of the functions compiled within the block, such as `jit(step)`."""
    _listen()
    names: list[str] = []
    _open.append(names)
    try:
        yield names
    finally:
        _open[:] = [other for other in _open if other is not names]


@lru_cache
def _listen() -> None:
    def on_duration(event: str, duration_secs: float, **details: str | int) -> None:  # noqa: ARG001
        if event == COMPILATION:
            for names in _open:
                names.append(str(details["fun_name"]))

    jax.monitoring.register_event_duration_secs_listener(on_duration)  # JAX 0.8 cannot unregister it
