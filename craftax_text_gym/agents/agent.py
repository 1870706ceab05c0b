"""What an agent is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Agent(Protocol):
    """Chooses actions from observations. Any object with these two methods is one."""

    def reset(self, seed: int) -> None:
        """Begin an episode.

        Args:
            seed: The episode's seed; whatever the agent draws at random must follow from it alone.
        """
        ...

    def act(self, observation: Any, info: Mapping[str, Any]) -> str | int:
        """Choose the next action.

        Args:
            observation: What the environment gave last.
            info: The info that came with it.

        Returns:
            The name or the number of an action.
        """
        ...
