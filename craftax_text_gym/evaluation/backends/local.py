"""Episodes in this process: in one vector environment, or as tasks with an environment each."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from craftax_text_gym.evaluation.backends import Means, tasks, vector
from craftax_text_gym.evaluation.settings import RunSettings
from craftax_text_gym.scoring.episode import EpisodeRecord


def play(settings: RunSettings, seeds: Sequence[int], means: Means) -> Generator[EpisodeRecord, None, None]:
    """Play one episode from each seed; see `Backend`.

    Agents that answer at once with one action play in a vector environment. Those that wait for something, answer in
    words or give several actions play as tasks, as does whatever is recorded.
    """
    fits = vector.fits(settings) and means.trajectories is None
    return vector.play(settings, seeds, means) if fits else tasks.play(settings, seeds, means)
