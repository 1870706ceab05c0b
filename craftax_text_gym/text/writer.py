"""Writes a moment as text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.loading import load_markup, load_section


class Writer:
    """Writes observations of one game in one format. Get it from `get_writer`."""

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        """Prepare the sections.

        Args:
            spec: The game.
            text_format: The format.

        Raises:
            ValueError: If a user's own section or markup cannot be loaded.
        """
        self.sections = {name: load_section(name)(spec, text_format) for name in text_format.sections}
        titles = {name: "" if text_format.terse else section.title for name, section in self.sections.items()}
        self._markup: Any = load_markup(text_format.markup)(titles)

    def write(self, moment: Moment) -> str:
        """Write one observation.

        Args:
            moment: The step.

        Returns:
            The text.
        """
        if self._markup.structured:
            return str(self._markup.write({name: section.data(moment) for name, section in self.sections.items()}))
        bodies = {}
        for name, section in self.sections.items():
            body = section.body(moment)
            if body is not None:
                bodies[name] = body
        return str(self._markup.write(bodies)) if bodies else "nothing to report"


def get_writer(spec: GameSpec, text_format: TextFormat) -> Writer:
    """The process's writer of a game and format; all environments share its cached phrases.

    Args:
        spec: The game.
        text_format: The format.

    Returns:
        The writer.

    Raises:
        ValueError: If a user's own section or markup cannot be loaded.
    """
    return _get_writer(spec.key, text_format)


@lru_cache(64)
def _get_writer(key: str, text_format: TextFormat) -> Writer:
    return Writer(games.get(key), text_format)
