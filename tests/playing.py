"""Environments without wrappers: how tests make, play, compare and edit them."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils.env_checker import data_equivalence

from craftax_text_gym.games.shared import OFFSETS
from tests.subprocesses import actions_of, plain
from tests.worlds import SLOTS, floor_of, to_numpy

RIGHT = 2


def make(env_id: str, **arguments: Any) -> Any:
    """The environment without wrappers."""
    return gym.make(env_id, **arguments).unwrapped


def play(env: Any, num_steps: int, seed: int | None = 0) -> list[Any]:
    """All outputs of random play; ends where an episode does."""
    outputs = [] if seed is None else [env.reset(seed=seed)]
    for action in actions_of(env, num_steps, seed or 0):
        outputs.append(env.step(action))
        if outputs[-1][2]:
            break
    return outputs


def same(first: Any, second: Any) -> bool:
    return bool(data_equivalence(first, second, exact=True))


def fingerprint(env: Any) -> tuple[Any, ...]:
    """All of an environment's game and generator, and what it says of them."""
    snapshot = env.snapshot()
    arrays = [array.tobytes() for array in snapshot.arrays]
    observation, info = env.restore(snapshot)
    return arrays, env.scene.data, plain(observation), plain(info), snapshot.np_random_state


def edit(env: Any, **fields: Any) -> None:
    """Replace fields of the game's state."""
    env.state = env.state.replace(**fields)


def face(env: Any, block: str, direction: int = RIGHT) -> None:
    """Put a block before the player, and nobody else into the world."""
    spec, state = env.game, to_numpy(env.state)
    row, column = state.player_position + np.array(OFFSETS[direction])
    state.map[floor_of(spec, state)][row, column] = spec.block_index[block]
    if spec.key == "full":
        state.item_map[floor_of(spec, state)][row, column] = 0
    for slots in SLOTS[spec.key]:
        getattr(state, slots.field).mask[:] = False
    state.mob_map[:] = False
    env.state = state.replace(player_direction=np.int32(direction))


DYING = {
    "player_food": np.int32(0),
    "player_drink": np.int32(0),
    "player_energy": np.int32(0),
    "player_recover": np.float32(-15),
}
"""Fields that cost a point of health in the next step."""


def about_to_die(env: Any) -> None:
    face(env, "grass")
    health = np.float32(1) if env.game.key == "full" else np.int32(1)
    inventory = env.state.inventory.replace(wood=np.int32(9))
    edit(env, player_health=health, inventory=inventory, **DYING)
