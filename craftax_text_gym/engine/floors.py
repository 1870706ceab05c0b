"""A state of the full game that holds the floor being played in place of all nine (traced code).

Upstream's functions ask the maps for the player's floor and for no other; only the plants grow on the first wherever
the player is. Given a state from `enter` they find what they ask for, and work on a ninth of the memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Floor:
    """Stands for an array `[floors, rows, columns]` of which only one floor is asked for.

    Attributes:
        here: `[rows, columns]`.
    """

    here: jax.Array

    def __getitem__(self, index: Any) -> jax.Array:
        within = _within(index)
        return self.here[within] if within else self.here

    @property
    def at(self) -> At:
        """As of JAX's arrays: `floor.at[index].set(value)`."""
        return At(self)

    def put(self, index: Any, value: Any) -> Floor:
        """The floor with a value at an index."""
        within = _within(index)
        return replace(self, here=self.here.at[within].set(value) if within else value)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class FloorAndGround(Floor):
    """The same, where the first floor too is asked for, by the number 0.

    Attributes:
        ground: `[rows, columns]`, the first floor; what it holds does not matter where `here` is the first.
        is_ground: bool scalar, whether `here` is the first.
    """

    ground: jax.Array
    is_ground: jax.Array

    def __getitem__(self, index: Any) -> jax.Array:
        if isinstance(index, int):
            return jnp.where(self.is_ground, self.here, self.ground)
        return super().__getitem__(index)

    def put(self, index: Any, value: Any) -> Floor:
        """The floors with a value at an index."""
        if isinstance(index, int):
            return replace(self, here=jnp.where(self.is_ground, value, self.here), ground=value)
        return super().put(index, value)


@dataclass(frozen=True)
class At:
    """The half-said `floor.at[index].set(value)`.

    Attributes:
        floor: The floor.
        index: The index.
    """

    floor: Floor
    index: Any = None

    def __getitem__(self, index: Any) -> At:
        return replace(self, index=index)

    def set(self, value: Any) -> Floor:
        """The floor with a value there."""
        return self.floor.put(self.index, value)


def enter(state: Any) -> Any:
    """A state of the floor that the player is on.

    Args:
        state: Upstream's `EnvState`, whose maps may be of smaller integers.

    Returns:
        The same with `Floor`s of int32 for its maps, and without the light, on which no rule of the game depends.
    """
    floor = state.player_level
    ground, here, items = (grid.astype(jnp.int32) for grid in (state.map[0], state.map[floor], state.item_map[floor]))
    return state.replace(
        map=FloorAndGround(here, ground, floor == 0),
        item_map=Floor(items),
        mob_map=Floor(state.mob_map[floor]),
        light_map=jnp.zeros((len(state.light_map), 1, 1), state.light_map.dtype),
    )


def leave(state: Any, played: Any) -> Any:
    """Undo `enter`: put the floor back.

    Args:
        state: What was given to `enter`.
        played: What became of what it gave, on the same floor.

    Returns:
        `played` with the maps of `state`, changed where it was played. The light is `state`'s.
    """
    floor, dtype = state.player_level, state.map.dtype
    return played.replace(
        map=state.map.at[0].set(played.map.ground.astype(dtype)).at[floor].set(played.map.here.astype(dtype)),
        item_map=state.item_map.at[floor].set(played.item_map.here.astype(dtype)),
        mob_map=state.mob_map.at[floor].set(played.mob_map.here),
        light_map=state.light_map,
    )


def _within(index: Any) -> tuple[Any, ...]:
    """What an index says of rows and columns, beyond the floor."""
    return index[1:] if isinstance(index, tuple) else ()
