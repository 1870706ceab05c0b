"""Rollouts of many games at once, as a learner collects them: python vector_rollouts.py [NUM_ENVS] [NUM_STEPS]."""

import sys
from typing import NamedTuple

import gymnasium as gym
import numpy as np
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

import craftax_text_gym
from craftax_text_gym.wrappers.vector import EpisodeScores


class Step(NamedTuple):
    """One step of all games: observations, actions and outcomes.

    Attributes:
        texts: The observation that each action was chosen from.
        masks: int8 `[num_envs, num_actions]`: 1 where an action was available.
        actions: int64 `[num_envs]`.
        rewards: float64 `[num_envs]`.
        dones: bool `[num_envs]`: True where the step ended an episode.
        played: bool `[num_envs]`: False where the step only reset the game, so there is nothing to learn from.
    """

    texts: tuple[str, ...]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    dones: NDArray[np.bool_]
    played: NDArray[np.bool_]


def collect(envs: gym.vector.VectorEnv, num_steps: int, seed: int = 0) -> list[Step]:
    """Step all games; after an episode ends, the next step only resets that game."""
    rng = np.random.default_rng(seed)
    texts, infos = envs.reset(seed=seed)
    steps, dones = [], np.zeros(envs.num_envs, bool)
    for _ in range(num_steps):
        read, masks, played = texts, infos["action_mask"], ~dones
        actions = np.argmax(masks * rng.random(masks.shape), axis=1)  # here your model reads the texts
        texts, rewards, terminated, truncated, infos = envs.step(actions)
        dones = terminated | truncated
        steps.append(Step(read, masks, actions, rewards, dones, played))
    return steps


def main(num_envs: int = 8, num_steps: int = 100) -> None:
    """Collect rollouts and summarise them."""
    gym.register_envs(craftax_text_gym)
    games = EpisodeScores(gym.make_vec("CraftaxText-v0", num_envs=num_envs, max_episode_steps=40))
    envs = RecordEpisodeStatistics(games)
    steps = collect(envs, num_steps)
    envs.close()
    played = sum(int(step.played.sum()) for step in steps)
    rewards = sum(float(step.rewards.sum()) for step in steps)
    length, reward = np.mean(envs.length_queue), np.mean(envs.return_queue)
    print(f"{played} steps with a reward of {rewards:.1f}")
    print(f"{envs.episode_count} episodes of {length:.1f} steps and {reward:.2f} reward")
    print(f"{games.summary()['achievement_count']:.2f} achievements an episode")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
