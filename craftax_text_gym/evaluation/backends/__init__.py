"""Backends: where and how episodes are played. A backend takes seeds and yields records as episodes end, in any order.

May not import `runner`, `results` or the reports: it knows nothing of what becomes of its records.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from craftax_text_gym.evaluation.episodes import OnAchievement, ignore_achievement
from craftax_text_gym.evaluation.run_settings import RunSettings
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.utils.plugins import load
from craftax_text_gym.utils.validation import check_choice


@dataclass(frozen=True, slots=True)
class ExecutionConfig:
    """How episodes are executed. None of it changes their outcome.

    Attributes:
        num_envs: The maximum number of episodes that run at once.
        trajectories: The folder where each episode is recorded; None to record nothing.
        on_achievement: Called for each achievement as it is unlocked, where the backend supports it.
    """

    num_envs: int = 1
    trajectories: Path | None = None
    on_achievement: OnAchievement = ignore_achievement


class Backend(Protocol):
    """Plays episodes."""

    def __call__(
        self, settings: RunSettings, seeds: Sequence[int], execution: ExecutionConfig, /
    ) -> Generator[EpisodeRecord, None, None]:
        """Play one episode for each seed.

        Args:
            settings: What decides the outcome.
            seeds: Those of `settings.seeds` that have yet to be played.
            execution: What does not change the outcome.

        Yields:
            One record per episode, when it has ended. Closing the iterator stops the episodes in progress.
        """
        ...


BACKENDS: Mapping[str, str] = {
    "local": "craftax_text_gym.evaluation.backends.local:play",
    "ray": "craftax_text_gym.evaluation.backends.ray:play",
}
"""Name -> `"module:function"`."""


def get(name: str) -> Backend:
    """Look up a backend.

    Args:
        name: A key of `BACKENDS`, or a user's own `"package.module:function"`.

    Returns:
        The backend.

    Raises:
        ValueError: If there is no such backend; the message lists the closest names.
    """
    check_choice("backend", name, BACKENDS, custom=True)
    backend: Backend = load("backend", name, BACKENDS)
    return backend
