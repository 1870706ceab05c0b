"""Gymnasium wrappers around vector environments, one file each.

May not import JAX, Craftax, `engine`, or any layer above (`session`, `agents`, `evaluation`).
"""

from __future__ import annotations

from craftax_text_gym.wrappers.vector.achievement_logger import AchievementLogger
from craftax_text_gym.wrappers.vector.episode_scores import EpisodeScores
from craftax_text_gym.wrappers.vector.goal_reward import GoalReward
from craftax_text_gym.wrappers.vector.history import History
from craftax_text_gym.wrappers.vector.record_trajectory import RecordTrajectory
from craftax_text_gym.wrappers.vector.text_actions import TextActions

__all__ = [
    "AchievementLogger",
    "EpisodeScores",
    "GoalReward",
    "History",
    "RecordTrajectory",
    "TextActions",
]
