"""Compiled reset, step and view of a game, shared by every environment in the process.

Everything is compiled ahead of time, once a function and a game. A compiled step takes a game's arrays (donated), one
small control array and the parameters; it gives the arrays and one uint8 buffer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from craftax_text_gym import games
from craftax_text_gym.engine import fork_guard, proved
from craftax_text_gym.engine.compiling import Compiler, Plan, pinned_settings
from craftax_text_gym.engine.packing import Arrays
from craftax_text_gym.engine.traced import TracedGame
from craftax_text_gym.observation import layout


def to_host(buffer: jax.Array) -> NDArray[np.uint8]:
    """The only conversion of what the compiled functions give to NumPy: one transfer a step.

    Args:
        buffer: uint8 `[nbytes]` or `[B, nbytes]`.

    Returns:
        The same bytes.
    """
    return np.asarray(buffer)


def backend() -> str:
    """The kind of device that the games run on: `"cpu"`, `"gpu"` or `"tpu"`."""
    return str(jax.default_backend())


_DONATED = {"step": (0,), "place": (0,)}
"""Functions that consume the buffers of their first argument."""


class Engine:
    """One game's compiled functions. Get it from `get_engine`; make no other.

    A *game* here is the tuple of arrays that `reset` gives. A step consumes the tuple that it is given.
    """

    def __init__(self, key: str, shortcuts: bool | None = None) -> None:
        """Start JAX; nothing is compiled yet, and Craftax not imported.

        Args:
            key: `"classic"` or `"full"`.
            shortcuts: Whether to play by the game's `fast_advance` rather than its `advance`; by default where that
                is proved.
        """
        fork_guard.check()
        self.spec = games.get(key)
        self.dtype = layout.row_dtype(self.spec)
        self.compiler = Compiler()
        self.devices: list[jax.Device] = jax.local_devices()
        self.device = self.devices[0]
        self._shortcuts = proved.allows_shortcuts(key) if shortcuts is None else shortcuts
        self._traced: TracedGame | None = None
        self._lock = threading.Lock()

    @property
    def traced(self) -> TracedGame:
        """The game's functions to compile; the first use imports Craftax."""
        with self._lock:  # several functions may be traced side by side
            if self._traced is None:
                with pinned_settings():
                    self._traced = TracedGame(self.spec.key, self._shortcuts, self.params({}))
            return self._traced

    def params(self, overrides: Mapping[str, Any]) -> Arrays:
        """Craftax's `EnvParams` with some fields changed, as arrays on the device.

        Args:
            overrides: Field -> value, already checked.

        Returns:
            Its fields as strongly typed arrays, to be passed to `reset` and `step`.
        """
        fork_guard.check()
        with pinned_settings():
            values = [(param.kind, overrides.get(param.name, param.default)) for param in self.spec.params]
            return tuple(jnp.array(value, jnp.result_type(kind)) for kind, value in values)

    def prepare(self, *names: str) -> None:
        """Begin to compile functions that will be needed soon, side by side.

        Args:
            names: As in `plan`, of a single game.
        """
        for name in names:
            self.compiler.start(self.plan(name))

    def reset(self, seed: int, params: Arrays, reveal: int = 0) -> tuple[Arrays, jax.Array]:
        """Make a world.

        Args:
            seed: Below 2**32.
            params: From `params`.
            reveal: Bits of `layout.REVEALABLE`.

        Returns:
            The game and its packed row, uint8 `[nbytes]`.
        """
        control = np.array([seed, 0, reveal], np.uint32)
        arrays, buffer = self._function("reset")(control, params)
        return arrays, buffer

    def step(self, game: Arrays, action: int, seed: int, params: Arrays, reveal: int = 0) -> tuple[Arrays, jax.Array]:
        """Play one step; the game that goes in is consumed.

        Args:
            game: The game.
            action: The number of the action.
            seed: The episode's seed, which roots the step's key.
            params: From `params`.
            reveal: Bits of `layout.REVEALABLE`.

        Returns:
            The game and its packed row, uint8 `[nbytes]`.
        """
        control = np.array([seed, action, reveal], np.uint32)
        arrays, buffer = self._function("step")(game, control, params)
        return arrays, buffer

    def look(self, game: Arrays, params: Arrays, reveal: int = 0) -> jax.Array:
        """The packed row of a game at rest, as after a reset: nothing executed, no reward.

        Args:
            game: The game.
            params: From `params`.
            reveal: Bits of `layout.REVEALABLE`.

        Returns:
            uint8 `[nbytes]`.
        """
        control = np.array([0, 0, reveal], np.uint32)
        buffer: jax.Array = self._function("look")(game, control, params)
        return buffer

    def copy(self, game: Arrays) -> tuple[NDArray[Any], ...]:
        """A game as NumPy arrays that share nothing with it, so that its buffers can still be donated.

        Args:
            game: The game.

        Returns:
            One array for each of the game's.
        """
        fork_guard.check()
        return tuple(np.array(jnp.copy(array)) for array in game)

    def enter(self, arrays: tuple[NDArray[Any], ...]) -> Arrays:
        """Undo `copy`.

        Args:
            arrays: What `copy` gave.

        Returns:
            A game that shares nothing with `arrays`.
        """
        fork_guard.check()
        return tuple(jnp.array(array, copy=True) for array in arrays)

    def to_state(self, game: Arrays) -> Any:
        """A game as Craftax's `EnvState`, fresh and independent.

        Args:
            game: The game.

        Returns:
            `EnvState` of JAX arrays.
        """
        return jax.tree.map(jnp.asarray, self.to_numpy(game))

    def to_numpy(self, game: Arrays) -> Any:
        """The same of NumPy arrays, which takes less time.

        Args:
            game: The game.

        Returns:
            `EnvState` of NumPy arrays.
        """
        return self.traced.to_state(self.copy(game))

    def from_state(self, state: Any) -> Arrays:
        """Undo `to_state`, for an edited `EnvState`: dtypes are made the engine's own.

        Args:
            state: `EnvState`.

        Returns:
            The game.

        Raises:
            ValueError: If the state's structure or a shape is not this game's, or a number does not fit.
        """
        fork_guard.check()
        arrays = self.traced.from_state(state)
        with pinned_settings():
            # Copies: a step consumes what is given to it, and the state stays the caller's.
            return tuple(jnp.array(array, copy=True) for array in arrays)

    def read(self, buffer: jax.Array) -> NDArray[np.void]:
        """Transfer a buffer and give it its names.

        Args:
            buffer: uint8 `[nbytes]` or `[B, nbytes]`.

        Returns:
            Structured array `[1]` or `[B]` of `row_dtype`, read-only.
        """
        return to_host(buffer).reshape(-1).view(self.dtype)

    def to_bytes(self, buffer: jax.Array) -> bytes:
        """Transfer one game's buffer.

        Args:
            buffer: uint8 `[nbytes]`.

        Returns:
            The packed row.
        """
        return to_host(buffer).tobytes()

    def symbolic(self, game: Arrays) -> NDArray[np.float32]:
        """Upstream's symbolic observation.

        Args:
            game: The game.

        Returns:
            float32 `[spec.symbolic_size]`.
        """
        return np.array(self._function("symbolic")(game))

    def plan(self, name: str, size: int | None = None, device: jax.Device | None = None) -> Plan:
        """What to compile.

        Args:
            name: `"reset"`, `"step"`, `"look"` or `"symbolic"`; for batches only the last three, and `"place"`.
            size: Games in a batch; None for a single game.
            device: Where it runs; by default the first.

        Returns:
            The plan.
        """
        where = device or self.device
        variant = self.spec.key if self._shortcuts else f"{self.spec.key}-whole"
        full_name = f"{variant}-{name}-{size or 1}{'' if size is None else 'b'}-{where.id}"
        return Plan(
            full_name,
            lambda: (self.traced.function(name, size), self.traced.shapes(name, size, where)),
            _DONATED.get(name, ()),
            where,
        )

    def _function(self, name: str) -> Callable[..., Any]:
        return self.compiler.get(name, lambda: self.plan(name))


_engines: dict[str, Engine] = {}
_lock = threading.Lock()


def get_engine(key: str) -> Engine:
    """The process's engine of a game.

    Args:
        key: `"classic"` or `"full"`.

    Returns:
        The engine.

    Raises:
        RuntimeError: If this process was forked after JAX had started.
    """
    engine = _engines.get(key)
    if engine is None:
        with _lock:  # several threads may be the first to ask, and an engine takes long to make
            engine = _engines[key] = _engines.get(key) or Engine(key)
    return engine
