"""JAX's default random numbers, bit for bit, but with the rounds of Threefry unrolled and outlined (traced code).

On a CPU JAX compiles the rounds as a loop, which runs slower; a step of the full game draws about a hundred times.
Each draw is outlined with one array as its result, for XLA would compute the rounds once for each result, or use.
Threefry-2x32 with 20 rounds: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.random import define_prng_impl

from craftax_text_gym.engine.outlining import outline

_PARITY = np.uint32(0x1BD11BDA)
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_GROUPS = 5  # of four rounds each

Shape = tuple[int, ...]


def threefry2x32(key: jax.Array, high: jax.Array, low: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Hash counters.

    Args:
        key: uint32 `[2]`.
        high: uint32 of any shape.
        low: uint32 of the same shape.

    Returns:
        Two uint32 arrays of that shape.
    """
    schedule = (key[0], key[1], key[0] ^ key[1] ^ _PARITY)
    first, second = high + schedule[0], low + schedule[1]
    for group in range(_GROUPS):
        for distance in _ROTATIONS[group % 2]:
            first = first + second
            second = first ^ ((second << np.uint32(distance)) | (second >> np.uint32(32 - distance)))
        first = first + schedule[(group + 1) % 3]
        second = second + schedule[(group + 2) % 3] + np.uint32(group + 1)
    return first, second


def _counters(shape: Shape) -> tuple[jax.Array, jax.Array]:
    """The index of each element of a shape, as the high and low halves of 64 bits."""
    low = jnp.arange(math.prod(shape), dtype=jnp.uint32).reshape(shape)
    return jnp.zeros_like(low), low


def _seed(seed: jax.Array) -> jax.Array:
    return jnp.stack([jnp.zeros((), jnp.uint32), seed.astype(jnp.uint32)])


@lru_cache
def _outlined_split(shape: Shape) -> Callable[[jax.Array], jax.Array]:
    return outline(lambda key: jnp.stack(threefry2x32(key, *_counters(shape)), axis=-1))


@lru_cache
def _outlined_bits(shape: Shape) -> Callable[[jax.Array], jax.Array]:
    return outline(lambda key: jnp.bitwise_xor(*threefry2x32(key, *_counters(shape))))


@lru_cache
def _outlined_fold_in() -> Callable[[jax.Array, jax.Array], jax.Array]:
    return outline(lambda key, data: jnp.stack(threefry2x32(key, jnp.zeros((), jnp.uint32), data)))


def _split(key: jax.Array, shape: Shape) -> jax.Array:
    return _outlined_split(shape)(key)


def _random_bits(key: jax.Array, bit_width: int, shape: Shape) -> jax.Array:
    return _outlined_bits(shape)(key).astype({8: jnp.uint8, 16: jnp.uint16, 32: jnp.uint32}[bit_width])


def _fold_in(key: jax.Array, data: int) -> jax.Array:
    return _outlined_fold_in()(key, jnp.asarray(data).astype(jnp.uint32))


IMPLEMENTATION = define_prng_impl(
    key_shape=(2,), seed=_seed, split=_split, random_bits=_random_bits, fold_in=_fold_in, name="craftax-text-threefry"
)
"""For `impl` of JAX's functions: equals `"threefry2x32"` under `jax_threefry_partitionable`, the default."""
