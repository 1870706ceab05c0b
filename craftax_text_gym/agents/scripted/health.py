"""When the player counts as hurt."""

from __future__ import annotations

from craftax_text_gym.agents.scripted.knowledge import danger
from craftax_text_gym.agents.scripted.mind import Mind

_OPENING, _RECKLESS = 300, 3
"""So many steps the agent makes haste, and minds no wounds down to so much health."""
_RESERVE, _SHARE = 1, 0.6
"""Health beyond a blow and a shot below which the player counts as hurt, and the most that this is of full health."""


def is_hurt(mind: Mind) -> bool:
    """Whether a blow and a shot more would be dangerous."""
    view = mind.view
    if mind.memory.tick < _OPENING:
        return view.health <= _RECKLESS
    return view.health <= min(danger(mind.spec, view.floor) + _RESERVE, _SHARE * view.maxima["health"])
