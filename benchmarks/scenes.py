"""A fixed set of played scenes for the benchmarks, including full inventories, monsters and dungeon floors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import gymnasium as gym
import numpy as np

from craftax_text_gym import games
from craftax_text_gym.env import CraftaxTextEnv
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.scene import Scene

NUM_EPISODES = 25
NUM_STEPS = 200

Row = tuple[bytes, int, bytes]
"""The packed row before a step, the number of the action, the packed row after it."""


@lru_cache
def play_rows(key: str) -> tuple[tuple[Row, ...], ...]:
    """5,000 steps of a game in 25 episodes, the same on every machine with the same versions.

    Args:
        key: `"classic"` or `"full"`.

    Returns:
        The steps by episode; one that ends early goes on in another world.
    """
    env = CraftaxTextEnv(key)
    return tuple(tuple(_play_episode(env, episode)) for episode in range(NUM_EPISODES))


def play_states(key: str, every: int) -> Iterator[Any]:
    """Craftax's `EnvState` after every so many of the same steps.

    Args:
        key: `"classic"` or `"full"`.
        every: Yield one of so many.

    Yields:
        The states.
    """
    env = CraftaxTextEnv(key)
    for episode in range(NUM_EPISODES):
        for number, _ in enumerate(_play_episode(env, episode), start=1):
            if number % every == 0:
                yield env.state


def play_vector(key: str, num_envs: int, warm_up: int, num_steps: int) -> list[list[tuple[bytes, int | None]]]:
    """Random play of many games, as a vector has it.

    Args:
        key: `"classic"` or `"full"`.
        num_envs: The number of games.
        warm_up: Steps to play before, so that episodes end as in use.
        num_steps: Steps to keep.

    Returns:
        By step and game, the packed row and the action that led to it, None for a reset. No text has been written.
    """
    spec = games.get(key)
    envs: Any = gym.make_vec(f"craftax_text_gym:{spec.env_id}", num_envs=num_envs, obs_mode="symbolic")
    envs.reset(seed=0)
    rng = np.random.default_rng(0)
    steps = []
    for number in range(warm_up + num_steps):
        actions = rng.integers(len(spec.actions), size=num_envs)
        envs.step(actions)
        if number >= warm_up:
            played = zip(envs.scenes, actions.tolist(), strict=True)
            steps.append([(scene.data, None if scene.executed_action < 0 else action) for scene, action in played])
    envs.close()
    return steps


def _play_episode(env: CraftaxTextEnv, episode: int) -> Iterator[Row]:
    rng = np.random.default_rng(episode)
    info = _begin(env, episode, episode, rng)
    for timestep in range(NUM_STEPS):
        before = env.scene
        action = _choose(env.game, before, info["action_mask"], rng)
        _, _, terminated, _, info = env.step(action)
        yield before.data, action, env.scene.data
        if terminated:
            info = _begin(env, 1000 + 100 * episode + timestep, episode, rng)


def _begin(env: CraftaxTextEnv, seed: int, episode: int, rng: np.random.Generator) -> dict[str, Any]:
    env.reset(seed=seed)
    _equip(env, episode, rng)
    return env.restore(env.snapshot())[1]


def _choose(spec: GameSpec, scene: Scene, mask: Any, rng: np.random.Generator) -> int:
    """A policy that gets around: harvest what it faces, craft and place now and then, else keep walking."""
    useful = {"tree", "stone", "coal", "iron", "diamond", "water", "ripe plant", "chest", "fountain"}
    do, walk = spec.action_index["do"], (1, 2, 3, 4)
    faced = scene.faced
    if (faced.block in useful or any(thing.mob for thing in faced.things)) and mask[do] and rng.random() < 0.7:
        return do
    others = [action for action in np.flatnonzero(mask) if action > do]
    if others and rng.random() < 0.1:
        return int(rng.choice(others))
    ahead: int = ("", "left", "right", "up", "down").index(scene.direction)
    return ahead if mask[ahead] and rng.random() < 0.8 else int(rng.choice(walk))


def _equip(env: CraftaxTextEnv, episode: int, rng: np.random.Generator) -> None:
    """Give every second episode the inventory, and in the full game the floor, of a later stage."""
    if episode % 2 == 0:
        return
    spec, state = env.game, env.state
    cap = 4 if episode % 4 == 1 else spec.inventory_cap
    tiers = {name: len(labels) - 1 for name, labels in spec.tools.items()}
    amounts: dict[str, Any] = {name: np.int32(rng.integers(tiers.get(name, cap) + 1)) for name in spec.materials}
    if spec.key == "full":
        floor = (episode // 2) % len(spec.floors)
        position = state.up_ladders[floor] if floor else state.player_position
        state = state.replace(
            player_level=np.int32(floor),
            player_position=position,
            armour_enchantments=rng.integers(3, size=4).astype(np.int32),
            learned_spells=rng.random(2) < 0.5,
            player_xp=np.int32(rng.integers(4)),
        )
        amounts |= {
            "potions": rng.integers(4, size=6).astype(np.int32),
            "armour": rng.integers(3, size=4).astype(np.int32),
        }
    env.state = state.replace(inventory=state.inventory.replace(**amounts))
