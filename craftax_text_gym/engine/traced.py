"""What is compiled of a game: the functions to trace, and conversion from and to Craftax's own states."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.availability import facts, mask
from craftax_text_gym.engine import game, threefry
from craftax_text_gym.engine.compiling import abstract
from craftax_text_gym.engine.packing import Arrays, Packing
from craftax_text_gym.observation import layout

STEP_ROOT = 2**32 - 1
"""Folded into the world's key to root the keys of the steps, so that these never reuse the world's own."""

_CONTROL: Any = jax.ShapeDtypeStruct((3,), np.uint32)  # type: ignore[no-untyped-call]  # seed, action, reveal
_INDEX: Any = jax.ShapeDtypeStruct((), np.int32)  # type: ignore[no-untyped-call]
_BATCHED = ("game", "control")
_ARGUMENTS = {
    "reset": ("control", "params"),
    "step": ("game", "control", "params"),
    "look": ("game", "control", "params"),
    "symbolic": ("game",),
    "place": ("games", "index", "world"),
}
"""The methods to compile -> the kinds of their arguments, all of which are pytrees of arrays."""


def world_key(seed: jax.Array) -> jax.Array:
    """`jax.random.key(seed)`, to which the user's setting `jax_random_seed_offset` adds nothing.

    Args:
        seed: uint32 scalar.

    Returns:
        A threefry key.
    """
    key: jax.Array = jax.random.wrap_key_data(jnp.stack([jnp.zeros_like(seed), seed]), impl=threefry.IMPLEMENTATION)
    return key


class TracedGame:
    """A game's functions. Making one imports Craftax, which a process that finds compiled functions on disk need not.

    `game` is the packed state, `control` uint32 `[3]` of seed, action and bits of what is revealed, `params` the leaves
    of Craftax's `EnvParams`; the packed row is uint8 `[nbytes]`.
    """

    def __init__(self, key: str, shortcuts: bool, params: Arrays) -> None:
        """Import the game and trace its state's shapes; call it under JAX's default settings.

        Args:
            key: `"classic"` or `"full"`.
            shortcuts: Whether to play by the game's `fast_advance` rather than its `advance`.
            params: Any of the game.
        """
        self._game = game.load(key)
        self.advance = self._game.fast_advance if shortcuts else self._game.advance
        _refuse_wide_constants(self._game.PARAMS.__module__.rpartition(".")[0])
        self._params_structure = jax.tree.structure(self._game.PARAMS())
        self._params_shape = params
        template = jax.eval_shape(self._world, jnp.zeros((), jnp.uint32), params)
        self._packing = Packing(template)
        self._game_shape: Arrays = jax.eval_shape(self._packing.pack, template)

    def function(self, name: str, size: int | None) -> Callable[..., Any]:
        """A function to compile.

        Args:
            name: The name of a method: `"reset"`, `"step"`, `"look"`, `"symbolic"` or `"place"`.
            size: Games in a batch; None for a single game.

        Returns:
            The method, batched if need be.
        """
        method: Callable[..., Any] = getattr(self, name)
        if size is None or name == "place":
            return method
        return jax.vmap(method, [0 if kind in _BATCHED else None for kind in _ARGUMENTS[name]])

    def shapes(self, name: str, size: int | None, device: jax.Device) -> tuple[Any, ...]:
        """The arguments of `function`.

        Args:
            name: As there.
            size: As there.
            device: Where it runs.

        Returns:
            Pytrees of `jax.ShapeDtypeStruct`.
        """
        kinds = {"control": _CONTROL, "params": self._params_shape, "index": _INDEX}
        kinds |= dict.fromkeys(("game", "games", "world"), self._game_shape)
        batched = (*_BATCHED, "games")
        return tuple(abstract(kinds[kind], device, size if kind in batched else None) for kind in _ARGUMENTS[name])

    def reset(self, control: jax.Array, params: Arrays) -> tuple[Arrays, jax.Array]:
        """Make a world: the game and its row."""
        state = self._world(control[0], params)
        return self._packing.pack(state), self._row(state, control[2], params)

    def step(self, game: Arrays, control: jax.Array, params: Arrays) -> tuple[Arrays, jax.Array]:
        """Play a step: the game and its row."""
        before = self._packing.unpack(game)
        root = jax.random.fold_in(world_key(control[0]), STEP_ROOT)
        action = control[1].astype(jnp.int32)
        key = jax.random.fold_in(root, before.timestep)
        state = self.advance(key, before, action, self.env_params(params))
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
        return self._packing.pack(state), self._row(state, control[2], params, outcome)

    def look(self, game: Arrays, control: jax.Array, params: Arrays) -> jax.Array:
        """The row of a game at rest."""
        return self._row(self._packing.unpack(game), control[2], params)

    def symbolic(self, game: Arrays) -> jax.Array:
        """Upstream's symbolic observation."""
        return self._game.symbolic(self._packing.unpack(game))

    @staticmethod
    def place(games: Arrays, index: jax.Array, world: Arrays) -> Arrays:
        """Put a world into a batch of games."""
        update = jax.lax.dynamic_update_index_in_dim
        return tuple(update(array, entry, index, 0) for array, entry in zip(games, world, strict=True))

    def env_params(self, params: Arrays) -> Any:
        """Craftax's `EnvParams` of its leaves."""
        return jax.tree.unflatten(self._params_structure, params)

    def to_state(self, arrays: tuple[NDArray[Any], ...]) -> Any:
        """A game, copied to the host, as Craftax's `EnvState` of NumPy arrays."""
        return self._game.as_upstream(self._packing.unpack(arrays))  # type: ignore[arg-type]

    def from_state(self, state: Any) -> Arrays:
        """Undo `to_state`, on the host; raises `ValueError` where the state does not fit this game."""
        self._packing.check(state)
        return self._packing.pack(state, np)

    def _world(self, seed: jax.Array, params: Arrays) -> Any:
        state = self._game.world(world_key(seed), self.env_params(params))
        return state.replace(state_rng=jax.random.key_data(state.state_rng))

    def _row(self, state: Any, reveal: jax.Array, params: Arrays, outcome: dict[str, Any] | None = None) -> jax.Array:
        """Write a state's packed row: every field of the layout, in its order, as bytes."""
        at_rest = {
            "reward": 0.0,
            "reward_achievements": 0.0,
            "reward_health": 0.0,
            "executed_action": -1,
            "new_achievements": jnp.zeros_like(state.achievements),
        }
        spec = self._game.SPEC
        dtype = layout.row_dtype(spec)
        fields = self._game.view(state, reveal) | (outcome or at_rest)
        rules = {name: getattr(self.env_params(params), name) for name in facts.rules(spec)}
        fields["action_mask"] = mask.action_mask(spec, fields, rules, jnp)
        assert fields.keys() == set(dtype.names or ())
        return jnp.concatenate([_to_bytes(fields[name], dtype[name]) for name in dtype.names or ()])


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
