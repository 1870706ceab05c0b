"""Scores of the episodes that an environment has played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from craftax_text_gym import scoring
from craftax_text_gym.games import GameSpec
from craftax_text_gym.scoring.episode import EpisodeRecord, EpisodeTally
from craftax_text_gym.wrappers.base import GameWrapper, StepResult


class ScoreKeeper:
    """Keeps the records of finished episodes of one game.

    Attributes:
        records: The records, in the order in which the episodes ended.
    """

    def __init__(self, game: GameSpec) -> None:
        """Start without records.

        Args:
            game: The game.
        """
        self.records: list[EpisodeRecord] = []
        self._game = game
        self._flags: list[NDArray[np.bool_]] = []

    def add(self, tally: EpisodeTally) -> dict[str, float]:
        """Add an episode that has ended.

        Args:
            tally: The episode's tally.

        Returns:
            `episodes` (how many have ended) and each of `scoring.SCORES` over them.
        """
        record = tally.record()
        self.records.append(record)
        self._flags.extend(scoring.to_unlocks([record]).flags)
        return {"episodes": len(self.records), **scoring.scores(scoring.Unlocks(self._game, np.array(self._flags)))}

    def summary(self, seed: int = 0) -> dict[str, Any]:
        """See `EpisodeScores.summary`."""
        return scoring.summary(self.records, seed=seed)


class EpisodeScores(GameWrapper):
    """Scores all episodes that have ended, together.

    Observation, action: unchanged.
    Info: at the end of an episode `episode_scores`, the scores of all episodes that ended so far: `episodes` and each
    of `scoring.SCORES`. An episode that is reset early does not count.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        """Score the episodes.

        Args:
            env: An environment of this package, wrapped or not.

        Raises:
            TypeError: If it is not of this package.
        """
        super().__init__(env)
        self._keeper = ScoreKeeper(self.game_env.game)
        self._tally: EpisodeTally | None = None

    @property
    def records(self) -> tuple[EpisodeRecord, ...]:
        """The record of each episode that ended."""
        return tuple(self._keeper.records)

    def summary(self, seed: int = 0) -> dict[str, Any]:
        """Every score of the episodes that ended, with confidence intervals.

        Args:
            seed: Seeds the intervals.

        Returns:
            See `scoring.summary`.

        Raises:
            ValueError: If no episode has ended yet.
        """
        return self._keeper.summary(seed)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._tally = EpisodeTally.begin(self.game_env.game.key, info)
        return observation, info

    def step(self, action: Any) -> StepResult:
        """Play a step; at the end of the episode, score it."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        info = {**info, **score_step(self._keeper, self._tally, float(reward), terminated, truncated, info)}
        if terminated or truncated:
            self._tally = None
        return observation, float(reward), terminated, truncated, info


def score_step(
    keeper: ScoreKeeper,
    tally: EpisodeTally | None,
    reward: float,
    terminated: bool,
    truncated: bool,
    info: Mapping[str, Any],
) -> dict[str, Any]:
    """Count a step of one game.

    Args:
        keeper: Receives the episode when it ends.
        tally: The episode's tally; None if it has already ended.
        reward: The step's reward.
        terminated: Whether the game itself ended.
        truncated: Whether a cap ended it.
        info: The step's info.

    Returns:
        The entries to add to `info`: `episode_scores` at the end of an episode, else none.
    """
    if tally is None:
        return {}
    tally.add(reward, terminated, truncated, info)
    return {"episode_scores": keeper.add(tally)} if terminated or truncated else {}
