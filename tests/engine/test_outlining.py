"""Parts of a function that XLA compiles apart."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from craftax_text_gym.engine import outlining
from craftax_text_gym.engine.outlining import in_pieces, outline

TREE = {"a": np.arange(6, dtype=np.int32).reshape(2, 3), "b": np.float32(2.5), "c": np.True_}
SHIFT = np.array([1, 2, 3], np.int32)


def change(tree: dict[str, Any]) -> dict[str, Any]:
    total = jax.lax.fori_loop(0, 4, lambda i, sum_: sum_ + i * tree["a"].sum(), 0)
    key = jax.random.split(jax.random.key(total))[1]
    number = jnp.where(tree["c"], tree["b"] * 3, jax.random.uniform(key))
    return {"a": tree["a"] * 2 + SHIFT, "b": number, "kept": tree["c"], "constant": jnp.float32(7)}


def same(given: Any, expected: Any) -> bool:
    pairs = zip(*map(jax.tree.leaves, (given, expected)), strict=True)
    structure: Any = jax.tree.structure(given)
    return structure == jax.tree.structure(expected) and all(
        a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs
    )


def calls(function: Any, *args: Any) -> int:
    """How many calls XLA has kept."""
    compiled = jax.jit(function).lower(*args).compile().as_text()
    assert compiled
    return compiled.count(" call(")


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_the_pieces_compute_what_the_function_computes(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlining, "_PIECE_SIZE", size)
    assert same(jax.jit(lambda tree: in_pieces(change, tree))(TREE), jax.jit(change)(TREE))


def test_each_game_of_a_batch_gets_its_own_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlining, "_PIECE_SIZE", 2)
    batch = jax.tree.map(lambda leaf: np.stack([leaf, leaf]), TREE) | {"c": np.array([True, False])}

    def pieces(tree: dict[str, Any]) -> Any:
        return in_pieces(change, tree)

    assert same(jax.jit(jax.vmap(pieces))(batch), jax.jit(jax.vmap(change))(batch))
    if jax.default_backend() == "cpu":
        assert calls(jax.vmap(pieces), batch) >= calls(pieces, TREE) > 1


def test_what_is_outlined_is_not_inlined_even_where_it_is_batched_twice() -> None:
    def triple(x: jax.Array) -> jax.Array:
        return x * 3

    def outlined(x: jax.Array) -> Any:
        return outline(triple)(x) + 1

    grid = jnp.arange(6.0).reshape(2, 3)
    for function in (outlined, jax.vmap(outlined), jax.vmap(jax.vmap(outlined))):
        assert same(jax.jit(function)(grid), triple(grid) + 1)
        if jax.default_backend() == "cpu":
            assert calls(function, grid) == 1


def test_an_argument_that_is_not_batched_stays_one() -> None:
    given = jax.vmap(outline(lambda x, y: x * y), (0, None))(jnp.arange(3.0), jnp.float32(2))
    assert given.tolist() == [0, 2, 4]
