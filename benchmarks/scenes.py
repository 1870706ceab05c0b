"""A fixed recipe of scenes for the benchmarks: played, with full bags, monsters and dungeon floors among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np

import craftax_text_gym as ctg
from craftax_text_gym.scene import Scene

NUM_EPISODES = 25
NUM_STEPS = 200
EVERY = 10


@dataclass(frozen=True)
class Step:
    """One step of play.

    Attributes:
        before: What the player saw before it.
        action: The number of the action.
        after: What the player saw then.
        state: Craftax's `EnvState` after it.
    """

    before: Scene
    action: int
    after: Scene
    state: Any


def play(key: str) -> list[Step]:
    """500 steps of a game, the same on every machine with the same versions.

    Args:
        key: `"classic"` or `"full"`.

    Returns:
        The steps, spread evenly over the episodes.
    """
    spec = ctg.games.get(key)
    env = gym.make(spec.env_id).unwrapped
    steps: list[Step] = []
    for episode in range(NUM_EPISODES):
        rng = np.random.default_rng(episode)
        _, info = env.reset(seed=episode)
        _equip(env, episode, rng)
        info = env.unwrapped._info()  # type: ignore[attr-defined]
        for timestep in range(1, NUM_STEPS + 1):
            before = env.scene  # type: ignore[attr-defined]
            action = _choose(spec, before, info["action_mask"], rng)
            _, _, terminated, _, info = env.step(action)
            if timestep % EVERY == 0 or terminated:
                steps.append(Step(before, action, env.scene, env.state))  # type: ignore[attr-defined]
            if terminated:
                _, info = env.reset(seed=1000 + 100 * episode + timestep)
                _equip(env, episode, rng)
                info = env.unwrapped._info()  # type: ignore[attr-defined]
    return steps[: NUM_EPISODES * NUM_STEPS // EVERY]


def _choose(spec: Any, scene: Scene, mask: Any, rng: np.random.Generator) -> int:
    """A policy that gets about: harvest what it faces, craft and place now and then, else walk on."""
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


def _equip(env: Any, episode: int, rng: np.random.Generator) -> None:
    """Give every second episode the belongings, and in the full game the floor, of a later hour."""
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
