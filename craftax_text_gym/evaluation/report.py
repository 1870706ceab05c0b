"""What came of some episodes together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean

from craftax_text_gym.evaluation.runner import EpisodeRecord
from craftax_text_gym.games import GameSpec


@dataclass(frozen=True, slots=True)
class Report:
    """Episodes of one game by one agent.

    Attributes:
        game: The game.
        episodes: The records, at least one.
    """

    game: GameSpec
    episodes: tuple[EpisodeRecord, ...]

    def __post_init__(self) -> None:
        """Raise `ValueError` where there is no episode."""
        if not self.episodes:
            raise ValueError("Expected at least one episode, got none.")

    @property
    def mean_return(self) -> float:
        """The mean over episodes of the summed rewards."""
        return fmean(episode.total_reward for episode in self.episodes)

    @property
    def mean_length(self) -> float:
        """The mean number of steps."""
        return fmean(episode.length for episode in self.episodes)

    @property
    def mean_achievements(self) -> float:
        """The mean number of achievements unlocked in an episode."""
        return fmean(len(episode.achievements) for episode in self.episodes)

    @property
    def success_rates(self) -> dict[str, float]:
        """Every achievement, in the game's order -> the share of episodes that unlocked it, from 0 to 1."""
        unlocked = Counter(key for episode in self.episodes for key in set(episode.achievements))
        return {key: unlocked[key] / len(self.episodes) for key in self.game.achievement_keys}

    @property
    def end_reasons(self) -> dict[str, int]:
        """Why the episodes ended -> how many did so, the most frequent first."""
        return dict(Counter(episode.end_reason for episode in self.episodes).most_common())
