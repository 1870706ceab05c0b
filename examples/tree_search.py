"""Search over the names of actions with `snapshot` and `restore`: python tree_search.py [SEED] [ROUNDS].

This is a beam search: each of the most promising games is continued in many ways, and the best results are kept. The
search sees how chance falls in a world, which no player can: its plans show what is within reach, and can serve as
training data.
"""

import random
import sys
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

import craftax_text_gym
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.observation.snapshot import Snapshot

BEAM, BRANCHES, LENGTH = 8, 16, 6


@dataclass(frozen=True)
class Node:
    """A game that the search has reached, how promising it is, and the actions that led to it."""

    snapshot: Snapshot
    value: float = 0.0
    plan: tuple[str, ...] = ()
    is_over: bool = False


def value_of(env: Any) -> float:
    """Rate how promising a game is; your own value model can go here."""
    scene: Scene = env.unwrapped.scene
    carried = sum(min(count, 4) for count in scene.materials.values())
    return len(scene.achievements) + 0.1 * carried + 0.02 * sum(scene.vitals)


def extend(env: Any, node: Node, length: int, rng: random.Random) -> Node:
    """Continue from a node with random available actions."""
    _, info = env.unwrapped.restore(node.snapshot)
    plan: list[str] = []
    is_over = False
    while len(plan) < length and not is_over:
        plan += rng.choices(env.action_space.names, info["action_mask"].tolist())
        _, _, is_over, _, info = env.unwrapped.step(plan[-1])
    return Node(env.unwrapped.snapshot(), value_of(env), (*node.plan, *plan), is_over)


def search(env: Any, root: Node, rounds: int, rng: random.Random) -> Node:
    """Return the most promising node found in a number of rounds."""
    beam = [root]
    for _ in range(rounds):
        children = [extend(env, node, LENGTH, rng) for node in beam if not node.is_over for _ in range(BRANCHES)]
        beam = sorted([*beam, *children], key=lambda node: node.value, reverse=True)[:BEAM]
    return beam[0]


def main(seed: int = 1, rounds: int = 15) -> None:
    """Search in a world, replay the plan from the start, and compare it with random play."""
    gym.register_envs(craftax_text_gym)
    env = gym.make("CraftaxClassicText-v0")
    rng = random.Random(seed)
    env.reset(seed=seed)
    root = Node(env.unwrapped.snapshot())
    best = search(env, root, rounds, rng)

    _, info = env.reset(seed=seed)
    for action in best.plan:
        _, _, _, _, info = env.step(action)
        if info["new_achievements"]:
            print(f"step {info['timestep']}: {', '.join(info['new_achievements'])}")
    lucky = max(len(extend(env, root, rounds * LENGTH, rng).snapshot.moment.scene.achievements) for _ in range(20))
    print(f"search: {info['achievements'].sum()} achievements in {len(best.plan)} steps: {' '.join(best.plan)}")
    print(f"random, the best of 20 games of {rounds * LENGTH} steps: {lucky} achievements")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
