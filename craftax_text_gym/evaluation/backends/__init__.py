"""Where episodes are played. A backend takes seeds and gives records as they come, in any order."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from craftax_text_gym.evaluation.episodes import Watch, ignore
from craftax_text_gym.evaluation.settings import RunSettings
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.utils.plugins import load
from craftax_text_gym.utils.validation import check_choice


@dataclass(frozen=True, slots=True)
class Means:
    """How episodes are played, which changes nothing about their outcome.

    Attributes:
        num_envs: How many run at the same time, at most.
        trajectories: The folder where each episode is recorded; None for no recording.
        watch: Is told of achievements as they come, where the backend can.
    """

    num_envs: int = 1
    trajectories: Path | None = None
    watch: Watch = ignore


class Backend(Protocol):
    """Plays episodes."""

    def __call__(
        self, settings: RunSettings, seeds: Sequence[int], means: Means
    ) -> Generator[EpisodeRecord, None, None]:
        """Play one episode from each seed.

        Args:
            settings: What decides the outcome.
            seeds: Those of `settings.seeds` that are still to be played.
            means: What does not.

        Yields:
            A record an episode, when it has ended. Closing the iterator stops the episodes that are being played.
        """
        ...


BACKENDS: Mapping[str, str] = {
    "local": "craftax_text_gym.evaluation.backends.local:play",
    "ray": "craftax_text_gym.evaluation.backends.ray:play",
}
"""Name -> `"module:function"`."""


def get(name: str) -> Backend:
    """Look a backend up.

    Args:
        name: A key of `BACKENDS`, or a user's own `"package.module:function"`.

    Returns:
        The backend.

    Raises:
        ValueError: If there is no such backend; the closest ones are in the message.
    """
    check_choice("backend", name, BACKENDS, custom=True)
    backend: Backend = load("backend", name, BACKENDS)
    return backend
