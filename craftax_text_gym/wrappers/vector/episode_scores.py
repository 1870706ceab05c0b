"""Scores of the episodes that a vector environment has played."""

from __future__ import annotations

from typing import Any

from gymnasium.vector import VectorEnv

from craftax_text_gym.scoring.episode import EpisodeRecord, EpisodeTally
from craftax_text_gym.wrappers.episode_scores import ScoreKeeper, score_step
from craftax_text_gym.wrappers.vector.watcher import GameStep, GameWatcher


class EpisodeScores(GameWatcher):
    """Scores the episodes of all games together.

    Info: `episode_scores` as `wrappers.EpisodeScores` has it, for the games whose episodes ended: a dict of arrays,
    each with its mask; within `final_info` where the environment resets in the same step.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        """Score the episodes.

        Args:
            env: A vector environment of this package, wrapped or not.

        Raises:
            TypeError: If it is not of this package.
        """
        super().__init__(env)
        self._keeper = ScoreKeeper(self.game)
        self._tallies: list[EpisodeTally | None] = [None] * self.num_envs

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

    def _on_begin(self, index: int, observation: Any, info: dict[str, Any]) -> None:  # noqa: ARG002
        self._tallies[index] = EpisodeTally.begin(self.game.key, info)

    def _on_step(self, index: int, step: GameStep) -> dict[str, Any]:
        extra = score_step(self._keeper, self._tallies[index], step.reward, step.terminated, step.truncated, step.info)
        if step.terminated or step.truncated:
            self._tallies[index] = None
        return extra
