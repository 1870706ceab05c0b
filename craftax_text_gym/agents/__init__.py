"""Players of the games: what an agent is, and the simplest ones."""

from __future__ import annotations

from craftax_text_gym.agents.agent import Agent
from craftax_text_gym.agents.noop import NoopAgent
from craftax_text_gym.agents.random import RandomAgent

__all__ = ["Agent", "NoopAgent", "RandomAgent"]
