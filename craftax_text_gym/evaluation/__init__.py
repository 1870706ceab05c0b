"""Evaluation of agents: concurrent episodes, crash-safe results, reports and leaderboards.

May not import `integrations`, `play` or `cli`, nor JAX or Craftax.
"""

from __future__ import annotations

from craftax_text_gym.evaluation.episodes import play_episode
from craftax_text_gym.evaluation.leaderboard import Leaderboard
from craftax_text_gym.evaluation.protocols import PROTOCOLS, Protocol
from craftax_text_gym.evaluation.report import Report
from craftax_text_gym.evaluation.runner import evaluate
from craftax_text_gym.scoring.episode import EpisodeRecord

__all__ = ["PROTOCOLS", "EpisodeRecord", "Leaderboard", "Protocol", "Report", "evaluate", "play_episode"]
