"""The episodes of one run and every number computed from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from craftax_text_gym import games, scoring
from craftax_text_gym.evaluation import protocols
from craftax_text_gym.games import GameSpec
from craftax_text_gym.scoring.episode import EpisodeRecord

DEFAULT_SCORE = "reward_percent"
"""The score that ranks agents when no protocol names one."""

_TOTALS = (
    *("decisions", "invalid_replies", "cut_replies", "empty_replies"),
    *("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "cost"),
)
_NAMED_IF_ANY = ("cut_replies", "empty_replies", "cached_tokens", "reasoning_tokens")
_BROKEN = {"invalid_replies": "name no action", "cut_replies": "are cut at max_tokens", "empty_replies": "are empty"}


@dataclass(frozen=True)
class RunSummary:
    """Episodes of one game, played by one agent, and their statistics.

    Attributes:
        header: The settings of the run and the output of `stamping.stamp`; see `RunSettings.header`.
        episodes: The records, at least one.
    """

    header: Mapping[str, Any]
    episodes: tuple[EpisodeRecord, ...]

    def __post_init__(self) -> None:
        """Raise `ValueError` if there is no episode."""
        if not self.episodes:
            raise ValueError("Expected at least one episode, got none.")

    @property
    def game(self) -> GameSpec:
        """The game."""
        return games.get(self.header["game"])

    @property
    def missing(self) -> tuple[int, ...]:
        """The seeds whose episodes have not ended."""
        done = {episode.seed for episode in self.episodes}
        return tuple(seed for seed in self.header["seeds"] if seed not in done)

    @property
    def agent(self) -> str:
        """The agent's name, with its options."""
        options = ", ".join(f"{key}={value}" for key, value in self.header["agent_options"].items())
        return f"{self.header['agent']} ({options})" if options else str(self.header["agent"])

    @property
    def headline(self) -> str:
        """The agent and the game; and how many replies were broken, if most of them were."""
        usage = self.usage
        broken = max(usage.get("invalid_replies", 0), usage.get("cut_replies", 0))
        name = f"{self.agent} in {self.game.title}"
        if 2 * broken <= usage["decisions"]:
            return name
        causes = [f"{usage[key]:,.0f} {words}" for key, words in _BROKEN.items() if usage.get(key)]
        return f"{name}: BROKEN, of {usage['decisions']:,.0f} replies {', '.join(causes)}"

    @property
    def score_name(self) -> str:
        """The score that ranks agents: the protocol's, else `DEFAULT_SCORE`."""
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
        """End reason -> number of episodes, the most frequent first."""
        return dict(Counter(episode.end_reason for episode in self.episodes).most_common())

    @property
    def usage(self) -> dict[str, float]:
        """Totals over episodes: decisions and broken replies; tokens and cost where they are known."""
        totals: dict[str, float] = {}
        for name in _TOTALS:
            values = [getattr(episode, name) for episode in self.episodes]
            known = [value for value in values if value is not None]
            if known and (sum(known) or name not in _NAMED_IF_ANY):
                totals[name] = sum(known)
        return totals

    def to_json(self) -> dict[str, Any]:
        """All of it, JSON-able."""
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
