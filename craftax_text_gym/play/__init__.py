"""A game that a person plays in the terminal, with the extra `play`."""

from __future__ import annotations

from craftax_text_gym.utils.plugins import require_extra

with require_extra("play"):
    from craftax_text_gym.play.app import PlayApp

__all__ = ["PlayApp"]
