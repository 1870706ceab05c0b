"""Summaries of episodes: every score, with bootstrap confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.scoring.formulas import SCORES, achievement_union, health_reward, scores, success_rates
from craftax_text_gym.scoring.unlocks import Episodes, Unlocks, to_unlocks, validate_records


def confidence_interval(
    score: Callable[[Any], float], episodes: Episodes, *, level: float = 0.95, resamples: int = 2_000, seed: int = 0
) -> tuple[float, float]:
    """The percentile bootstrap confidence interval of a score, over episodes resampled with replacement.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

    Args:
        score: A function of `formulas`, or any other function of records or `Unlocks`.
        episodes: Episodes of one game. With records, `score` is called with records; `to_unlocks(records)` is faster.
        level: The confidence level, between 0 and 1.
        resamples: The number of resamples.
        seed: Seeds the resampling: equal seeds give equal intervals.

    Returns:
        The lower and the upper bound; equal for a single episode.

    Raises:
        TypeError, ValueError: See `to_unlocks`; also if `level` or `resamples` is out of range.
    """
    if not 0 < level < 1:
        raise ValueError(f"Expected a level between 0 and 1, such as 0.95, got {level}.")
    if resamples < 1:
        raise ValueError(f"Expected at least one resample, got {resamples}.")
    population = episodes if isinstance(episodes, Unlocks) else validate_records(episodes)
    rng = np.random.default_rng(seed)
    values = [score(_pick(population, rng.integers(len(population), size=len(population)))) for _ in range(resamples)]
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def summary(episodes: Iterable[EpisodeRecord], *, seed: int = 0) -> dict[str, Any]:
    """Every score of some episodes, with 95 % confidence intervals.

    `achievement_union` has no interval: a resample contains fewer different episodes than the original.

    Args:
        episodes: Records of one game.
        seed: Seeds the intervals.

    Returns:
        JSON-able: `game`, `episodes`, every score of `SCORES`, `health_reward`, `success_rates`, `intervals` (score
        -> bounds).

    Raises:
        TypeError, ValueError: See `to_unlocks` and `health_reward`.
    """
    records = sorted(validate_records(episodes), key=lambda record: record.seed)
    unlocks = to_unlocks(records)
    bounded = {name: score for name, score in SCORES.items() if score is not achievement_union}
    return {
        "game": unlocks.game.key,
        "episodes": len(records),
        **scores(unlocks),
        "health_reward": health_reward(records),
        "success_rates": success_rates(unlocks),
        "intervals": {
            name: list(confidence_interval(score, unlocks, seed=seed, resamples=1_000))
            for name, score in bounded.items()
        },
    }


def _pick(episodes: Unlocks | Sequence[EpisodeRecord], indices: NDArray[np.int64]) -> Any:
    if isinstance(episodes, Unlocks):
        return Unlocks(episodes.game, episodes.flags[indices])
    return [episodes[index] for index in indices]
