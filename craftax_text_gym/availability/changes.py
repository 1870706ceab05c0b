"""What changed between two views of the player's own: belongings, vitals, attributes, sleep, spells, floor, the end.

Each change has its sentence, so that none goes unsaid.
"""

from __future__ import annotations

from functools import lru_cache

from craftax_text_gym.games.shared import ATTRIBUTES
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.utils.words import counted, difference, number, with_article

_VITALS = ("health", "food", "drink", "energy", "mana")
_PAIRS = ("leggings", "boots")
"""Pieces of armour that take no article."""


def of_person(before: Scene, after: Scene, told: str = "") -> list[str]:
    """Every change of what the player carries, wears, needs and has learned to do better.

    Args:
        before: What he saw before the step.
        after: What he saw after it.
        told: The inventory field whose change has been told already.

    Returns:
        Sentences.
    """
    return _belongings(before, after, told) + _numbers(before, after)


def _belongings(before: Scene, after: Scene, told: str) -> list[str]:
    spec, lines = before.spec, []
    old, new = before.numbers("materials"), after.numbers("materials")
    if old != new:
        changes = [(name, was, now) for name, was, now in zip(spec.materials, old, new, strict=True) if was != now]
        for name, was, now in changes:
            tiers = spec.tools.get(name)
            if name != told:
                lines.append(f"You now have {with_article(tiers[now])}." if tiers else _amount(name, was, now))
    old, new = before.numbers("potions"), after.numbers("potions")
    if old != new:
        pairs = zip(spec.potions, old, new, strict=True)
        lines += [_amount("potions", was, now, colour) for colour, was, now in pairs if was != now]
    if before.armour != after.armour:
        worn = zip(spec.armour, before.armour, after.armour, strict=True)
        lines += [f"You now wear {_piece(spec, piece, now)}." for piece, was, now in worn if was != now]
    return lines + _enchantments(before, after)


def _amount(field: str, was: int, now: int, colour: str = "") -> str:
    count, thing = counted(abs(now - was), field).split(" ", 1)
    words = f"{count} {colour} {thing}" if colour else f"{count} {thing}"
    return f"Gained {words} (now {now})." if now > was else f"Used {words} ({now} left)."


def _piece(spec: GameSpec, piece: str, tier: int) -> str:
    label = f"{spec.armour_tiers[tier]} {piece}"
    return label if piece in _PAIRS else with_article(label)


def _enchantments(before: Scene, after: Scene) -> list[str]:
    spec = before.spec
    names = ("sword", "bow", *spec.armour)
    old = before.weapon_enchantments + before.armour_enchantments
    new = after.weapon_enchantments + after.armour_enchantments
    if old == new:
        return []
    return [
        f"Your {name} {'are' if name in _PAIRS else 'is'} enchanted with {spec.enchantments[now]}."
        for name, was, now in zip(names, old, new, strict=True)
        if was != now
    ]


def _numbers(before: Scene, after: Scene) -> list[str]:
    lines = []
    if before.vitals != after.vitals:
        for vital in _VITALS[: 5 if before.is_full else 4]:
            was, now = getattr(before, vital), getattr(after, vital)
            if was != now:
                lines.append(_change(vital, was, now))
    if before.attributes != after.attributes:
        for name, was, now in zip(ATTRIBUTES, before.attributes, after.attributes, strict=True):
            if was != now:
                lines.append(_change(name, was, now))
    return lines


def _change(what: str, was: float, now: float) -> str:
    return f"{'Gained' if now > was else 'Lost'} {difference(now, was)} {what} (now {number(now)})."


def of_condition(before: Scene, after: Scene) -> list[str]:
    """Falling asleep, waking, beginning and ceasing to rest."""
    lines = []
    if before.sleeping != after.sleeping:
        lines.append("Fell asleep." if after.sleeping else "Woke up.")
    if before.resting != after.resting:
        lines.append("Began to rest." if after.resting else "Stopped resting.")
    return lines


def of_progress(before: Scene, after: Scene) -> list[str]:
    """The full game's spells, floors, ladders, and the lord of its last floor."""
    lines = [f"You have learned {spell}." for spell in after.spells if spell not in before.spells]
    if before.floor != after.floor:
        verb = "Descended" if after.floor > before.floor else "Climbed"
        return [*lines, f"{verb} to floor {after.floor}, the {after.spec.floors[after.floor].label}."]
    if after.on_boss_floor:  # which has no ladder down
        if after.boss_vulnerable != before.boss_vulnerable:
            lines.append(f"The necromancer is now {'vulnerable' if after.boss_vulnerable else 'invulnerable'}.")
    elif after.ladder_open and not before.ladder_open:
        lines.append("The ladder down has opened.")
    return lines


def of_achievements(after: Scene) -> list[str]:
    """The achievements that the step unlocked."""
    return [f"New achievement: {_labels(after.spec)[key]}." for key in after.new_achievements]


def of_end(before: Scene, after: Scene) -> list[str]:
    """Death and victory."""
    lines = []
    if after.dead and not before.dead:
        lines.append("You died.")
    if after.boss_defeated and not before.boss_defeated:
        lines.append("You have defeated the necromancer and won.")
    return lines


@lru_cache
def _labels(spec: GameSpec) -> dict[str, str]:
    return {achievement.key: achievement.label for achievement in spec.achievements}
