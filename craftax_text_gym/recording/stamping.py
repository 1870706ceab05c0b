"""What is recorded beside every score, log and trajectory: settings, versions and backend. Starts no JAX."""

from __future__ import annotations

import sys
from typing import Any

import gymnasium as gym

from craftax_text_gym.utils import provenance


def stamp(env: gym.Env[Any, Any] | gym.vector.VectorEnv[Any, Any, Any]) -> dict[str, Any]:
    """Describe what shapes an environment's episodes beside the seed and the actions.

    Args:
        env: An environment or a vector environment of this package, wrapped or not.

    Returns:
        JSON-able: `game`, `env_id`, `text_format` (its fields), `text_format_digest`, `reveal`, `env_params`,
        `obs_mode`, `versions`, `backend` (None where no game has been compiled), `jax_threefry_partitionable`.
    """
    base: Any = env.unwrapped
    many = isinstance(env, gym.vector.VectorEnv)

    def get(name: str) -> Any:
        return base.get_attr(name)[0] if many else getattr(base, name)

    game, text_format = get("game"), get("text_format")
    return {
        "game": game.key,
        "env_id": game.env_id,
        "text_format": text_format.to_json(),
        "text_format_digest": text_format.digest,
        "reveal": list(get("reveal")),
        "env_params": dict(get("env_params")),
        "obs_mode": get("obs_mode"),
        "versions": dict(provenance.versions()),
        "backend": _backend(),
        "jax_threefry_partitionable": True,  # the engine pins it
    }


def _backend() -> str | None:
    core: Any = sys.modules.get("craftax_text_gym.engine.core")
    return None if core is None else str(core.backend())
