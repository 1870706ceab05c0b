"""Functions compiled ahead of time: once per process, in parallel where several are needed, and cached on disk."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import jax

from craftax_text_gym.engine import cache, fork_guard, heap
from craftax_text_gym.engine.jax_internals import count_cache_hits

_OPTIONS: Mapping[str, dict[str, str | bool]] = {"cpu": {"xla_cpu_use_fusion_emitters": False}}
"""XLA's options for a kind of device. Its older emitters compile a step in less time; the step is as fast."""


@contextlib.contextmanager
def pinned_settings() -> Iterator[None]:
    """Trace and compile under JAX's default settings, whatever the user's are; these are restored afterwards."""
    with (
        jax.enable_x64(False),
        jax.default_prng_impl("threefry2x32"),
        jax.threefry_partitionable(True),
        jax.numpy_dtype_promotion("standard"),
        jax.numpy_rank_promotion("allow"),
        jax.debug_key_reuse(False),
        jax.debug_nans(False),  # this and the next would disable donation in what is cached on disk
        jax.debug_infs(False),
        jax.disable_jit(False),
    ):
        yield


class Plan(NamedTuple):
    """A function to compile.

    Attributes:
        name: Unique in the process; it names the entry on disk.
        traced: Gives the function to trace, and its arguments as pytrees of `jax.ShapeDtypeStruct`; called only where
            the function is not on disk.
        donate: The positions of the arguments whose buffers are donated.
        device: The device that it runs on.
    """

    name: str
    traced: Callable[[], tuple[Callable[..., Any], tuple[Any, ...]]]
    donate: tuple[int, ...]
    device: jax.Device


class Compiler:
    """Compiles each plan once."""

    def __init__(self) -> None:
        """Create a compiler that has compiled nothing yet."""
        self._ready: dict[Hashable, Callable[..., Any]] = {}
        self._pending: dict[str, Future[Callable[..., Any]]] = {}
        self._lock = threading.Lock()

    def start(self, plan: Plan) -> Future[Callable[..., Any]]:
        """Start loading or compiling a function, unless this has started already; a failure is tried again.

        Args:
            plan: The function to compile.

        Returns:
            A future of the compiled function.
        """
        fork_guard.check()
        with self._lock:
            pending = self._pending.get(plan.name)
            if pending is None or (pending.done() and pending.exception()):
                pool = ThreadPoolExecutor(1, "compile")
                pending = self._pending[plan.name] = pool.submit(_load_or_compile, plan)
                pool.shutdown(wait=False)
            return pending

    def get(self, key: Hashable, plan: Callable[[], Plan]) -> Callable[..., Any]:
        """Return a compiled function; blocks until it is ready.

        Args:
            key: Identifies the plan, and is cheaper to make.
            plan: Makes the plan, if the function is not ready yet.

        Returns:
            The compiled function.
        """
        fork_guard.check()
        compiled = self._ready.get(key)
        if compiled is None:
            compiled = self._ready[key] = self.start(plan()).result()
        return _jitted(compiled) if jax.config.jax_disable_jit else compiled  # type: ignore[attr-defined]


def abstract(tree: Any, device: jax.Device, batch: int | None = None) -> Any:
    """Describe a function's argument, to compile for it.

    Args:
        tree: A pytree of arrays or `jax.ShapeDtypeStruct`.
        device: The device that the function runs on.
        batch: The size of a leading batch axis to add; None for none.

    Returns:
        The pytree of `jax.ShapeDtypeStruct`.
    """
    sharding = jax.sharding.SingleDeviceSharding(device)
    leading = () if batch is None else (batch,)
    struct: Any = jax.ShapeDtypeStruct
    return jax.tree.map(lambda leaf: struct((*leading, *leaf.shape), leaf.dtype, sharding=sharding), tree)


def _load_or_compile(plan: Plan) -> Callable[..., Any]:
    compiled = cache.load(plan.name) or _compile(plan)
    heap.trim()
    return compiled


def _compile(plan: Plan) -> Callable[..., Any]:
    function, shapes = plan.traced()
    with pinned_settings():
        fresh = functools.partial(function)  # JAX would serialize a function that it remembers without its code
        lowered = jax.jit(fresh, donate_argnums=plan.donate).lower(*shapes)
        _strip_locations(lowered)
        hits = count_cache_hits()
        compiled = lowered.compile(compiler_options=_OPTIONS.get(plan.device.platform))
    if count_cache_hits() == hits:  # what JAX's own cache gave would be serialized without its code
        cache.store(plan.name, compiled, plan.device.id)
    return compiled


def _strip_locations(lowered: Any) -> None:
    """Remove the names and source lines of operations: a fifth of what would be stored and loaded."""
    from jax.extend.mlir import passmanager

    module = lowered.compiler_ir("stablehlo")
    with module.context:
        passmanager.PassManager.parse("builtin.module(strip-debuginfo)").run(module.operation)


def _jitted(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap compiled code so that it also runs where the user has disabled jit."""

    def call(*args: Any) -> Any:
        with jax.disable_jit(False):
            return compiled(*args)

    return call
