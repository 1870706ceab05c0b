"""Cutting the official window out of the maps and the arrays of mobs (traced code, both games)."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from craftax_text_gym.observation.layout import HIDDEN, REVEALABLE


def is_revealed(reveal: jax.Array, fact: str) -> jax.Array:
    """Whether a bit of the reveal mask is set.

    Args:
        reveal: uint32 scalar, bit i for `REVEALABLE[i]`.
        fact: One of `REVEALABLE`.

    Returns:
        bool scalar.
    """
    return (reveal >> REVEALABLE.index(fact)) & 1 == 1


def crop(
    grid: jax.Array, centre: jax.Array, window: tuple[int, int], outside: Any, floor: jax.Array | None = None
) -> jax.Array:
    """The window around the player, padded beyond the map's edge.

    Args:
        grid: `[rows, columns]`, or `[floors, rows, columns]`.
        centre: int32 `[2]`, the player's position.
        window: Rows and columns of the window, odd both.
        outside: What stands beyond the edge.
        floor: int32 scalar, the floor; None for a grid that has none.

    Returns:
        `window` of `grid`'s dtype.
    """
    height, width = grid.shape[-2:]
    rows = (centre[0] - window[0] // 2 + jnp.arange(window[0]))[:, None]
    columns = (centre[1] - window[1] // 2 + jnp.arange(window[1]))[None, :]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    tile = (jnp.clip(rows, 0, height - 1), jnp.clip(columns, 0, width - 1))
    return jnp.where(inside, grid[tile] if floor is None else grid[(floor, *tile)], outside)


def is_outside(centre: jax.Array, window: tuple[int, int], size: tuple[int, int]) -> jax.Array:
    """Which tiles of the window lie beyond the map's edge.

    Args:
        centre: int32 `[2]`, the player's position.
        window: Rows and columns of the window, odd both.
        size: Rows and columns of the map.

    Returns:
        bool `window`.
    """
    return crop(jnp.zeros(size, bool), centre, window, outside=True)


def things(
    groups: list[tuple[Any, jax.Array, jax.Array]],
    centre: jax.Array,
    lit: jax.Array,
    show_health: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """The mobs and projectiles that the player sees.

    Args:
        groups: For each kind of thing: upstream's `Mobs` of one floor, its types `[n]` and headings `[n, 2]`.
        centre: int32 `[2]`, the player's position.
        lit: bool `window`, where the player sees.
        show_health: bool scalar.

    Returns:
        int8 `[things, 6]` in the order of `THING_FIELDS`, zero where nothing is seen; float32 `[things]` health,
        `HIDDEN` where nothing is seen or `show_health` is off.
    """
    rows, healths = [], []
    half = jnp.array([lit.shape[0] // 2, lit.shape[1] // 2])
    limit = jnp.array(lit.shape)
    for mobs, types, headings in groups:
        local = mobs.position - centre + half
        inside = ((local >= 0) & (local < limit)).all(axis=1)
        clipped = jnp.clip(local, 0, limit - 1)
        seen = mobs.mask & inside & lit[clipped[:, 0], clipped[:, 1]]
        row = jnp.column_stack([jnp.ones_like(types), types, local, headings])
        rows.append(jnp.where(seen[:, None], row, 0))
        healths.append(jnp.where(seen & show_health, mobs.health.astype(jnp.float32), HIDDEN))
    return jnp.concatenate(rows), jnp.concatenate(healths)


def plant_ages(state: Any, centre: jax.Array, is_plant: jax.Array, show: jax.Array) -> jax.Array:
    """The ages of the plants in view.

    Args:
        state: Upstream's `EnvState`.
        centre: int32 `[2]`, the player's position.
        is_plant: bool `window`, where the player sees a plant.
        show: bool scalar.

    Returns:
        int32 `window`, `HIDDEN` where there is no plant that grows or `show` is off.
    """
    half = jnp.array([is_plant.shape[0] // 2, is_plant.shape[1] // 2])
    local = state.growing_plants_positions - centre + half
    inside = ((local >= 0) & (local < jnp.array(is_plant.shape))).all(axis=1) & state.growing_plants_mask
    row, column = jnp.where(inside, local[:, 0], is_plant.shape[0]), local[:, 1]
    ages = jnp.full(is_plant.shape, HIDDEN, jnp.int32).at[row, column].set(state.growing_plants_age, mode="drop")
    return jnp.where(is_plant & show, ages, HIDDEN)
