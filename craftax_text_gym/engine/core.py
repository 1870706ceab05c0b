"""Compiled reset, step and view of a game, shared by every environment in the process.

Everything is compiled ahead of time, once a function and a game. A compiled step takes a game's arrays (donated), one
small control array and the parameters; it gives the arrays and one uint8 buffer.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.availability import facts, mask
from craftax_text_gym.engine import fork_guard, game, proved, threefry
from craftax_text_gym.engine.compiling import Compiler, Plan, abstract, pinned_settings
from craftax_text_gym.engine.packing import Arrays, Packing
from craftax_text_gym.observation import layout

STEP_ROOT = 2**32 - 1
"""Folded into the world's key to root the keys of the steps, so that these never reuse the world's own."""


def world_key(seed: jax.Array) -> jax.Array:
    """`jax.random.key(seed)`, to which the user's setting `jax_random_seed_offset` adds nothing.

    Args:
        seed: uint32 scalar.

    Returns:
        A threefry key.
    """
    key: jax.Array = jax.random.wrap_key_data(jnp.stack([jnp.zeros_like(seed), seed]), impl=threefry.IMPLEMENTATION)
    return key


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


_CONTROL: Any = jax.ShapeDtypeStruct((3,), np.uint32)  # type: ignore[no-untyped-call]  # seed, action, reveal
_INDEX: Any = jax.ShapeDtypeStruct((), np.int32)  # type: ignore[no-untyped-call]
_BATCHED = ("game", "control")
_FUNCTIONS: Mapping[str, tuple[str, tuple[str, ...], tuple[int, ...]]] = {
    "reset": ("_reset", ("control", "params"), ()),
    "step": ("_step", ("game", "control", "params"), (0,)),
    "look": ("_look", ("game", "control", "params"), ()),
    "symbolic": ("_symbolic", ("game",), ()),
    "place": ("_place", ("game", "index", "world"), (0,)),
}
"""Name -> method, arguments, and the numbers of those whose buffers it consumes."""


class Engine:
    """One game's compiled functions. Get it from `get_engine`; make no other.

    A *game* here is the tuple of arrays that `reset` gives. A step consumes the tuple that it is given.
    """

    def __init__(self, key: str, shortcuts: bool | None = None) -> None:
        """Import the game; nothing is compiled yet.

        Args:
            key: `"classic"` or `"full"`.
            shortcuts: Whether to play by the game's `fast_advance` rather than its `advance`; by default where that
                is proved.
        """
        fork_guard.check()
        with pinned_settings():
            self._game = game.load(key)
            self._shortcuts = proved.allows_shortcuts(key) if shortcuts is None else shortcuts
            self._advance = self._game.fast_advance if self._shortcuts else self._game.advance
            _refuse_wide_constants(self._game.PARAMS.__module__.rpartition(".")[0])
            params = self.params({})
            self._params_structure = jax.tree.structure(self._game.PARAMS())
            template = jax.eval_shape(self._world, jnp.zeros((), jnp.uint32), params)
            self._state_packing = Packing(template)
        self.spec = self._game.SPEC
        self.dtype = layout.row_dtype(self.spec)
        self.compiler = Compiler()
        self.devices: list[jax.Device] = jax.local_devices()
        self.device = self.devices[0]
        self.game_shape: Arrays = jax.eval_shape(self._state_packing.pack, template)
        self.params_shape: Arrays = params

    def params(self, overrides: Mapping[str, Any]) -> Arrays:
        """Craftax's `EnvParams` with some fields changed, as arrays on the device.

        Args:
            overrides: Field -> value, already checked.

        Returns:
            Its fields as strongly typed arrays, to be passed to `reset` and `step`.
        """
        fork_guard.check()
        with pinned_settings():
            leaves = jax.tree.leaves(self._game.PARAMS(**overrides))
            return tuple(jnp.array(leaf, jnp.result_type(type(leaf))) for leaf in leaves)

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
        return self._game.as_upstream(self._state_packing.unpack(self.copy(game)))  # type: ignore[arg-type]

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
        self._state_packing.check(state)
        with pinned_settings():
            # Copies: a step consumes what is given to it, and the state stays the caller's.
            return tuple(jnp.array(array, copy=True) for array in self._state_packing.pack(state, np))

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
        function, arguments, donate = _FUNCTIONS[name]
        single = {"game": self.game_shape, "control": _CONTROL, "params": self.params_shape, "world": self.game_shape}
        single["index"] = _INDEX
        shapes = [abstract(single[a], where, size if a in _BATCHED else None) for a in arguments]
        bound = getattr(self, function)
        if size is not None and name != "place":
            bound = jax.vmap(bound, [0 if a in _BATCHED else None for a in arguments])
        variant = self.spec.key if self._shortcuts else f"{self.spec.key}-whole"
        full_name = f"{variant}-{name}-{size or 1}{'' if size is None else 'b'}-{where.id}"
        return Plan(full_name, bound, tuple(shapes), donate, where)

    def _function(self, name: str) -> Callable[..., Any]:
        return self.compiler.get(name, lambda: self.plan(name))

    def _world(self, seed: jax.Array, params: Arrays) -> Any:
        state = self._game.world(world_key(seed), self._env_params(params))
        return state.replace(state_rng=jax.random.key_data(state.state_rng))

    def _env_params(self, params: Arrays) -> Any:
        return jax.tree.unflatten(self._params_structure, params)

    def _reset(self, control: jax.Array, params: Arrays) -> tuple[Arrays, jax.Array]:
        state = self._world(control[0], params)
        return self._state_packing.pack(state), self._row(state, control[2], params)

    def _look(self, game: Arrays, control: jax.Array, params: Arrays) -> jax.Array:
        return self._row(self._state_packing.unpack(game), control[2], params)

    def _symbolic(self, game: Arrays) -> jax.Array:
        return self._game.symbolic(self._state_packing.unpack(game))

    @staticmethod
    def _place(games: Arrays, index: jax.Array, world: Arrays) -> Arrays:
        """Put a world into a batch of games."""
        update = jax.lax.dynamic_update_index_in_dim
        return tuple(update(array, entry, index, 0) for array, entry in zip(games, world, strict=True))

    def _step(self, game: Arrays, control: jax.Array, params: Arrays) -> tuple[Arrays, jax.Array]:
        before = self._state_packing.unpack(game)
        root = jax.random.fold_in(world_key(control[0]), STEP_ROOT)
        action = control[1].astype(jnp.int32)
        key = jax.random.fold_in(root, before.timestep)
        state = self._advance(key, before, action, self._env_params(params))
        unlocked = state.achievements & ~before.achievements
        reward_achievements = (unlocked * self._game.achievement_rewards()).sum()
        reward_health = (state.player_health - before.player_health) * 0.1
        outcome = {
            "reward": reward_achievements + reward_health,
            "reward_achievements": reward_achievements,
            "reward_health": reward_health,
            "executed_action": jnp.where(self._game.is_inactive(before), 0, action),
            "new_achievements": unlocked,
        }
        return self._state_packing.pack(state), self._row(state, control[2], params, outcome)

    def _row(self, state: Any, reveal: jax.Array, params: Arrays, outcome: dict[str, Any] | None = None) -> jax.Array:
        """Write a state's packed row: every field of the layout, in its order, as bytes."""
        at_rest = {
            "reward": 0.0,
            "reward_achievements": 0.0,
            "reward_health": 0.0,
            "executed_action": -1,
            "new_achievements": jnp.zeros_like(state.achievements),
        }
        fields = self._game.view(state, reveal) | (outcome or at_rest)
        rules = {name: getattr(self._env_params(params), name) for name in facts.rules(self.spec)}
        fields["action_mask"] = mask.action_mask(self.spec, fields, rules, jnp)
        assert fields.keys() == set(self.dtype.names or ())
        return jnp.concatenate([_to_bytes(fields[name], self.dtype[name]) for name in self.dtype.names or ()])


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
