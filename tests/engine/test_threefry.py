"""The oracle is JAX's own implementation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from craftax_text_gym.engine.compiling import pinned_settings
from craftax_text_gym.engine.threefry import IMPLEMENTATION
from tests.proof import count

WORDS = st.integers(0, 2**32 - 1)
USES: dict[str, Callable[[jax.Array], Any]] = {
    "split": lambda key: jax.random.key_data(jax.random.split(key)),
    "split into many": lambda key: jax.random.key_data(jax.random.split(key, 7)),
    "split into a shape": lambda key: jax.random.key_data(jax.random.split(key, (3, 2))),
    "fold_in": lambda key: jax.random.key_data(jax.random.fold_in(key, 4_000_000_000)),
    "bits of 32": lambda key: jax.random.bits(key, (3, 5)),
    "bits of 16": lambda key: jax.random.bits(key, (9,), "uint16"),
    "bits of 8": lambda key: jax.random.bits(key, (), "uint8"),
    "uniform": lambda key: jax.random.uniform(key, (4, 9)),
    "randint": lambda key: jax.random.randint(key, (11,), -3, 1_000),
    "choice": lambda key: jax.random.choice(key, 48, (5,), replace=False),
    "weighed choice": lambda key: jax.random.choice(key, 4, p=np.array([0.1, 0.2, 0.3, 0.4])),
    "permutation": lambda key: jax.random.permutation(key, 21),
    "batched": lambda key: jax.vmap(jax.random.uniform)(jax.random.split(key, 6)),
    "scanned": lambda key: jax.lax.scan(
        lambda carry, _: (jax.random.split(carry)[0], jax.random.uniform(carry)), key, length=3
    )[1],
}


@pytest.mark.parametrize("use", USES)
def test_it_draws_as_jax_does(use: str) -> None:
    with pinned_settings():
        draw = jax.jit(USES[use])

        @settings(max_examples=count(300, 20), deadline=None)
        @given(words=st.tuples(WORDS, WORDS))
        def draws_equal(words: tuple[int, int]) -> None:
            data = np.array(words, np.uint32)
            ours, theirs = (
                np.asarray(draw(jax.random.wrap_key_data(jax.numpy.asarray(data), impl=impl)))
                for impl in (IMPLEMENTATION, "threefry2x32")
            )
            assert ours.dtype == theirs.dtype
            assert ours.tolist() == theirs.tolist()

        draws_equal()


@settings(max_examples=count(300, 20), deadline=None)
@given(seed=WORDS)
def test_it_is_seeded_as_jax_is(seed: int) -> None:
    with pinned_settings():
        ours, theirs = (jax.random.key(np.uint32(seed), impl=impl) for impl in (IMPLEMENTATION, "threefry2x32"))
        assert jax.random.key_data(ours).tolist() == jax.random.key_data(theirs).tolist()
