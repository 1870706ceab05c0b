"""Static data about both games: names, numbers, recipes, rewards. No JAX."""

from __future__ import annotations

import copyreg
from collections.abc import Callable

from craftax_text_gym.games.classic import CLASSIC
from craftax_text_gym.games.full import FULL
from craftax_text_gym.games.spec import GameSpec

ALL: tuple[GameSpec, ...] = (FULL, CLASSIC)


def get(game: str | GameSpec) -> GameSpec:
    """Look a game up.

    Args:
        game: `"full"`, `"classic"`, a registered environment id, or the spec itself.

    Returns:
        The game's spec.

    Raises:
        ValueError: If no game has that name.
    """
    if isinstance(game, GameSpec):
        return game
    for spec in ALL:
        if game in (spec.key, spec.env_id):
            return spec
    known = ", ".join(repr(spec.key) for spec in ALL)
    raise ValueError(f"Unknown game {game!r}: expected one of {known}, or an environment id.")


def _pickle(spec: GameSpec) -> tuple[Callable[[str], GameSpec], tuple[str]]:
    """Pickle a game by its key, so that its data is never copied."""
    return get, (spec.key,)


copyreg.pickle(GameSpec, _pickle)

__all__ = ["ALL", "CLASSIC", "FULL", "GameSpec", "get"]
