"""The key of each action: those of Craftax (`play_craftax.py`, `play_craftax_classic.py`), and the arrow keys."""

from __future__ import annotations

from collections.abc import Mapping

_SHARED = {
    "q": "noop",
    "w": "up",
    "a": "left",
    "s": "down",
    "d": "right",
    "space": "do",
    "tab": "sleep",
    "t": "place_table",
    "r": "place_stone",
    "f": "place_furnace",
    "p": "place_plant",
    "1": "make_wood_pickaxe",
    "2": "make_stone_pickaxe",
    "3": "make_iron_pickaxe",
}
_CLASSIC = {"4": "make_wood_sword", "5": "make_stone_sword", "6": "make_iron_sword"}
_FULL = {
    "4": "make_diamond_pickaxe",
    "5": "make_wood_sword",
    "6": "make_stone_sword",
    "7": "make_iron_sword",
    "8": "make_diamond_sword",
    "e": "rest",
    "comma": "ascend",
    "full_stop": "descend",
    "y": "make_iron_armour",
    "u": "make_diamond_armour",
    "i": "shoot_arrow",
    "o": "make_arrow",
    "g": "cast_fireball",
    "h": "cast_iceball",
    "j": "place_torch",
    "z": "drink_potion_red",
    "x": "drink_potion_green",
    "c": "drink_potion_blue",
    "v": "drink_potion_pink",
    "b": "drink_potion_cyan",
    "n": "drink_potion_yellow",
    "m": "read_book",
    "k": "enchant_sword",
    "l": "enchant_armour",
    "left_square_bracket": "make_torch",
    "right_square_bracket": "level_up_dexterity",
    "minus": "level_up_strength",
    "equals_sign": "level_up_intelligence",
    "semicolon": "enchant_bow",
}

KEYS: Mapping[str, Mapping[str, str]] = {"classic": _SHARED | _CLASSIC, "full": _SHARED | _FULL}
"""Game -> Textual's name of a key -> action. Every action has one key."""

ARROWS: Mapping[str, str] = {name: name for name in ("up", "left", "down", "right")}
"""Additional keys, for both games."""

SHOWN: Mapping[str, str] = {
    "comma": ",",
    "full_stop": ".",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "minus": "-",
    "equals_sign": "=",
    "semicolon": ";",
}
"""Textual's name of a key -> the label on it, where they differ."""


def action_of(game: str, key: str) -> str | None:
    """The action that a key plays.

    Args:
        game: `"classic"` or `"full"`.
        key: Textual's name of the key; an upper-case letter (`"upper_w"`) counts as its lower-case one.

    Returns:
        The name of the action, or None if the key has none.
    """
    key = key.removeprefix("upper_").lower()
    return ARROWS.get(key) or KEYS[game].get(key)
