"""Games in the states that the wrappers' tests need."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np


def edit(env: gym.Env[Any, Any], inventory: dict[str, int] | None = None, **fields: Any) -> None:
    """Change fields of the game's state, and of its inventory."""
    base: Any = env.unwrapped
    state = base.state
    if inventory:
        items = {name: np.int32(count) for name, count in inventory.items()}
        state = state.replace(inventory=state.inventory.replace(**items))
    base.state = state.replace(
        **{name: np.asarray(value, getattr(state, name).dtype) for name, value in fields.items()}
    )


def ready_to_plant(env: gym.Env[Any, Any]) -> Any:
    """Reset to a world where `place_plant` works at once, and reaches its achievement; gives what `reset` gave."""
    base: Any = env.unwrapped
    for seed in range(20):
        given = env.reset(seed=seed)
        edit(env, {"sapling": 1})
        if base.explain("place_plant") is None:
            return given
    raise AssertionError("No world of these has grass before the player.")


def hurt_next(env: gym.Env[Any, Any], health: int = 9) -> None:
    """Let hunger take a point of health in the next step."""
    edit(env, player_food=0, player_drink=0, player_energy=0, player_recover=-15, player_health=health)
