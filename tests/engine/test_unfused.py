"""A part of a compiled function that XLA does not fuse with the code around it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from craftax_text_gym.engine.unfused import run_unfused

TREE = {"a": np.arange(6, dtype=np.int32).reshape(2, 3), "b": np.float32(2.5), "c": np.True_}


def change(tree: dict[str, Any]) -> dict[str, Any]:
    return {"a": tree["a"] * 2 + 1.7, "b": tree["b"] * 3, "c": ~tree["c"]}


def unfused(tree: dict[str, Any], unknown: jax.Array) -> Any:
    return run_unfused(change, tree, unknown)


def test_it_returns_what_the_function_returns_in_the_dtypes_of_its_argument() -> None:
    for unknown in (-(2**31), -1, 0, 1, 10_000, 2**31 - 1):
        given = jax.jit(unfused)(TREE, jnp.int32(unknown))
        expected = jax.tree.map(lambda new, old: np.asarray(new, np.asarray(old).dtype), change(TREE), TREE)
        assert all(
            (a == b).all() and a.dtype == b.dtype for a, b in zip(*map(jax.tree.leaves, (given, expected)), strict=True)
        )


def test_each_game_of_a_batch_gets_its_own() -> None:
    batch = jax.tree.map(lambda leaf: np.stack([leaf, leaf]), TREE) | {"b": np.array([1, 2], np.float32)}
    given = jax.vmap(unfused, (0, None))(batch, jnp.int32(5))
    assert given["b"].tolist() == [3, 6]


def test_the_compiler_keeps_the_loop() -> None:
    compiled = jax.jit(unfused).lower(TREE, jnp.int32(1)).compile().as_text()
    assert compiled
    assert " while(" in compiled
