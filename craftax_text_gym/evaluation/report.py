"""What came of an evaluation: every number of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

from craftax_text_gym import games, scoring
from craftax_text_gym.evaluation import protocols, results
from craftax_text_gym.games import GameSpec
from craftax_text_gym.scoring.episode import EpisodeRecord

DEFAULT_SCORE = "reward_percent"
"""The score that ranks agents where no protocol names one."""


@dataclass(frozen=True)
class Report:
    """Episodes of one game by one agent.

    Attributes:
        header: The settings of the run and what `stamping.stamp` tells; see `RunSettings.header`.
        episodes: The records, at least one.
    """

    header: Mapping[str, Any]
    episodes: tuple[EpisodeRecord, ...]

    def __post_init__(self) -> None:
        """Raise `ValueError` where there is no episode."""
        if not self.episodes:
            raise ValueError("Expected at least one episode, got none.")

    @classmethod
    def load(cls, place: str | os.PathLike[str]) -> Report:
        """Make the report of results on disk.

        Args:
            place: A file of results, or an output folder.

        Returns:
            The report; `missing` tells which of its episodes have not ended.

        Raises:
            FileNotFoundError: If there is no such file.
            ValueError: If it holds no results, or no episode.
        """
        found = results.read(place)
        if not found.episodes:
            raise ValueError(f"Expected at least one episode that has ended in '{results.path_of(place)}', got none.")
        return cls(found.header, found.episodes)

    @property
    def game(self) -> GameSpec:
        """The game."""
        return games.get(self.header["game"])

    @property
    def missing(self) -> tuple[int, ...]:
        """Seeds of the run whose episodes have not ended."""
        done = {episode.seed for episode in self.episodes}
        return tuple(seed for seed in self.header["seeds"] if seed not in done)

    @property
    def agent(self) -> str:
        """The agent's name, with its options."""
        options = ", ".join(f"{key}={value}" for key, value in self.header["agent_options"].items())
        return f"{self.header['agent']} ({options})" if options else str(self.header["agent"])

    @property
    def score_name(self) -> str:
        """The score that ranks it: the protocol's."""
        protocol = self.header.get("protocol")
        return protocols.get(protocol).score if protocol else DEFAULT_SCORE

    @property
    def score(self) -> float:
        """The value of that score."""
        return float(self.scores[self.score_name])

    @property
    def score_interval(self) -> tuple[float, float]:
        """Its 95 % confidence interval."""
        low, high = self.scores["intervals"][self.score_name]
        return low, high

    @cached_property
    def scores(self) -> dict[str, Any]:
        """Every score with its interval; see `scoring.summary`."""
        return scoring.summary(self.episodes)

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
        return scoring.success_rates(self.episodes)

    @property
    def end_reasons(self) -> dict[str, int]:
        """Why the episodes ended -> how many did so, the most frequent first."""
        return dict(Counter(episode.end_reason for episode in self.episodes).most_common())

    @property
    def usage(self) -> dict[str, float]:
        """Sums over episodes: decisions, invalid replies; tokens and their cost where they are known."""
        totals: dict[str, float] = {}
        for name in ("decisions", "invalid_replies", "input_tokens", "output_tokens", "cost"):
            values = [getattr(episode, name) for episode in self.episodes]
            known = [value for value in values if value is not None]
            if known:
                totals[name] = sum(known)
        return totals

    def to_json(self) -> dict[str, Any]:
        """All of it as plain JSON values."""
        return {
            **{key: value for key, value in self.header.items() if key != "kind"},
            "score": {"name": self.score_name, "value": self.score, "interval": list(self.score_interval)},
            "scores": self.scores,
            "mean_return": self.mean_return,
            "mean_length": self.mean_length,
            "end_reasons": self.end_reasons,
            "usage": self.usage,
            "missing_seeds": list(self.missing),
            "episodes": [episode.to_json() for episode in self.episodes],
        }

    def write(self, folder: str | os.PathLike[str], *, charts: bool = False) -> tuple[Path, ...]:
        """Write `report.md`, `report.json` and `episodes.csv`; with charts also PNG and SVG pictures.

        Args:
            folder: Where to; made if there is none.
            charts: Whether to draw, for which the extra `charts` is needed.

        Returns:
            The paths of the files.

        Raises:
            ImportError: If charts are asked for, and the extra is not installed.
            RecordingError: If a file cannot be written.
        """
        from craftax_text_gym.evaluation import report_files

        return report_files.write(self, Path(folder), charts=charts)
