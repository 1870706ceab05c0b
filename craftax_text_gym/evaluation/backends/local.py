"""Episodes in this process: in one vector environment, or as concurrent tasks with one environment each."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from craftax_text_gym.evaluation.backends import ExecutionConfig, tasks, vector
from craftax_text_gym.evaluation.run_settings import RunSettings
from craftax_text_gym.scoring.episode import EpisodeRecord


def play(
    settings: RunSettings, seeds: Sequence[int], execution: ExecutionConfig
) -> Generator[EpisodeRecord, None, None]:
    """Play one episode for each seed; see `Backend`.

    Synchronous agents that choose one action at a time play in a vector environment. Agents that are asynchronous,
    reply in free text or choose several actions play as tasks, and so does every run that records trajectories.
    """
    is_vectorized = vector.supports(settings) and execution.trajectories is None
    play_all = vector.play if is_vectorized else tasks.play
    return play_all(settings, seeds, execution)
