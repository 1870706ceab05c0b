"""What can be done now."""

from __future__ import annotations

from functools import lru_cache

from craftax_text_gym.availability.reasons import perhaps
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.schema_parts import Schema, array_of, choice, object_of
from craftax_text_gym.text.section import Body


class Actions:
    """The names of the actions that are available, and apart from them those that only may be."""

    title = "Available actions"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._names = spec.actions
        self._lead = "can: " if text_format.terse else ""
        self._body = lru_cache(16_384)(self._write)

    def body(self, moment: Moment) -> Body:
        """The section in words."""
        return self._body(moment.action_mask.tobytes(), perhaps(moment.scene, params=moment.params))

    def data(self, moment: Moment) -> dict[str, list[str]]:
        """The section as JSON values."""
        doubtful = perhaps(moment.scene, params=moment.params)
        available = self._available(moment.action_mask.tobytes(), doubtful)
        return {"available": available, "perhaps": [self._names[action] for action in doubtful]}

    def schema(self) -> Schema:
        """The JSON Schema of its data."""
        return object_of(
            available=array_of(choice(self._names), "The actions that are available now."),
            perhaps=array_of(choice(self._names), "Those that may be: something that cannot be seen decides."),
        )

    def _write(self, mask: bytes, doubtful: tuple[int, ...]) -> Body:
        lines = [self._lead + ", ".join(self._available(mask, doubtful))]
        if doubtful:
            lines.append(f"perhaps: {', '.join([self._names[action] for action in doubtful])}")
        return Body(lines)

    def _available(self, mask: bytes, doubtful: tuple[int, ...]) -> list[str]:
        return [self._names[action] for action, allowed in enumerate(mask) if allowed and action not in doubtful]
