"""The agent that plays by rules of thumb."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from craftax_text_gym.agents.scripted import perception, plans
from craftax_text_gym.agents.scripted.memory import Memory
from craftax_text_gym.agents.scripted.mind import Mind


class ScriptedAgent:
    """Plays both games from the text of the format `"json"` alone, with a map that it remembers.

    It draws nothing at random, and of `info` it reads nothing: its actions follow from the observations.

    Attributes:
        text_format: The format that it reads.
    """

    text_format = "json"

    def __init__(self) -> None:
        """Make the agent."""
        self._mind: Mind | None = None
        self._action = "noop"

    def reset(self, seed: int) -> None:  # noqa: ARG002
        """Begin an episode.

        Args:
            seed: Not used.
        """
        self._mind = None

    def act(self, observation: str, info: Mapping[str, Any]) -> str:  # noqa: ARG002
        """Choose the next action.

        Args:
            observation: The text.
            info: Not looked at.

        Returns:
            The name of an action.

        Raises:
            ValueError: If the observation is not of the format `"json"`.
        """
        view = perception.read(observation)
        if self._mind is None:
            self._mind = Mind(Memory(view))
        else:
            self._mind.memory.observe(view, self._action)
            self._mind.refresh()
        self._action = "noop" if view.is_idle else plans.decide(self._mind)
        return self._action
