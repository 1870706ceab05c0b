"""Functions compiled ahead of time, once a process and kept on disk, side by side where several are needed."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import jax

from craftax_text_gym.engine import cache, fork_guard


@contextlib.contextmanager
def pinned_settings() -> Iterator[None]:
    """Trace and compile under JAX's default settings, whatever the user's are; they are restored afterwards."""
    with (
        jax.enable_x64(False),
        jax.default_prng_impl("threefry2x32"),
        jax.threefry_partitionable(True),
        jax.numpy_dtype_promotion("standard"),
        jax.numpy_rank_promotion("allow"),
        jax.debug_key_reuse(False),
        jax.debug_nans(False),  # which, like the next, would switch donation off in what is kept on disk
        jax.debug_infs(False),
        jax.disable_jit(False),
    ):
        yield


class Plan(NamedTuple):
    """A function that is to be compiled.

    Attributes:
        name: Unlike that of any other function in the process; it names the entry on disk.
        function: What is traced.
        shapes: Its arguments, as trees of `jax.ShapeDtypeStruct` in tuples.
        donate: The numbers of the arguments whose buffers it consumes.
        device: Where it runs.
    """

    name: str
    function: Callable[..., Any]
    shapes: tuple[Any, ...]
    donate: tuple[int, ...]
    device: jax.Device


class Compiler:
    """Compiles plans, each once."""

    def __init__(self) -> None:
        """Make a compiler that has compiled nothing yet."""
        self._ready: dict[Hashable, Callable[..., Any]] = {}
        self._coming: dict[str, Future[Callable[..., Any]]] = {}
        self._lock = threading.Lock()

    def start(self, plan: Plan) -> Future[Callable[..., Any]]:
        """Begin to load or compile a function, unless it is on its way already; what failed is tried again.

        Args:
            plan: What to compile.

        Returns:
            The function, some time.
        """
        fork_guard.check()
        with self._lock:
            coming = self._coming.get(plan.name)
            if coming is None or (coming.done() and coming.exception()):
                pool = ThreadPoolExecutor(1, "compile")
                coming = self._coming[plan.name] = pool.submit(_load_or_compile, plan)
                pool.shutdown(wait=False)
            return coming

    def get(self, key: Hashable, plan: Callable[[], Plan]) -> Callable[..., Any]:
        """A compiled function; waits until it is there.

        Args:
            key: Stands for the plan, and is had at less cost.
            plan: Gives the plan, if the function is not there yet.

        Returns:
            The function.
        """
        fork_guard.check()
        compiled = self._ready.get(key)
        if compiled is None:
            compiled = self._ready[key] = self.start(plan()).result()
        return _jitted(compiled) if jax.config.jax_disable_jit else compiled  # type: ignore[attr-defined]


def abstract(tree: Any, device: jax.Device, batch: int | None = None) -> Any:
    """A tree's shapes, to compile for.

    Args:
        tree: Of arrays or `jax.ShapeDtypeStruct`.
        device: Where the function is to run.
        batch: Games in a batch, which become a leading axis; None for a single game.

    Returns:
        The tree of `jax.ShapeDtypeStruct`.
    """
    sharding = jax.sharding.SingleDeviceSharding(device)
    leading = () if batch is None else (batch,)
    struct: Any = jax.ShapeDtypeStruct
    return jax.tree.map(lambda leaf: struct((*leading, *leaf.shape), leaf.dtype, sharding=sharding), tree)


def _load_or_compile(plan: Plan) -> Callable[..., Any]:
    loaded = cache.load(plan.name)
    if loaded is not None:
        return loaded
    _this_thread.hits = 0
    with pinned_settings():
        fresh = functools.partial(plan.function)  # a function that JAX remembers would come without its code
        compiled = jax.jit(fresh, donate_argnums=plan.donate).lower(*plan.shapes).compile()
    if not _this_thread.hits:  # what JAX's own cache gave cannot be written down again: its code would be missing
        cache.store(plan.name, compiled, plan.device.id)
    return compiled


def _count_hits(event: str, **_: Any) -> None:
    if event == "/jax/compilation_cache/cache_hits":
        _this_thread.hits = getattr(_this_thread, "hits", 0) + 1


_this_thread = threading.local()
jax.monitoring.register_event_listener(_count_hits)


def _jitted(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled code that also runs where the user has disabled jit."""

    def call(*args: Any) -> Any:
        with jax.disable_jit(False):
            return compiled(*args)

    return call
