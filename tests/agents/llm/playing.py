"""Agents that ask a scripted server, with and without a game."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.agents.llm import LLMAgent, retrying
from craftax_text_gym.text import TextFormat
from craftax_text_gym.text.notes import add_notes
from craftax_text_gym.text.progress import progress_note
from craftax_text_gym.wrappers.action_sequence import ActionSequence
from craftax_text_gym.wrappers.step_cap import StepCap
from craftax_text_gym.wrappers.text_actions import TextActions
from tests.agents.llm.server import KEY, MODEL, Script, Server, serve


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries without long waits."""
    monkeypatch.setattr(retrying, "FIRST_WAIT", 0.002)


def info_of(key: str = "classic", *unlocked: str) -> dict[str, Any]:
    """The part of an info that the agent looks at."""
    keys = games.get(key).achievement_keys
    return {"achievements": np.array([name in unlocked for name in keys]), "timestep": 0}


def told(text: str, key: str = "classic", *unlocked: str) -> str:
    """An observation as the agent shows it by default."""
    spec = games.get(key)
    return add_notes(text, [progress_note(spec, info_of(key, *unlocked)["achievements"], TextFormat())], "markdown")


def make(server: Server, **options: Any) -> LLMAgent:
    """An agent that asks a server."""
    chosen = {"game": "classic", "model": MODEL, "base_url": server.url, "api_key": KEY, "timeout": 5.0, **options}
    return LLMAgent(**chosen)


async def converse(agent: LLMAgent, observations: list[str], game: str = "classic") -> list[Any]:
    """Replies to observations, in one episode."""
    agent.reset(0)
    try:
        return [await agent.act(observation, info_of(game)) for observation in observations]
    finally:
        await agent.close()


def ask(script: Script, observations: list[str], **options: Any) -> tuple[list[Any], LLMAgent, Server]:
    """Replies of a scripted model to observations, and who was involved."""
    with serve(script) as server:
        agent = make(server, **options)
        return asyncio.run(converse(agent, observations)), agent, server


@contextmanager
def game_for(agent: LLMAgent, num_decisions: int) -> Iterator[gym.Env[Any, Any]]:
    """A game that takes the agent's replies, and notes what is wrong with them."""
    env: gym.Env[Any, Any] = gym.make(agent.spec.env_id, text_format=agent.format, max_episode_steps=-1)
    if agent.max_actions > 1:
        env = ActionSequence(env, agent.max_actions)
    env = StepCap(TextActions(env, on_invalid="noop"), num_decisions, unit="decision")
    yield env
    env.close()


async def play(agent: LLMAgent, env: gym.Env[Any, Any], seed: int = 0) -> list[dict[str, Any]]:
    """The infos of an episode."""
    agent.reset(seed)
    observation, info = env.reset(seed=seed)
    infos = [info]
    truncated = terminated = False
    while not (terminated or truncated):
        observation, _, terminated, truncated, info = env.step(await agent.act(observation, info))
        infos.append(info)
    await agent.close()
    return infos
