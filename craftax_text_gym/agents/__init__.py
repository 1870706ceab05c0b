"""Agents: the protocol they follow, how they are made, and built-in ones: random, noop, scripted and LLM.

May not import `evaluation`, `integrations`, `play` or `cli`, nor JAX or Craftax.
"""

from __future__ import annotations

from craftax_text_gym.agents.agent import Agent, AgentError, EndpointError, Reply, Usage
from craftax_text_gym.agents.loading import AGENTS, AgentRecipe, parse_options, recipe_of
from craftax_text_gym.agents.noop import NoopAgent
from craftax_text_gym.agents.random import RandomAgent
from craftax_text_gym.agents.scripted import ScriptedAgent

__all__ = [
    "AGENTS",
    "Agent",
    "AgentError",
    "AgentRecipe",
    "EndpointError",
    "NoopAgent",
    "RandomAgent",
    "Reply",
    "ScriptedAgent",
    "Usage",
    "parse_options",
    "recipe_of",
]
