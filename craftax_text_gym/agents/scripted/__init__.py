"""A player that follows rules of thumb."""

from __future__ import annotations

from craftax_text_gym.agents.scripted.agent import ScriptedAgent

__all__ = ["ScriptedAgent"]
