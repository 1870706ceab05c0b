"""What the episode has reached."""

from __future__ import annotations

from typing import Any

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.schema_parts import Schema, array_of, choice, object_of
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

    def schema(self) -> Schema:
        """The JSON Schema of its data."""
        return object_of(
            unlocked=array_of(choice(self._labels), "Keys of those unlocked in this episode."),
            total={"const": len(self._labels)},
        )
