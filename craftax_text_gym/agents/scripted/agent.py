"""An agent that plays by hand-written rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from craftax_text_gym.agents.scripted import perception, priorities
from craftax_text_gym.agents.scripted.memory import Memory
from craftax_text_gym.agents.scripted.mind import Mind


class ScriptedAgent:
    """Plays both games from observations in the format `"json"`, with a map that it builds up.

    It is deterministic and ignores `info`: its actions follow from the observations alone.

    Attributes:
        text_format: The format it reads.
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
            info: Not used.

        Returns:
            The name of an action.

        Raises:
            ValueError: If the observation is not in the format `"json"`.
        """
        view = perception.read(observation)
        if self._mind is None:
            self._mind = Mind(Memory(view))
        else:
            self._mind.memory.observe(view, self._action)
            self._mind.refresh()
        self._action = "noop" if view.is_idle else priorities.decide(self._mind)
        return self._action
