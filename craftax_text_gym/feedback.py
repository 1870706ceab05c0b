"""What the last action did, or why it did nothing, from what the player saw before and after."""

from __future__ import annotations

from craftax_text_gym.scene import Scene


def sentences(before: Scene, action: int, after: Scene) -> list[str]:
    """Placeholder until the events are written."""
    return []
