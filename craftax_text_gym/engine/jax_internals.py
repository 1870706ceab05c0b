"""All that this package uses of JAX beyond its documented interface. Importing this imports no JAX.

`tests/engine/test_jax_internals.py` tests each on its own, so that it names what a new JAX has broken.
"""

from __future__ import annotations

import sys
import threading
from functools import lru_cache
from typing import Any

CACHE_HIT = "/jax/compilation_cache/cache_hits"
"""The event that JAX records when its own persistent cache saves a compilation."""

COMPILATION = "/jax/core/compile/backend_compile_duration"
"""The event whose duration JAX records for each compilation, with the function as `fun_name`; only tests listen."""

_this_thread = threading.local()


def has_started() -> bool:
    """Whether JAX has initialised a backend in this process, and so has started threads."""
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bool(getattr(bridge, "_backends", None))


def count_cache_hits() -> int:
    """Count the hits of JAX's own persistent cache.

    Returns:
        Those of the calling thread since its first call.
    """
    _listen()
    count: int = _this_thread.__dict__.setdefault("hits", 0)
    return count


@lru_cache
def _listen() -> None:
    import jax

    def on_event(event: str, **_: Any) -> None:
        if event == CACHE_HIT:
            _this_thread.hits = getattr(_this_thread, "hits", 0) + 1

    jax.monitoring.register_event_listener(on_event)


def serialize(compiled: Any) -> tuple[bytes, Any, Any]:
    """Serialize a compiled function.

    Args:
        compiled: A `jax.stages.Compiled`.

    Returns:
        The code and the structures of arguments and results, all of which can be pickled.
    """
    from jax.experimental import serialize_executable

    serialized: tuple[bytes, Any, Any] = serialize_executable.serialize(compiled)
    return serialized


def deserialize(serialized: tuple[bytes, Any, Any], device: Any) -> Any:
    """Undo `serialize`. The code runs with the rights of this process: it must come from a trusted place.

    Args:
        serialized: From `serialize`.
        device: The `jax.Device` that it was compiled for.

    Returns:
        A `jax.stages.Compiled`.
    """
    from jax.experimental import serialize_executable

    return serialize_executable.deserialize_and_load(*serialized, execution_devices=[device])


def platform_version(device: Any) -> str:
    """The version of what a device's code is compiled for, such as CUDA's, as far as JAX says.

    Args:
        device: A `jax.Device`.

    Returns:
        Its words for it.
    """
    return str(device.client.platform_version)
