"""What can be done now."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.moment import Moment


class Actions:
    """The names of the actions that are available."""

    title = "Available actions"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._names = spec.actions
        self._write = lru_cache(16_384)(self._join)

    def lines(self, moment: Moment) -> list[str]:
        return [self._write(moment.action_mask.tobytes())]

    def _join(self, mask: bytes) -> str:
        available = np.frombuffer(mask, np.int8)
        return ", ".join([name for name, allowed in zip(self._names, available, strict=True) if allowed])
