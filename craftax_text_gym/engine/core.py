"""Compiled reset, step and view of a game, shared by every environment in the process.

Everything is compiled ahead of time, once a function, a game and a batch size. A compiled step takes a game's arrays
(donated), one small control array and the parameters; it gives the arrays and one uint8 buffer.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.actions import availability
from craftax_text_gym.engine import fork_guard, layout
from craftax_text_gym.engine.packing import Arrays, Packing

STEP_ROOT = 2**32 - 1
"""Folded into the world's key to root the keys of the steps, so that these never reuse the world's own."""


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
        jax.disable_jit(False),
    ):
        yield


def world_key(seed: jax.Array) -> jax.Array:
    """`jax.random.key(seed)`, to which the user's setting `jax_random_seed_offset` adds nothing.

    Args:
        seed: uint32 scalar.

    Returns:
        A threefry key.
    """
    key: jax.Array = jax.random.wrap_key_data(jnp.stack([jnp.zeros_like(seed), seed]), impl="threefry2x32")
    return key


def to_host(buffer: jax.Array) -> NDArray[np.uint8]:
    """The only conversion of what the compiled functions give to NumPy: one transfer a step.

    Args:
        buffer: uint8 `[nbytes]` or `[B, nbytes]`.

    Returns:
        The same bytes.
    """
    return np.asarray(buffer)


class Engine:
    """One game's compiled functions. Get it from `get_engine`; make no other.

    A *game* here is the tuple of arrays that `reset` gives. A step consumes the tuple that it is given.
    """

    def __init__(self, key: str) -> None:
        """Import the game; nothing is compiled yet.

        Args:
            key: `"classic"` or `"full"`.
        """
        fork_guard.check()
        with pinned_settings():
            self._game: Any = import_module(f"craftax_text_gym.engine.{key}")
            _refuse_wide_constants(self._game.EnvState.__module__.rpartition(".")[0])
            template = jax.eval_shape(self._world, jnp.zeros((), jnp.uint32), self._game.PARAMS())
            self._state_packing = Packing(template)
        self.spec = self._game.SPEC
        self.dtype = layout.row_dtype(self.spec)
        self._compiled: dict[str, Callable[..., Any]] = {}
        self._lock = threading.Lock()

    def params(self, overrides: Mapping[str, Any]) -> Any:
        """Craftax's `EnvParams` with some fields changed, as arrays on the device.

        Args:
            overrides: Field -> value, already checked.

        Returns:
            `EnvParams` of strongly typed arrays, to be passed to `reset` and `step`.
        """
        fork_guard.check()
        with pinned_settings():
            params = self._game.PARAMS(**overrides)
            return jax.tree.map(lambda leaf: jnp.array(leaf, jnp.result_type(type(leaf))), params)

    def reset(self, seed: int, params: Any, reveal: int = 0) -> tuple[Arrays, jax.Array]:
        """Make a world.

        Args:
            seed: Below 2**32.
            params: From `params`.
            reveal: Bits of `layout.REVEALABLE`.

        Returns:
            The game and its packed row, uint8 `[nbytes]`.
        """
        control = np.array([seed, 0, reveal], np.uint32)
        arrays, buffer = self._function("reset", self._reset, control, params)(control, params)
        return arrays, buffer

    def step(self, game: Arrays, action: int, seed: int, params: Any, reveal: int = 0) -> tuple[Arrays, jax.Array]:
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
        function = self._function("step", self._step, game, control, params, donate=(0,))
        arrays, buffer = function(game, control, params)
        return arrays, buffer

    def look(self, game: Arrays, reveal: int = 0) -> jax.Array:
        """The packed row of a game at rest, as after a reset: nothing executed, no reward.

        Args:
            game: The game.
            reveal: Bits of `layout.REVEALABLE`.

        Returns:
            uint8 `[nbytes]`.
        """
        control = np.array([0, 0, reveal], np.uint32)
        buffer: jax.Array = self._function("look", self._look, game, control)(game, control)
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
        return jax.tree.map(jnp.asarray, self._state_packing.unpack(self.copy(game)))  # type: ignore[arg-type]

    def from_state(self, state: Any) -> Arrays:
        """Undo `to_state`, for an edited `EnvState`: dtypes are made the engine's own.

        Args:
            state: `EnvState`.

        Returns:
            The game.

        Raises:
            ValueError: If the state's structure or a shape is not this game's.
        """
        fork_guard.check()
        self._state_packing.check(state)
        with pinned_settings():
            # Copies: a step consumes what is given to it, and the state stays the caller's.
            return tuple(jnp.copy(array) for array in self._state_packing.pack(state))

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
        function = self._function("symbolic", self._symbolic, game)
        return np.array(function(game))

    def _function(self, name: str, function: Any, *args: Any, donate: tuple[int, ...] = ()) -> Callable[..., Any]:
        fork_guard.check()
        compiled = self._compiled.get(name)
        if compiled is None:
            with self._lock, pinned_settings():
                if name not in self._compiled:
                    jitted = jax.jit(function, donate_argnums=donate)
                    self._compiled[name] = jitted.lower(*args).compile()
                compiled = self._compiled[name]
        return _jitted(compiled) if jax.config.jax_disable_jit else compiled  # type: ignore[attr-defined]

    def _world(self, seed: jax.Array, params: Any) -> Any:
        state = self._game.world(world_key(seed), params)
        return state.replace(state_rng=jax.random.key_data(state.state_rng))

    def _reset(self, control: jax.Array, params: Any) -> tuple[Arrays, jax.Array]:
        state = self._world(control[0], params)
        return self._state_packing.pack(state), self._row(state, control[2])

    def _look(self, game: Arrays, control: jax.Array) -> jax.Array:
        return self._row(self._state_packing.unpack(game), control[2])

    def _symbolic(self, game: Arrays) -> jax.Array:
        return self._game.symbolic(self._state_packing.unpack(game))  # type: ignore[no-any-return]

    def _step(self, game: Arrays, control: jax.Array, params: Any) -> tuple[Arrays, jax.Array]:
        before = self._state_packing.unpack(game)
        root = jax.random.fold_in(world_key(control[0]), STEP_ROOT)
        action = control[1].astype(jnp.int32)
        state, reward = self._game.advance(jax.random.fold_in(root, before.timestep), before, action, params)
        state = state.replace(state_rng=jax.random.key_data(state.state_rng))
        unlocked = state.achievements & ~before.achievements
        outcome = {
            "reward": reward,
            "reward_achievements": (unlocked * self._game.achievement_rewards()).sum(),
            "reward_health": (state.player_health - before.player_health) * 0.1,
            "executed_action": jnp.where(self._game.is_inactive(before), 0, action),
            "new_achievements": unlocked,
        }
        return self._state_packing.pack(state), self._row(state, control[2], outcome)

    def _row(self, state: Any, reveal: jax.Array, outcome: dict[str, Any] | None = None) -> jax.Array:
        """Write a state's packed row: every field of the layout, in its order, as bytes."""
        at_rest = {
            "reward": 0.0,
            "reward_achievements": 0.0,
            "reward_health": 0.0,
            "executed_action": -1,
            "new_achievements": jnp.zeros_like(state.achievements),
        }
        fields = self._game.view(state, reveal) | (outcome or at_rest)
        fields["action_mask"] = availability.compiled_mask(self.spec, fields, jnp)
        assert fields.keys() == set(self.dtype.names or ())
        return jnp.concatenate([_to_bytes(fields[name], self.dtype[name]) for name in self.dtype.names or ()])


def _jitted(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled code that also runs where the user has disabled jit."""

    def call(*args: Any) -> Any:
        with jax.disable_jit(False):
            return compiled(*args)

    return call


def _refuse_wide_constants(package: str) -> None:
    """Raise where Craftax's own constants have 64 bits: they were made before us, under x64, and cannot be unmade."""
    for name, module in list(sys.modules.items()):
        if not name.startswith(f"{package}."):
            continue
        for constant, value in vars(module).items():
            if isinstance(value, jax.Array) and value.dtype.itemsize == 8:
                raise RuntimeError(
                    f"{name}.{constant} has 64 bits, for Craftax was imported while jax_enable_x64 was on; its game "
                    "does not work so. Make an environment and reset it before importing craftax, or import "
                    "craftax under `with jax.enable_x64(False):`."
                )


def _to_bytes(value: Any, dtype: np.dtype[Any]) -> jax.Array:
    typed = jnp.asarray(value).astype(dtype.base)
    assert typed.shape == dtype.shape, (typed.shape, dtype)
    return jax.lax.bitcast_convert_type(typed, jnp.uint8).ravel()


@lru_cache
def get_engine(key: str) -> Engine:
    """The process's engine of a game.

    Args:
        key: `"classic"` or `"full"`.

    Returns:
        The engine.

    Raises:
        RuntimeError: If this process was forked after JAX had started.
    """
    return Engine(key)
