"""What can be done now."""

from __future__ import annotations

from functools import lru_cache

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.section import Body


class Actions:
    """The names of the actions that are available."""

    title = "Available actions"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._names = spec.actions
        self._lead = "can: " if text_format.terse else ""
        self._body = lru_cache(16_384)(self._write)

    def body(self, moment: Moment) -> Body:
        """The section in words."""
        return self._body(moment.action_mask.tobytes())

    def data(self, moment: Moment) -> list[str]:
        """The section as JSON values."""
        return self._available(moment.action_mask.tobytes())

    def _write(self, mask: bytes) -> Body:
        return Body([self._lead + ", ".join(self._available(mask))])

    def _available(self, mask: bytes) -> list[str]:
        return [name for name, allowed in zip(self._names, mask, strict=True) if allowed]
