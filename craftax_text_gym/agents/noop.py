"""An agent that does nothing: a lower bound for every score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class NoopAgent:
    """Always plays `noop`.

    Attributes:
        max_actions: How many times per decision.
    """

    def __init__(self, *, max_actions: int = 1) -> None:
        """Make the agent.

        Args:
            max_actions: How many times it plays `noop` per decision.
        """
        self.max_actions = max_actions

    def reset(self, seed: int) -> None:
        """Begin an episode; the agent has no state."""

    def act(self, observation: Any, info: Mapping[str, Any]) -> str | list[str]:  # noqa: ARG002
        """Do nothing."""
        return "noop" if self.max_actions == 1 else ["noop"] * self.max_actions
