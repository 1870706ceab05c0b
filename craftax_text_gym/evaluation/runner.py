"""Playing one episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gymnasium as gym

from craftax_text_gym.agents import Agent


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """What came of an episode.

    Attributes:
        seed: What the episode was reset with.
        length: Steps played.
        total_reward: The sum of the rewards, undiscounted.
        achievements: Keys of the achievements, in the order in which they were unlocked.
        terminated: Whether the game itself ended.
        truncated: Whether a cap ended it.
        end_reason: `info["end_reason"]` of the last step, or `"step_cap"` where that is empty.
    """

    seed: int
    length: int
    total_reward: float
    achievements: tuple[str, ...]
    terminated: bool
    truncated: bool
    end_reason: str


def play_episode(env: gym.Env[Any, Any], agent: Agent, seed: int) -> EpisodeRecord:
    """Play one episode to its end.

    Args:
        env: An environment of this package, wrapped or not. Without a step cap an episode may be very long.
        agent: Chooses the actions.
        seed: Seeds both the world and the agent.

    Returns:
        The record, equal for equal arguments if the agent keeps to its seed.
    """
    agent.reset(seed)
    observation, info = env.reset(seed=seed)
    length, total_reward, achievements = 0, 0.0, list[str]()
    terminated = truncated = False
    while not (terminated or truncated):
        observation, reward, terminated, truncated, info = env.step(agent.act(observation, info))
        length += 1
        total_reward += float(reward)
        achievements.extend(info["new_achievements"])
    end_reason = info["end_reason"] or "step_cap"
    return EpisodeRecord(seed, length, total_reward, tuple(achievements), terminated, truncated, end_reason)
