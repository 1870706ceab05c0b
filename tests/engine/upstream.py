"""Craftax's own environments, the oracle: keys, parameters and steps as the papers of parity ask."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from craftax.craftax_env import make_craftax_env_from_name

from craftax_text_gym.engine.traced import STEP_ROOT
from tests.proof import IS_PROOF

_NAMES = {"classic": "Craftax-Classic-Symbolic-v1", "full": "Craftax-Symbolic-v1"}


@lru_cache
def environment(key: str) -> Any:
    """Upstream's environment without auto-reset."""
    return make_craftax_env_from_name(_NAMES[key], auto_reset=False)


def reset(key: str, seed: int) -> Any:
    """Upstream's world of a seed; in `make test` without weak types, so that a step is compiled but once."""
    env = environment(key)
    state = env.reset(jax.random.PRNGKey(seed), env.default_params)[1]
    return state if IS_PROOF else jax.tree.map(lambda leaf: jnp.asarray(leaf, leaf.dtype), state)


def step(key: str, state: Any, action: int, seed: int, timestep: int, **overrides: Any) -> tuple[Any, np.float32]:
    """Upstream's step with the key that the design gives to `timestep`, and some parameters changed."""
    env = environment(key)
    root = jax.random.fold_in(jax.random.PRNGKey(seed), STEP_ROOT)
    params = env.default_params.replace(**overrides)
    _, state, reward, _, _ = env.step(jax.random.fold_in(root, timestep), state, action, params)
    return state, np.float32(reward)


def differences(left: Any, right: Any) -> list[str]:
    """The paths of the leaves in which two states differ in any bit, dtype or shape."""
    pairs = zip(jax.tree.leaves_with_path(left), jax.tree.leaves(right), strict=True)
    return [
        jax.tree_util.keystr(path)
        for (path, a), b in pairs
        if np.asarray(a).dtype != np.asarray(b).dtype or np.asarray(a).tobytes() != np.asarray(b).tobytes()
    ]
