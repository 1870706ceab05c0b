"""Every score under its own name: pure functions of episodes, in plain floats.

Each takes `EpisodeRecord`s, or `Unlocks` where what was unlocked is at hand as an array.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.scoring.unlocks import Episodes, Unlocks, to_unlocks, validate_records


def success_rates(episodes: Episodes) -> dict[str, float]:
    """The share of episodes that unlocked each achievement at least once: `p = unlocked / episodes`.

    Source: the Crafter paper, https://arxiv.org/abs/2109.06780, section 3.3, there in percent.

    Args:
        episodes: Episodes of one game.

    Returns:
        Every achievement's key, in the game's order -> its rate from 0 to 1.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    unlocks = to_unlocks(episodes)
    return dict(zip(unlocks.game.achievement_keys, unlocks.rates.tolist(), strict=True))


def log_score(episodes: Episodes) -> float:
    """`sum(ln(1 + p)) / (n * ln 2)` over the n achievements' success rates p, as a fraction of the maximum.

    Source: the leaderboard of craftaxlm, https://pypi.org/project/craftaxlm, which prints it in percent.

    Args:
        episodes: Episodes of one game.

    Returns:
        0 to 1.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    return float(np.log1p(to_unlocks(episodes).rates).mean() / math.log(2))


def log_score_percent(episodes: Episodes) -> float:
    """`log_score` as a percentage of the maximum, as craftaxlm's leaderboard prints it.

    Args:
        episodes: Episodes of one game.

    Returns:
        0 to 100.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    return 100 * log_score(episodes)


def crafter_score(episodes: Episodes) -> float:
    """`exp(mean(ln(1 + s))) - 1` over the achievements' success rates s in percent: their geometric mean, offset by 1.

    Source: the Crafter paper, https://arxiv.org/abs/2109.06780, section 3.3. The paper averages this score over
    training runs; compute it once a run to compare with it.

    Args:
        episodes: Episodes of one game.

    Returns:
        0 to 100.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    return float(np.expm1(np.log1p(100 * to_unlocks(episodes).rates).mean()))


def reward_percent(episodes: Episodes) -> float:
    """The mean reward for achievements as a percentage of all there is, `100 * mean(sum(rewards)) / total`.

    The total is 22 in Classic and 226 in the full game. What changes of health paid is not in it: see
    `health_reward`. Source: the Craftax paper, https://arxiv.org/abs/2402.16801, reports reward as % of 226.

    Args:
        episodes: Episodes of one game.

    Returns:
        0 to 100.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    unlocks = to_unlocks(episodes)
    rewards = np.array([achievement.reward for achievement in unlocks.game.achievements])
    return float(100 * (unlocks.rates * rewards).sum() / unlocks.game.total_reward)


def health_reward(episodes: Iterable[EpisodeRecord]) -> float:
    """The mean over episodes of what changes of health paid: `mean(sum(0.1 * change))`.

    Source: Craftax's reward, https://arxiv.org/abs/2402.16801; the term that `reward_percent` leaves out.

    Args:
        episodes: Records of one game.

    Returns:
        The mean, negative where health was lost.

    Raises:
        TypeError: If there is something else among the records.
        ValueError: If there is no episode, the games differ, or a reward is not finite.
    """
    rewards = [record.reward_health for record in validate_records(episodes)]
    for reward in rewards:
        if not math.isfinite(reward):
            raise ValueError(f"Expected finite rewards, got reward_health {reward}.")
    return float(np.mean(rewards))


def achievement_count(episodes: Episodes) -> float:
    """How many different achievements an episode unlocks, in the mean: `mean(count)`, equal to the rates' sum.

    Args:
        episodes: Episodes of one game.

    Returns:
        0 to 22 in Classic, 0 to 67 in the full game.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    return float(to_unlocks(episodes).flags.sum(axis=1).mean())


def progress_percent(episodes: Episodes) -> float:
    """The mean share of the achievements that an episode unlocks, `100 * mean(count / n)`.

    Source: BALROG, https://arxiv.org/abs/2411.13543, whose progress in Crafter is the share of its 22 achievements.

    Args:
        episodes: Episodes of one game.

    Returns:
        0 to 100.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    return float(100 * to_unlocks(episodes).flags.mean())


def achievement_union(episodes: Episodes) -> int:
    """How many different achievements the episodes unlock together. It grows with the number of episodes.

    Args:
        episodes: Episodes of one game.

    Returns:
        0 to 22 in Classic, 0 to 67 in the full game.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    return int(to_unlocks(episodes).flags.any(axis=0).sum())


def confidence_interval(
    score: Callable[[Any], float], episodes: Episodes, *, level: float = 0.95, resamples: int = 2_000, seed: int = 0
) -> tuple[float, float]:
    """The percentile bootstrap's confidence interval of a score: episodes are drawn anew, with replacement.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

    Args:
        score: A function of this module, or any other of records or `Unlocks`.
        episodes: Episodes of one game. With records, `score` is called with records; `to_unlocks(records)` is faster.
        level: The share of the interval, between 0 and 1.
        resamples: How often episodes are drawn.
        seed: Seeds the draws: equal seeds give equal intervals.

    Returns:
        The lower and the upper bound, equal where there is one episode.

    Raises:
        TypeError, ValueError: See `to_unlocks`; also if `level` or `resamples` is out of range.
    """
    if not 0 < level < 1:
        raise ValueError(f"Expected a level between 0 and 1, such as 0.95, got {level}.")
    if resamples < 1:
        raise ValueError(f"Expected at least one resample, got {resamples}.")
    drawn_from = episodes if isinstance(episodes, Unlocks) else validate_records(episodes)
    rng = np.random.default_rng(seed)
    values = [score(_pick(drawn_from, rng.integers(len(drawn_from), size=len(drawn_from)))) for _ in range(resamples)]
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


SCORES: dict[str, Callable[[Episodes], float]] = {
    "log_score": log_score,
    "log_score_percent": log_score_percent,
    "crafter_score": crafter_score,
    "reward_percent": reward_percent,
    "progress_percent": progress_percent,
    "achievement_count": achievement_count,
    "achievement_union": achievement_union,
}
"""The scores that what was unlocked decides."""


def scores(episodes: Episodes) -> dict[str, float]:
    """Every score that what was unlocked decides.

    Args:
        episodes: Episodes of one game.

    Returns:
        The name of each of `SCORES` -> its value.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    unlocks = to_unlocks(episodes)
    return {name: score(unlocks) for name, score in SCORES.items()}


def summary(episodes: Iterable[EpisodeRecord], *, seed: int = 0) -> dict[str, Any]:
    """Every score of some episodes, with 95 % confidence intervals.

    There is none for `achievement_union`: a draw with replacement sees fewer different episodes than there are.

    Args:
        episodes: Records of one game.
        seed: Seeds the intervals.

    Returns:
        JSON-able: `game`, `episodes`, every score of `SCORES`, `health_reward`, `success_rates`, `intervals` (score
        -> its bounds).

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
