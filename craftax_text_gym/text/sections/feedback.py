"""What the last action did."""

from __future__ import annotations

from craftax_text_gym.availability import feedback
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.schema_parts import Schema, array_of
from craftax_text_gym.text.section import Body


class Feedback:
    """What the last action did, or why it did nothing; silent after a reset."""

    title = "Last action"

    def __init__(self, _spec: GameSpec, _text_format: TextFormat) -> None:
        """Nothing to prepare."""

    def body(self, moment: Moment) -> Body | None:
        """The section in words."""
        sentences = self.data(moment)
        return Body([" ".join(sentences)]) if sentences else None

    def data(self, moment: Moment) -> list[str]:
        """The section as JSON values."""
        if moment.before is None or moment.action is None:
            return []
        return feedback.sentences(moment.before, moment.action, moment.scene, params=moment.params)

    def schema(self) -> Schema:
        """The JSON Schema of its data."""
        return array_of({"type": "string"}, "What the last action did, a sentence each; empty after a reset.")
