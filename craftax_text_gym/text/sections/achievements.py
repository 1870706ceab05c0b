"""What the episode has reached."""

from __future__ import annotations

from typing import Any

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.section import Body


class Achievements:
    """The achievements that are unlocked, and how many there are."""

    title = "Achievements"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._labels = {achievement.key: achievement.label for achievement in spec.achievements}
        self._lead = "achievements " if text_format.terse else ""

    def body(self, moment: Moment) -> Body:
        """The section in words."""
        unlocked = [self._labels[key] for key in moment.scene.achievements]
        count = f"{self._lead}{len(unlocked)} of {len(self._labels)}"
        return Body([f"{count}: {', '.join(unlocked)}" if unlocked else count])

    def data(self, moment: Moment) -> dict[str, Any]:
        """The section as JSON values."""
        return {"unlocked": moment.scene.achievements, "total": len(self._labels)}
