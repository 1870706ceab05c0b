"""The terminal game, with the extra `play`: the map in colour beside the text that an agent reads.

May not import `cli`, `agents`, `evaluation` or `integrations`.
"""

from __future__ import annotations

from craftax_text_gym.utils.plugins import require_extra

with require_extra("play"):
    from craftax_text_gym.play.app import PlayApp

__all__ = ["PlayApp"]
