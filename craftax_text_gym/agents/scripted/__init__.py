"""An agent that plays by hand-written rules, from the text alone.

May not import anything of the package but `games`.
"""

from __future__ import annotations

from craftax_text_gym.agents.scripted.agent import ScriptedAgent

__all__ = ["ScriptedAgent"]
