"""Scores of episodes: records, unlocked achievements, and every score under its own name.

May not import JAX, Craftax, or anything of the package but `games` and `utils`.
"""

from craftax_text_gym.scoring.episode import EpisodeRecord, EpisodeTally
from craftax_text_gym.scoring.formulas import (
    SCORES,
    achievement_count,
    achievement_union,
    crafter_score,
    health_reward,
    log_score,
    log_score_percent,
    progress_percent,
    reward_percent,
    scores,
    success_rates,
)
from craftax_text_gym.scoring.statistics import confidence_interval, summary
from craftax_text_gym.scoring.unlocks import Episodes, Unlocks, to_unlocks

__all__ = [
    "SCORES",
    "EpisodeRecord",
    "EpisodeTally",
    "Episodes",
    "Unlocks",
    "achievement_count",
    "achievement_union",
    "confidence_interval",
    "crafter_score",
    "health_reward",
    "log_score",
    "log_score_percent",
    "progress_percent",
    "reward_percent",
    "scores",
    "success_rates",
    "summary",
    "to_unlocks",
]
