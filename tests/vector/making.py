"""Vector environments for the tests, native and Gymnasium's own, and what is the same between them."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode

import craftax_text_gym  # noqa: F401  registers the ids

NUM_ENVS = 5
CAP = 25


def make(env_id: str, mode: AutoresetMode, **kwargs: Any) -> gym.vector.VectorEnv[Any, Any, Any]:
    """The native one, in three chunks of which the last has a spare place."""
    return gym.make_vec(
        env_id, num_envs=NUM_ENVS, autoreset_mode=mode, **{"max_episode_steps": CAP, "chunk_size": 2, **kwargs}
    )


def make_sync(env_id: str, mode: AutoresetMode, **kwargs: Any) -> gym.vector.VectorEnv[Any, Any, Any]:
    """Gymnasium's over single environments, which is the oracle."""
    return gym.make_vec(
        env_id,
        num_envs=NUM_ENVS,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **{"max_episode_steps": CAP, **kwargs},
    )


def assert_same(ours: Any, theirs: Any, path: str) -> None:
    """Equal in types, shapes and values, however deep."""
    assert type(ours) is type(theirs), path
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys(), path
        for key in ours:
            assert_same(ours[key], theirs[key], f"{path}/{key}")
    elif isinstance(ours, np.ndarray) and ours.dtype != object:
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), path
        # Batched, upstream's light level may differ in its last bits; all else is equal.
        assert np.allclose(ours, theirs, rtol=0, atol=2e-6 if ours.dtype == np.float32 else 0), path
    elif isinstance(ours, tuple | np.ndarray):
        assert len(ours) == len(theirs), path
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{path}[{index}]")
    else:
        assert ours == theirs, path
