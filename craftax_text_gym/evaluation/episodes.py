"""Play one episode with an agent, and count what comes of it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Sequence

from craftax_text_gym.agents import Agent, Usage
from craftax_text_gym.scoring.episode import EpisodeRecord, EpisodeTally

OnAchievement = Callable[[int, str, int], None]
"""Called for each achievement as it is unlocked, with the episode's seed, the achievement's key and the step."""


def ignore_achievement(seed: int, achievement: str, step: int) -> None:
    """Do nothing."""


def is_async(agent: Agent) -> bool:
    """Whether any of an agent's methods is a coroutine function."""
    return any(inspect.iscoroutinefunction(getattr(agent, name, None)) for name in ("reset", "act", "close"))


def play_episode(
    env: gym.Env[Any, Any], agent: Agent, seed: int, on_achievement: OnAchievement = ignore_achievement
) -> EpisodeRecord:
    """Play one episode to its end.

    Args:
        env: An environment of this package, wrapped or not. Cap its steps: episodes can be very long.
        agent: Chooses the actions.
        seed: Seeds both the world and the agent.
        on_achievement: Called for each achievement.

    Returns:
        The record; equal for equal arguments if the agent's choices follow from its seed.

    Raises:
        TypeError: If the agent is asynchronous: see `play_episode_async`.
    """
    if is_async(agent):
        raise TypeError(
            f"Expected an agent without coroutine functions, got {agent!r}: await play_episode_async() instead."
        )
    agent.reset(seed)
    observation, info = env.reset(seed=seed)
    tally = EpisodeTally.begin(env.unwrapped.game.key, info)  # type: ignore[attr-defined]
    while not (tally.terminated or tally.truncated):
        observation, reward, terminated, truncated, info = env.step(_to_action(env, agent.act(observation, info)))
        count_step(tally, float(reward), terminated, truncated, info, on_achievement)
    return make_record(tally, agent)


async def play_episode_async(
    env: gym.Env[Any, Any], agent: Agent, seed: int, on_achievement: OnAchievement = ignore_achievement
) -> EpisodeRecord:
    """Play one episode to its end; the game and synchronous agents run in threads.

    Args:
        env: As for `play_episode`.
        agent: Chooses the actions.
        seed: Seeds both the world and the agent.
        on_achievement: Called for each achievement.

    Returns:
        The same record that `play_episode` gives.
    """
    act: Any = agent.act if inspect.iscoroutinefunction(agent.act) else None
    await _finish(agent.reset(seed))
    observation, info = await asyncio.to_thread(env.reset, seed=seed)
    tally = EpisodeTally.begin(env.unwrapped.game.key, info)  # type: ignore[attr-defined]
    while not (tally.terminated or tally.truncated):
        reply = await (act(observation, info) if act else asyncio.to_thread(agent.act, observation, info))
        observation, reward, terminated, truncated, info = await asyncio.to_thread(env.step, _to_action(env, reply))
        count_step(tally, float(reward), terminated, truncated, info, on_achievement)
    return make_record(tally, agent)


def _to_action(env: gym.Env[Any, Any], reply: Any) -> Any:
    """A reply as an action: where the environment plays sequences, a single action becomes a sequence of one."""
    is_single = isinstance(reply, str | int | np.integer) and isinstance(env.action_space, Sequence)
    return [reply] if is_single else reply


def count_step(
    tally: EpisodeTally,
    reward: float,
    terminated: bool,
    truncated: bool,
    info: Mapping[str, Any],
    on_achievement: OnAchievement,
) -> None:
    """Count a step, and report its new achievements.

    Args:
        tally: The episode's tally, which is updated.
        reward: The step's reward.
        terminated: Whether the game itself ended.
        truncated: Whether a cap ended it.
        info: The step's info.
        on_achievement: Called for each new achievement.
    """
    tally.add(reward, terminated, truncated, info)
    tally.invalid_replies = int(info.get("invalid_replies", 0))
    for key in info["new_achievements"]:
        on_achievement(tally.seed, key, tally.length)


def make_record(tally: EpisodeTally, agent: Agent) -> EpisodeRecord:
    """Make the record of an episode, with the agent's token usage.

    Args:
        tally: The episode's tally.
        agent: The agent that played it.

    Returns:
        The record.
    """
    usage: Usage | None = getattr(agent, "usage", None)
    if usage is None:
        return tally.record()
    return tally.record(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost=usage.cost,
        cached_tokens=usage.cached_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        cut_replies=usage.num_cut,
        empty_replies=usage.num_empty,
    )


async def close_agent(agent: Agent) -> None:
    """Call an agent's `close` method, if it has one."""
    close = getattr(agent, "close", None)
    if close is not None:
        await _finish(close())


async def _finish(result: Awaitable[None] | None) -> None:
    if result is not None:
        await result
