"""The characters of the map."""

from __future__ import annotations

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.text.phrases import DARKNESS

PLAYER = "@"
PROJECTILE = "*"
OWN_PROJECTILE = "+"
DARK_SYMBOL = "?"


def symbols(spec: GameSpec) -> dict[str, str]:
    """List every character that a map may hold.

    Args:
        spec: The game.

    Returns:
        Character -> its words, each character once.
    """
    return {
        PLAYER: "you",
        **{mob.symbol: mob.label for mob in spec.mobs},
        PROJECTILE: "projectile",
        OWN_PROJECTILE: "your projectile",
        **{item.symbol: item.label for item in spec.items[1:]},
        **{block.symbol: block.label for block in spec.blocks},
        DARK_SYMBOL: DARKNESS,
    }
