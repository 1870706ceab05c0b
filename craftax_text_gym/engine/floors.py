"""A state of the full game that holds one floor, the player's, in place of all nine (traced code).

Upstream's step indexes the maps with the state's own `player_level` and with no other number; only the plants grow on
the first floor wherever the player is. Given a state from `enter` it finds what it asks for, and works on a ninth of
the memory. Any other index raises while the step is traced.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

import jax
import jax.numpy as jnp
from craftax.craftax.craftax_state import EnvState

_MAPS = ("map", "item_map", "mob_map")


class UnknownFloorError(RuntimeError):
    """Upstream's step asked for a floor that the state does not hold."""


@dataclass(frozen=True)
class Floor:
    """Stands for an array `[floors, rows, columns]` of which only the player's floor is read or written.

    Attributes:
        here: `[rows, columns]`.
        level: The `player_level` of the state that holds this. Traced numbers cannot be compared, so an index is known
            only if it is this very object. It is not part of the pytree: `OneFloorState` sets it on every new state.
    """

    here: jax.Array
    level: Any = field(default_factory=object, kw_only=True)

    def __getitem__(self, index: Any) -> jax.Array:
        floor, within = _split(index)
        return self._read(floor)[within] if within else self._read(floor)

    @property
    def at(self) -> At:
        """As of JAX's arrays: `floor.at[index].set(value)`."""
        return At(self)

    def put(self, index: Any, value: Any) -> Floor:
        """Write a value.

        Args:
            index: What `__getitem__` takes.
            value: An array or number that broadcasts to what the index selects.

        Returns:
            A new floor.
        """
        floor, within = _split(index)
        grid = self._read(floor)
        if within:
            return self._write(floor, grid.at[within].set(value))
        return self._write(floor, jnp.broadcast_to(value, grid.shape).astype(grid.dtype))

    def _read(self, floor: Any) -> jax.Array:
        if floor is not self.level:
            raise UnknownFloorError(
                f"Expected the state's own player_level as the index of a floor, got {floor!r}. The step on one floor "
                "does not fit this version of Craftax: remove its digest from engine/proved.py."
            )
        return self.here

    def _write(self, floor: Any, grid: jax.Array) -> Floor:
        """Replace a floor that `_read` knows."""
        assert floor is self.level
        return replace(self, here=grid)


@dataclass(frozen=True)
class FloorAndGround(Floor):
    """The same, where the first floor is read and written too, by the number 0.

    Attributes:
        ground: `[rows, columns]`, the first floor; ignored where `here` is the first floor.
        is_ground: bool scalar, whether `here` is the first floor.
    """

    ground: jax.Array
    is_ground: jax.Array

    def _read(self, floor: Any) -> jax.Array:
        if _is_ground(floor):
            return jnp.where(self.is_ground, self.here, self.ground)
        return super()._read(floor)

    def _write(self, floor: Any, grid: jax.Array) -> Floor:
        if _is_ground(floor):
            return replace(self, here=jnp.where(self.is_ground, grid, self.here), ground=grid)
        return super()._write(floor, grid)


for _kind, _leaves in ((Floor, ("here",)), (FloorAndGround, ("here", "ground", "is_ground"))):
    jax.tree_util.register_pytree_node(
        _kind,
        lambda floor, names=_leaves: (tuple(getattr(floor, name) for name in names), None),  # type: ignore[misc]
        lambda _, leaves, kind=_kind: kind(*leaves),  # type: ignore[misc]
    )


@dataclass(frozen=True)
class At:
    """The middle of `floor.at[index].set(value)`.

    Attributes:
        floor: The floor.
        index: The index.
    """

    floor: Floor
    index: Any = None

    def __getitem__(self, index: Any) -> At:
        return replace(self, index=index)

    def set(self, value: Any) -> Floor:
        """Return the floor with the value written."""
        return self.floor.put(self.index, value)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class OneFloorState(EnvState):  # type: ignore[misc]  # Craftax has no types
    """Upstream's `EnvState` with a `Floor` for each map, which learns here what the state's level is."""

    def __post_init__(self) -> None:
        for name in _MAPS:
            grid = getattr(self, name)
            if isinstance(grid, Floor):  # JAX also builds trees of placeholders
                object.__setattr__(self, name, replace(grid, level=self.player_level))


def enter(state: Any) -> OneFloorState:
    """Reduce a state to the player's floor.

    Args:
        state: Upstream's `EnvState`, whose maps may have smaller integers.

    Returns:
        The same with `Floor`s of int32 for its maps, and without the light, on which no rule of the game depends.
    """
    floor = state.player_level
    ground, here, items = (grid.astype(jnp.int32) for grid in (state.map[0], state.map[floor], state.item_map[floor]))
    reduced = {
        "map": FloorAndGround(here, ground, floor == 0),
        "item_map": Floor(items),
        "mob_map": Floor(state.mob_map[floor]),
        "light_map": jnp.zeros((len(state.light_map), 1, 1), state.light_map.dtype),
    }
    return OneFloorState(**{**_fields(state), **reduced})


def leave(state: Any, played: OneFloorState) -> Any:
    """Undo `enter`: write the floor back.

    Args:
        state: What was given to `enter`.
        played: What became of what `enter` gave, on the same floor.

    Returns:
        `EnvState` with the fields of `played` and all floors of `state`, changed where the player was. The light is
        that of `state`.
    """
    floor, dtype = state.player_level, state.map.dtype
    whole = {
        "map": state.map.at[0].set(played.map.ground.astype(dtype)).at[floor].set(played.map.here.astype(dtype)),
        "item_map": state.item_map.at[floor].set(played.item_map.here.astype(dtype)),
        "mob_map": state.mob_map.at[floor].set(played.mob_map.here),
        "light_map": state.light_map,
    }
    return state.replace(**{**_fields(played), **whole})


def _fields(state: Any) -> dict[str, Any]:
    return {entry.name: getattr(state, entry.name) for entry in fields(state)}


def _split(index: Any) -> tuple[Any, tuple[Any, ...]]:
    """The floor that an index names, and the rows and columns within it."""
    return (index[0], index[1:]) if isinstance(index, tuple) and index else (index, ())


def _is_ground(floor: Any) -> bool:
    return type(floor) is int and floor == 0
