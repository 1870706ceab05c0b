"""Every score under its own name: pure functions from episodes to plain numbers.

Each takes `EpisodeRecord`s, or `Unlocks` if the unlocked achievements are at hand as an array.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.scoring.unlocks import Episodes, to_unlocks, validate_records


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
    """The mean reward for achievements as a percentage of the maximum, `100 * mean(sum(rewards)) / total`.

    The total is 22 in Classic and 226 in the full game. Reward for health is not included: see
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
    """The mean reward per episode for changes in health: `mean(sum(0.1 * change))`.

    Source: Craftax's reward, https://arxiv.org/abs/2402.16801; the term that `reward_percent` leaves out.

    Args:
        episodes: Records of one game.

    Returns:
        The mean; negative if health was lost.

    Raises:
        TypeError: If an item is not an `EpisodeRecord`.
        ValueError: If there is no episode, the games differ, or a reward is not finite.
    """
    rewards = [record.reward_health for record in validate_records(episodes)]
    for reward in rewards:
        if not math.isfinite(reward):
            raise ValueError(f"Expected finite rewards, got reward_health {reward}.")
    return float(np.mean(rewards))


def achievement_count(episodes: Episodes) -> float:
    """The mean number of achievements unlocked per episode, which equals the sum of the success rates.

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
    """The number of different achievements unlocked in any episode. It grows with the number of episodes.

    Args:
        episodes: Episodes of one game.

    Returns:
        0 to 22 in Classic, 0 to 67 in the full game.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    return int(to_unlocks(episodes).flags.any(axis=0).sum())


SCORES: dict[str, Callable[[Episodes], float]] = {
    "log_score": log_score,
    "log_score_percent": log_score_percent,
    "crafter_score": crafter_score,
    "reward_percent": reward_percent,
    "progress_percent": progress_percent,
    "achievement_count": achievement_count,
    "achievement_union": achievement_union,
}
"""Name -> score, for the scores that depend only on unlocked achievements."""


def scores(episodes: Episodes) -> dict[str, float]:
    """Compute every score of `SCORES`.

    Args:
        episodes: Episodes of one game.

    Returns:
        Name -> value.

    Raises:
        TypeError, ValueError: See `to_unlocks`.
    """
    unlocks = to_unlocks(episodes)
    return {name: score(unlocks) for name, score in SCORES.items()}
