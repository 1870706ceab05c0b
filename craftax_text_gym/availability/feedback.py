"""What the last action did, or why it did nothing, from what the player saw before and after it.

Nothing here knows more than the player: all is read from the two scenes. Each sentence states a change that can be
seen, so no change in belongings, vitals, attributes, floor or achievements goes unsaid.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from craftax_text_gym.availability import reasons as availability
from craftax_text_gym.games.shared import ATTRIBUTES, DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.utils.words import number, spaced, with_article

_NO_PARAMS: Mapping[str, object] = MappingProxyType({})
_AWAKE = bytes(4)
_VITALS = ("health", "food", "drink", "energy", "mana")
_SHOTS = {"shoot_arrow": "Shot an arrow.", "cast_fireball": "Cast a fireball.", "cast_iceball": "Cast an iceball."}
_TOUCHED = {
    "water": "Drank water.",
    "fountain": "Drank from the fountain.",
    "ripe plant": "Ate the ripe plant.",
    "chest": "Opened the chest.",
    "vulnerable necromancer": "Hurt the necromancer.",
}


def sentences(before: Scene, action: int, after: Scene, *, params: Mapping[str, object] = _NO_PARAMS) -> list[str]:
    """Say what a step did.

    Args:
        before: What the player saw before the step.
        action: The number of the action that was asked for.
        after: What the player saw after it.
        params: The fields of Craftax's `EnvParams` that differ from its own.

    Returns:
        Sentences: first what became of the action, then every change, then the achievements and the end.
    """
    lines = _deed(before, action, after, params)
    if before.person != after.person:
        lines += _belongings(before, after) + _numbers(before, after)
    if before.states != after.states:
        lines += _condition(before, after)
    if before.is_full and (before.gates != after.gates or before.floor != after.floor):
        lines += _learned(before, after) + _places(before, after)
    if after.new_achievements:
        lines += [f"New achievement: {_labels(after.spec)[key]}." for key in after.new_achievements]
    return lines + _end(before, after) if before.states != after.states else lines


# What became of the action


def _deed(before: Scene, action: int, after: Scene, params: Mapping[str, object]) -> list[str]:
    name = before.spec.actions[action]
    awake = before.states == _AWAKE or not (before.sleeping or before.resting)
    if name == "noop":
        return ["Waited."] if awake else []
    if not awake:
        return [f"You were {'asleep' if before.sleeping else 'resting'}: {name} was not carried out."]
    if name in DIRECTIONS:
        return [_move(before, action, after, params)]
    if name == "rest" and after.resting:
        return []  # even at full health, where something hit in this very step
    if not before.allows(action):
        return [f"{name} did nothing: {availability.explain(before, action, params=params)}."]
    if name == "do":
        return [_do(before, after)]
    if name.startswith("place_"):
        return [_place(before, name, after)]
    if not _took_effect(before, name, after):
        return [f"{name} had no effect that can be seen."]
    return [_SHOTS[name]] if name in _SHOTS else []


def _took_effect(before: Scene, name: str, after: Scene) -> bool:
    """Whether an action of which something unseen could decide left its mark: something spent, made, learned, begun."""
    if name.startswith("cast_"):
        return (after.mana or 0) < (before.mana or 0)
    if name == "shoot_arrow":
        return after.materials["arrows"] < before.materials["arrows"]
    return (
        before.belongings != after.belongings
        or before.attributes[1:] != after.attributes[1:]
        or before.floor != after.floor
        or before.states != after.states
    )


def _move(before: Scene, action: int, after: Scene, params: Mapping[str, object]) -> str:
    name, step = before.spec.actions[action], OFFSETS[action]
    if before.codes(*step)[0] in _walkable(before.spec) and not (before.things and _is_occupied(before, step)):
        return f"Moved {name}."
    turned = _facing(before, action)
    reason = availability.explain(turned, action, params=params)
    if reason is not None:
        return f"{name} did nothing: {reason}." if before.direction == name else f"Turned {name}: {reason}."
    if availability.caveat(turned, action, params=params) is None:
        return f"Moved {name}."
    moved = _evidence(before, OFFSETS[action], after)
    if moved is None:
        return f"Faced {name}; what lies there cannot be seen, nor whether you moved."
    return f"Moved {name}." if moved else f"Turned {name}: something unseen is in the way."


@lru_cache
def _walkable(spec: GameSpec) -> frozenset[int]:
    return frozenset(number for number, block in enumerate(spec.blocks) if block.walkable)


def _is_occupied(scene: Scene, offset: tuple[int, int]) -> bool:
    return any(seen.mob and (seen.down, seen.right) == offset for seen in scene.things)


def _facing(scene: Scene, direction: int) -> Scene:
    """The scene as it would be, had the player turned."""
    start = scene.start("direction")
    return Scene(scene.spec, scene.data[:start] + direction.to_bytes(4, "little") + scene.data[start + 4 :])


def _evidence(before: Scene, step: tuple[int, int], after: Scene) -> bool | None:
    """Whether the view has shifted by a step: True, False, or None where both would look the same."""
    old, new = before.blocks, after.blocks
    rows, columns = old.shape
    row, column = step
    there = new[max(0, -row) : rows - max(0, row), max(0, -column) : columns - max(0, column)]
    here = old[max(0, row) : rows - max(0, -row), max(0, column) : columns - max(0, -column)]
    shifted, stayed = bool(np.array_equal(here, there)), bool(np.array_equal(old, new))
    return shifted if shifted != stayed else None


def _do(before: Scene, after: Scene) -> str:
    tile = before.faced
    creature = next((thing.mob for thing in tile.things if thing.mob), None)
    if creature is not None:
        eaten = creature.mob_class == "passive" and after.food > before.food
        return f"{'Ate' if eaten else 'Struck'} the {creature.label}."
    if tile.block in _TOUCHED:
        return _TOUCHED[tile.block]
    gained = any(now > was for was, now in zip(before.numbers("materials"), after.numbers("materials"), strict=True))
    if tile.block == "grass":
        return "Found a sapling in the grass." if gained else "Found no sapling in the grass this time."
    if tile.block is not None:
        verb = "Destroyed" if tile.block in ("crafting table", "furnace") else "Took"
        return f"{verb} the {tile.block}."
    return "Used what you face in the dark." if gained else "do had no effect that can be seen."


def _place(before: Scene, name: str, after: Scene) -> str:
    placement = _placements(before.spec)[name]
    paid = all(after.materials[field] < before.materials[field] for field in placement)
    thing = name.removeprefix("place_").replace("table", "crafting table").replace("plant", "sapling")
    return f"Placed {thing}." if paid else f"{name} had no effect: what you face cannot be seen."


@lru_cache
def _placements(spec: GameSpec) -> dict[str, tuple[str, ...]]:
    return {placement.action: tuple(placement.costs) for placement in spec.placements}


# What changed


def _belongings(before: Scene, after: Scene) -> list[str]:
    spec, lines = before.spec, []
    old, new = before.numbers("materials"), after.numbers("materials")
    if old != new:
        changes = [(name, was, now) for name, was, now in zip(spec.materials, old, new, strict=True) if was != now]
        for name, was, now in changes:
            tiers = spec.tools.get(name)
            lines.append(f"You now have {with_article(tiers[now])}." if tiers else _change(spaced(name), was, now))
    old, new = before.numbers("potions"), after.numbers("potions")
    if old != new:
        pairs = zip(spec.potions, old, new, strict=True)
        lines += [_change(f"{colour} potion", was, now) for colour, was, now in pairs if was != now]
    if before.armour != after.armour:
        worn = zip(spec.armour, before.armour, after.armour, strict=True)
        lines += [f"You now wear {spec.armour_tiers[now]} {piece}." for piece, was, now in worn if was != now]
    return lines + _enchantments(before, after)


def _enchantments(before: Scene, after: Scene) -> list[str]:
    spec = before.spec
    names = ("sword", "bow", *spec.armour)
    old = before.weapon_enchantments + before.armour_enchantments
    new = after.weapon_enchantments + after.armour_enchantments
    if old == new:
        return []
    return [
        f"Your {name} is enchanted with {spec.enchantments[now]}."
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
    return f"{'Gained' if now > was else 'Lost'} {number(abs(now - was))} {what} (now {number(now)})."


def _condition(before: Scene, after: Scene) -> list[str]:
    lines = []
    if before.sleeping != after.sleeping:
        lines.append("Fell asleep." if after.sleeping else "Woke up.")
    if before.resting != after.resting:
        lines.append("Began to rest." if after.resting else "Stopped resting.")
    return lines


def _learned(before: Scene, after: Scene) -> list[str]:
    return [f"You have learned {spell}." for spell in after.spells if spell not in before.spells]


def _places(before: Scene, after: Scene) -> list[str]:
    """The full game's floors and its last one's lord."""
    if before.floor != after.floor:
        verb = "Descended" if after.floor > before.floor else "Climbed"
        return [f"{verb} to floor {after.floor}, the {after.spec.floors[after.floor].label}."]
    if after.on_boss_floor and after.boss_vulnerable != before.boss_vulnerable:
        return [f"The necromancer is now {'vulnerable' if after.boss_vulnerable else 'invulnerable'}."]
    return ["The ladder down has opened."] if after.ladder_open and not before.ladder_open else []


def _end(before: Scene, after: Scene) -> list[str]:
    lines = []
    if after.dead and not before.dead:
        lines.append("You died.")
    if after.boss_defeated and not before.boss_defeated:
        lines.append("You have defeated the necromancer and won.")
    return lines


@lru_cache
def _labels(spec: GameSpec) -> dict[str, str]:
    return {achievement.key: achievement.label for achievement in spec.achievements}
