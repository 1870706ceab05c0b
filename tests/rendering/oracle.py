"""Upstream's pixel renderers at any tile size, without their cache of textures, and worlds in which all can be seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any
from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.games import get

_MODULES = {"full": "craftax.craftax", "classic": "craftax.craftax_classic"}
_ONE_ROUNDING_AN_OPERATION = {"xla_disable_hlo_passes": "fusion"}
Renderer = Callable[[Any], tuple[NDArray[np.float32], NDArray[np.float32]]]


class _FastSqrt:
    """`jax.numpy`, but the root of one number is NumPy's: upstream takes it once a pixel."""

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, name)

    @staticmethod
    def sqrt(number: int) -> np.float32:
        root: np.float32 = np.sqrt(np.float32(number))
        return root


def load_textures(key: str, size: int, *, fast: bool = True) -> dict[str, Any]:
    """Upstream's textures of one size, without its cache, which prints and writes."""
    constants = import_module(f"{_MODULES[key]}.constants")
    with mock.patch.object(constants, "jnp", _FastSqrt() if fast else jnp):
        textures: dict[str, Any] = constants.load_all_textures_given_size(size)
    return textures


@lru_cache
def renderer(key: str, size: int, *, fused: bool = False) -> Renderer:
    """Upstream's renderer of a batch of states: pictures float32 `[B, H, W, 3]` and the night's noise `[B, h, w]`.

    Compiled so that every operation rounds by itself, as IEEE 754 and NumPy have it, unless `fused`.
    """
    upstream = import_module(f"{_MODULES[key]}.renderer")
    textures = load_textures(key, size)
    shape = tuple(tiles * size for tiles in get(key).window)

    def draw(traced: dict[str, Any], states: Any) -> tuple[jax.Array, jax.Array]:
        with mock.patch.object(upstream, "load_all_textures", return_value={size: traced}):
            render = upstream.make_craftax_pixel_renderer(size)
        noise = jax.vmap(lambda rng: jax.random.uniform(rng, shape))(states.state_rng)
        return jax.lax.map(render, states), noise

    compiled = jax.jit(draw, compiler_options={} if fused else _ONE_ROUNDING_AN_OPERATION)

    def run(states: Any) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        pictures, noise = compiled(textures, states)
        return np.asarray(pictures), np.asarray(noise)

    return run


def doctored(key: str, state: Any, rng: np.random.Generator) -> Any:
    """A state in which everything that has a picture may stand near the player."""
    spec = get(key)
    floors = len(spec.floors)
    maps = (floors, *spec.map_size) if key == "full" else spec.map_size
    edge = spec.map_size[0] - 1
    position = rng.choice([0, 1, edge, int(rng.integers(edge))], 2)
    edits: dict[str, Any] = {
        "map": rng.integers(len(spec.blocks), size=maps),
        "player_position": position,
        "player_direction": rng.integers(5),
        "is_sleeping": rng.random() < 0.3,
        "light_level": np.float32(rng.choice([0, 0.3, 0.5, 1, rng.random(), rng.random()])),
        "player_food": rng.integers(10),
        "player_drink": rng.integers(10),
        "player_energy": rng.integers(10),
        "inventory": jax.tree.map(lambda leaf: _counts(leaf, spec.inventory_cap, rng), state.inventory),
        "state_rng": rng.integers(2**32, size=2, dtype=np.uint32),
    }
    edits |= _full_edits(state, position, rng) if key == "full" else _classic_edits(state, position, rng)
    return jax.tree.map(
        lambda new, old: jnp.asarray(new, jnp.asarray(old).dtype).reshape(jnp.shape(old)),
        state.replace(**edits),
        state,
    )


def _counts(leaf: Any, cap: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Numbers up to the cap, often nothing, ten or the cap itself."""
    shape = np.shape(leaf)
    numbers: NDArray[np.int64] = rng.choice([0, min(10, cap), cap, *rng.integers(cap + 1, size=7)], shape)
    return numbers


def _full_edits(state: Any, position: NDArray[Any], rng: np.random.Generator) -> dict[str, Any]:
    floors, peaceful = state.map.shape[0], rng.random() < 0.2
    inventory = jax.tree.map(lambda leaf: _counts(leaf, 99, rng), state.inventory)
    light = rng.choice([0.0, 1.0, 0.06, 0.5, 0.7], state.map.shape) * rng.choice(
        [1.0, rng.uniform(0.9, 1)], state.map.shape
    )
    mobs = {
        name: _mobs(
            getattr(state, name), position, types, rng, mask=not (peaceful and name in ("melee_mobs", "ranged_mobs"))
        )
        for name, types in (
            ("melee_mobs", 8),
            ("passive_mobs", 3),
            ("ranged_mobs", 8),
            ("mob_projectiles", 8),
            ("player_projectiles", 8),
        )
    }
    return mobs | {
        "item_map": np.where(rng.random(state.map.shape) < 0.5, 0, rng.integers(5, size=state.map.shape)),
        "light_map": light,
        "monsters_killed": rng.integers(12, size=floors),
        "player_level": rng.choice([0, rng.integers(floors)]),
        "player_health": rng.choice([-3.0, 0.0, 0.4, 8.9, 13.0, rng.uniform(0, 13)]),
        "player_food": rng.integers(18),
        "player_drink": rng.integers(18),
        "player_energy": rng.integers(18),
        "player_mana": rng.choice([rng.integers(25), rng.integers(130)]),
        "player_xp": rng.integers(10),
        "player_dexterity": rng.integers(1, 12),
        "player_strength": rng.integers(1, 6),
        "player_intelligence": rng.integers(1, 6),
        "inventory": inventory.replace(
            pickaxe=rng.integers(5), sword=rng.integers(5), bow=rng.integers(2), armour=rng.integers(3, size=4)
        ),
        "mob_projectile_directions": _headings(state.mob_projectile_directions, rng),
        "player_projectile_directions": _headings(state.player_projectile_directions, rng),
        "learned_spells": rng.random(2) < 0.5,
        "sword_enchantment": rng.integers(3),
        "bow_enchantment": rng.integers(3),
        "armour_enchantments": rng.integers(3, size=4),
        "boss_timesteps_to_spawn_this_round": rng.integers(-1, 2),
    }


def _classic_edits(state: Any, position: NDArray[Any], rng: np.random.Generator) -> dict[str, Any]:
    mobs = {name: _mobs(getattr(state, name), position, 1, rng) for name in ("zombies", "cows", "skeletons", "arrows")}
    return mobs | {
        "player_health": rng.integers(-4, 10),
        "arrow_directions": _headings(state.arrow_directions, rng),
    }


def _mobs(mobs: Any, position: NDArray[Any], types: int, rng: np.random.Generator, *, mask: bool = True) -> Any:
    """Slots filled around the player, some beyond the window and some on one tile."""
    edits = {
        "position": position
        + np.stack([rng.integers(-5, 6, mobs.mask.shape), rng.integers(-7, 8, mobs.mask.shape)], -1),
        "mask": (rng.random(mobs.mask.shape) < 0.8) & mask,
    }
    if hasattr(mobs, "type_id"):
        edits["type_id"] = rng.integers(types, size=mobs.mask.shape)
    return mobs.replace(**edits)


def _headings(headings: Any, rng: np.random.Generator) -> NDArray[np.int64]:
    steps: NDArray[np.int64] = rng.choice([(0, -1), (0, 1), (-1, 0), (1, 0)], headings.shape[:-1])
    return steps
