"""When the player counts as hurt."""

from __future__ import annotations

from craftax_text_gym.agents.scripted.knowledge import danger
from craftax_text_gym.agents.scripted.mind import Mind

_OPENING, _RECKLESS = 300, 3
"""For the first `_OPENING` steps the agent counts as hurt only at `_RECKLESS` health or less."""
_RESERVE, _SHARE = 1, 0.6
"""The player is hurt at the damage of a hit and a shot plus `_RESERVE`, at most `_SHARE` of full health."""


def is_hurt(mind: Mind) -> bool:
    """Whether one more hit and one more shot would be dangerous."""
    view = mind.view
    if mind.memory.tick < _OPENING:
        return view.health <= _RECKLESS
    return view.health <= min(danger(mind.spec, view.floor) + _RESERVE, _SHARE * view.maxima["health"])
