"""Use experience, potions, books, the bow and spells."""

from __future__ import annotations

from craftax_text_gym.agents.scripted.mind import Mind

_LEVELS = ("strength", "dexterity", "intelligence")
_SAFE = 6
"""Health above which an unknown potion is tried."""


def use(mind: Mind) -> str | None:
    """Spend experience, read a book, use a weapon for the first time, or drink a potion."""
    return _level_up(mind) or _read(mind) or _first_shots(mind) or _drink(mind)


def _level_up(mind: Mind) -> str | None:
    """Level up; strength first, for more damage and health."""
    if not mind.view.experience:
        return None
    choices = [f"level_up_{name}" for name in _LEVELS]
    return next((name for name in choices if name in mind.view.actions), None)


def _read(mind: Mind) -> str | None:
    lacking = mind.lacks("learn_fireball") or mind.lacks("learn_iceball")
    return "read_book" if lacking and "read_book" in mind.view.actions else None


def _first_shots(mind: Mind) -> str | None:
    """Shoot an arrow and cast each spell once, for the achievements."""
    firsts = {"fire_bow": "shoot_arrow", "cast_fireball": "cast_fireball", "cast_iceball": "cast_iceball"}
    for achievement, action in firsts.items():
        if mind.lacks(achievement) and action in mind.view.actions:
            return action
    return None


def _drink(mind: Mind) -> str | None:
    """Try unknown potions while in good health, and drink known ones when they help."""
    view = mind.view
    if view.enemies:
        return None
    for colour in view.potions:
        action = f"drink_potion_{colour}"
        if action not in view.actions:
            continue
        effect = mind.memory.potions.get(colour)
        if effect is None and view.health > _SAFE:
            return action
        if effect == "health" and view.health <= view.maxima["health"] - 5:
            return action
        if effect == "energy" and view.wants["energy"] <= 3:
            return action
        if effect == "mana" and view.mana <= 1:
            return action
    return None
