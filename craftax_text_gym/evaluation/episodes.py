"""Playing one episode: what an agent is asked, and what is counted."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Sequence

from craftax_text_gym.agents import Agent, Usage
from craftax_text_gym.scoring.episode import EpisodeRecord, EpisodeTally

Watch = Callable[[int, str, int], None]
"""Is told of each achievement as it comes: the episode's seed, its key, the step."""


def ignore(seed: int, achievement: str, step: int) -> None:
    """Watch nothing."""


def is_async(agent: Agent) -> bool:
    """Whether any of an agent's methods is a coroutine function."""
    return any(inspect.iscoroutinefunction(getattr(agent, name, None)) for name in ("reset", "act", "close"))


def play_episode(env: gym.Env[Any, Any], agent: Agent, seed: int, watch: Watch = ignore) -> EpisodeRecord:
    """Play one episode to its end.

    Args:
        env: An environment of this package, wrapped or not. Without a step cap an episode may be very long.
        agent: Chooses the actions.
        seed: Seeds both the world and the agent.
        watch: Is told of each achievement.

    Returns:
        The record, equal for equal arguments if the agent keeps to its seed.

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
        observation, reward, terminated, truncated, info = env.step(_wanted(env, agent.act(observation, info)))
        count(tally, float(reward), terminated, truncated, info, watch)
    return record_of(tally, agent)


async def play_episode_async(env: gym.Env[Any, Any], agent: Agent, seed: int, watch: Watch = ignore) -> EpisodeRecord:
    """Play one episode to its end; the game, and an agent that is not asynchronous, are run in threads.

    Args:
        env: As for `play_episode`.
        agent: Chooses the actions.
        seed: Seeds both the world and the agent.
        watch: Is told of each achievement.

    Returns:
        The same record that `play_episode` gives.
    """
    act: Any = agent.act if inspect.iscoroutinefunction(agent.act) else None
    await _finish(agent.reset(seed))
    observation, info = await asyncio.to_thread(env.reset, seed=seed)
    tally = EpisodeTally.begin(env.unwrapped.game.key, info)  # type: ignore[attr-defined]
    while not (tally.terminated or tally.truncated):
        reply = await (act(observation, info) if act else asyncio.to_thread(agent.act, observation, info))
        observation, reward, terminated, truncated, info = await asyncio.to_thread(env.step, _wanted(env, reply))
        count(tally, float(reward), terminated, truncated, info, watch)
    return record_of(tally, agent)


def _wanted(env: gym.Env[Any, Any], reply: Any) -> Any:
    """A reply as the environment wants it: one action is a sequence of one, where sequences are played."""
    is_alone = isinstance(reply, str | int | np.integer) and isinstance(env.action_space, Sequence)
    return [reply] if is_alone else reply


def count(
    tally: EpisodeTally, reward: float, terminated: bool, truncated: bool, info: dict[str, Any], watch: Watch
) -> None:
    """Count a step, and tell of the achievements that it brought.

    Args:
        tally: Of the episode.
        reward: The step's.
        terminated: Whether the game itself ended.
        truncated: Whether a cap ended it.
        info: The step's.
        watch: Is told of each new achievement.
    """
    tally.add(reward, terminated, truncated, info)
    tally.invalid_replies = int(info.get("invalid_replies", 0))
    for key in info["new_achievements"]:
        watch(tally.seed, key, tally.length)


def record_of(tally: EpisodeTally, agent: Agent) -> EpisodeRecord:
    """What came of an episode, and what the agent consumed.

    Args:
        tally: Of the episode.
        agent: The one that played it.

    Returns:
        The record.
    """
    usage: Usage | None = getattr(agent, "usage", None)
    if usage is None:
        return tally.record()
    return tally.record(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, cost=usage.cost)


async def close_agent(agent: Agent) -> None:
    """Call an agent's `close`, if it has one."""
    close = getattr(agent, "close", None)
    if close is not None:
        await _finish(close())


async def _finish(result: Awaitable[None] | None) -> None:
    if result is not None:
        await result
