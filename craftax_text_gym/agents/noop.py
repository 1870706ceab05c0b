"""An agent that does nothing: the floor below every score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class NoopAgent:
    """Always plays `noop`."""

    def reset(self, seed: int) -> None:
        """Begin an episode; there is nothing to forget."""

    def act(self, observation: Any, info: Mapping[str, Any]) -> str:  # noqa: ARG002
        """Do nothing."""
        return "noop"
