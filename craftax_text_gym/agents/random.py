"""An agent that samples its actions uniformly at random."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


class RandomAgent:
    """Samples actions uniformly, from a generator seeded by each episode's seed.

    Attributes:
        available_only: Whether it samples only actions that are available by `info["action_mask"]`.
        max_actions: The number of actions sampled per decision.
    """

    def __init__(self, *, available_only: bool = False, max_actions: int = 1) -> None:
        """Make the agent.

        Args:
            available_only: Sample only actions that are available when it decides.
            max_actions: The number of actions sampled per decision.
        """
        self.available_only = available_only
        self.max_actions = max_actions
        self._rng = np.random.default_rng()

    def reset(self, seed: int) -> None:
        """Begin an episode.

        Args:
            seed: Seeds the agent's generator.
        """
        self._rng = np.random.default_rng(seed)

    def act(self, observation: Any, info: Mapping[str, Any]) -> int | list[int]:  # noqa: ARG002
        """Sample the next action, or the next few.

        Args:
            observation: Not used.
            info: Its `action_mask` says how many actions there are, and which are available.

        Returns:
            The number of an action, or a list of them where `max_actions` is above 1.
        """
        mask = info["action_mask"]
        choices = np.flatnonzero(mask) if self.available_only else np.arange(len(mask))
        sampled: list[int] = self._rng.choice(choices, size=self.max_actions).tolist()
        return sampled[0] if self.max_actions == 1 else sampled
