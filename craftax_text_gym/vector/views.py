"""What the games of a vector environment show: texts, numbers, scenes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.settings import Settings
from craftax_text_gym.text.writer import get_writer


class Views:
    """The last observation of every game."""

    def __init__(self, settings: Settings, num_envs: int) -> None:
        """Show nothing yet.

        Args:
            settings: The environment's.
            num_envs: The number of games.
        """
        self._settings = settings
        self._writer = get_writer(settings.game, settings.text_format)
        self._moments: list[Moment | None] = [None] * num_envs
        self._texts = [""] * num_envs
        self._symbolic: NDArray[np.float32] | None = None
        if settings.obs_mode != "text":
            self._symbolic = np.zeros((num_envs, settings.game.symbolic_size), np.float32)

    def look(self, game: int, row: bytes, action: int | None = None) -> None:
        """Take in what a game shows.

        Args:
            game: The game's number.
            row: Its packed row.
            action: The action that led there; None after a reset.
        """
        last = self._moments[game]
        before = last.scene if last is not None and action is not None else None
        scene = Scene(self._settings.game, row)
        moment = Moment(scene, scene.action_mask, before, action, self._settings.env_params)
        self._moments[game] = moment
        if self._settings.obs_mode != "symbolic":
            self._texts[game] = self._writer.write(moment)

    def keep_symbolic(self, games: slice, values: NDArray[np.float32]) -> None:
        """Take in symbolic observations.

        Args:
            games: The games' numbers.
            values: float32 `[games, spec.symbolic_size]`.
        """
        assert self._symbolic is not None
        self._symbolic[games] = values

    def observation(self, games: int | slice = slice(None)) -> Any:
        """The observation in the mode of the environment: of all games, of some, or of one.

        Args:
            games: A game's number, or several.

        Returns:
            Texts, or float32 `[…, spec.symbolic_size]`, or a dict of both; independent of this object.
        """
        texts = self._texts[games] if isinstance(games, int) else tuple(self._texts[games])
        symbolic = None if self._symbolic is None else self._symbolic[games].copy()
        return {"text": texts, "symbolic": symbolic, "both": {"text": texts, "symbolic": symbolic}}[
            self._settings.obs_mode
        ]

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """What each player saw."""
        return tuple(moment.scene for moment in self._seen())

    def texts(self) -> tuple[str, ...]:
        """Every game as text, whatever the mode."""
        return tuple(self._writer.write(moment) for moment in self._seen())

    def _seen(self) -> Iterator[Moment]:
        return (moment for moment in self._moments if moment is not None)
