"""Playing episodes, and what came of them."""

from __future__ import annotations

from craftax_text_gym.evaluation.report import Report
from craftax_text_gym.evaluation.runner import EpisodeRecord, play_episode

__all__ = ["EpisodeRecord", "Report", "play_episode"]
