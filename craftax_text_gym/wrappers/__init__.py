"""Gymnasium wrappers around single environments, one file each; those around vectors are in `wrappers.vector`.

May not import JAX, Craftax, `engine`, or any layer above (`session`, `agents`, `evaluation`).
"""

from __future__ import annotations

from craftax_text_gym.wrappers.achievement_logger import AchievementLogger
from craftax_text_gym.wrappers.action_sequence import ActionSequence
from craftax_text_gym.wrappers.episode_scores import EpisodeScores
from craftax_text_gym.wrappers.goal_reward import GoalReward
from craftax_text_gym.wrappers.history import History
from craftax_text_gym.wrappers.record_trajectory import RecordTrajectory
from craftax_text_gym.wrappers.step_cap import StepCap
from craftax_text_gym.wrappers.text_actions import TextActions

__all__ = [
    "AchievementLogger",
    "ActionSequence",
    "EpisodeScores",
    "GoalReward",
    "History",
    "RecordTrajectory",
    "StepCap",
    "TextActions",
]
