"""The Gymnasium ids: one table, taken from the games."""

from __future__ import annotations

import gymnasium as gym

from craftax_text_gym import games


def register() -> None:
    """Register every id that is not registered yet, so that a second import gives no warning."""
    for spec in games.ALL:
        if spec.env_id not in gym.registry:
            gym.register(
                id=spec.env_id,
                entry_point="craftax_text_gym.env:CraftaxTextEnv",
                vector_entry_point="craftax_text_gym.vector.env:CraftaxTextVectorEnv",
                max_episode_steps=spec.max_steps,
                kwargs={"game": spec.key},
            )
