"""Blows, shots, and the creatures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from craftax_text_gym.games.spec import GameSpec, Mob
from craftax_text_gym.handbook.rule import Rule, parameter, plain, shot_damage
from craftax_text_gym.utils.words import listed, percent, plural, spaced, with_article

_KINDS = ("", "fire ", "ice ")


def rules(spec: GameSpec) -> tuple[Rule, ...]:
    """The rules of the two topics."""
    return (*_fighting(spec), *(_shooting(spec) if spec.key == "full" else ()), *_creatures(spec))


def _fighting(spec: GameSpec) -> Iterator[Rule]:
    m = spec.mechanics
    near, far = m.shot_distances
    swords = [f"{damage} with {with_article(name)}" for name, damage in zip(_swords(spec), m.blows[1:], strict=True)]
    yield Rule(
        "fighting.strike",
        f"do strikes the creature that you face: {m.blows[0]} damage with bare hands, {listed(swords)}.",
    )
    if spec.key == "classic":
        yield Rule(
            "fighting.swords",
            f"Swords of one kind add up, and the best kind counts: 3 wood swords do {3 * m.blows[1]}.",
        )
    yield Rule(
        "fighting.reach",
        f"Monsters that strike do so from a tile beside you, not across a corner, at most once every {m.strike_pause} "
        "steps.",
    )
    yield Rule("fighting.chase", f"They make for you from up to {m.chase_distance} tiles away, rows plus columns.")
    yield Rule(
        "fighting.shooters",
        f"Monsters that shoot do so from {near} or {far} tiles away, rows plus columns, at most once every "
        f"{m.shot_pause} steps; nearer than {near} only if something blocks their step.",
    )
    yield Rule(
        "fighting.aim",
        "They need not stand in line with you: a shot flies along the longer of the two distances, rows or columns.",
    )
    yield Rule(
        "fighting.shots", "A shot flies straight, 1 tile a step, over water too; solid blocks and creatures stop it."
    )
    own = " Your own shots do not." if spec.key == "full" else ""
    yield Rule("fighting.tables", f"A monster's shot turns the crafting table or furnace that it hits into path.{own}")
    yield _appearing(spec)
    melee, passive, ranged, *_ = spec.slots
    where = "on a floor" if spec.key == "full" else "in the world"
    yield Rule(
        "fighting.crowd",
        f"At most {melee} monsters that strike, {ranged} that shoot and {passive} animals are {where} at a time.",
    )
    yield Rule(
        "fighting.night",
        "On the overworld, zombies appear mostly in the dark of night."
        if spec.key == "full"
        else "Zombies appear mostly in the dark of night.",
    )
    if spec.key == "full":
        _, iron, diamond = m.armour
        yield Rule(
            "fighting.armour",
            f"Each piece of iron armour spares you {percent(iron)} of physical damage, each of diamond "
            f"{percent(diamond)}.",
        )


def _appearing(spec: GameSpec) -> Rule:
    m = spec.mechanics
    gone = parameter(spec, "mob_despawn_distance")
    where = (
        "on grass, path, fire grass and ice grass"
        if spec.key == "full"
        else "zombies on grass and path, skeletons on path, cows on grass"
    )
    return Rule(
        "fighting.appearing",
        f"Monsters appear more than {m.far_spawn} tiles from you and animals more than {m.near_spawn}: {where}. One "
        f"that is {gone} tiles away, rows plus columns, disappears.",
    )


def _shooting(spec: GameSpec) -> Iterator[Rule]:
    m = spec.mechanics
    yield Rule("fighting.deep_things", "Deep things appear in water instead.", floor=5)
    yield Rule(
        "fighting.arrow",
        f"shoot_arrow needs a bow, 1 arrow and fewer than {spec.slots[-1]} shots of yours in flight; it does "
        f"{shot_damage(spec, m.arrow)} damage.",
        floor=1,
    )
    yield Rule(
        "fighting.game", "Animals killed by an arrow or spell are not eaten; monsters so killed count as ever.", floor=1
    )


def _creatures(spec: GameSpec) -> Iterator[Rule]:
    for mob in spec.mobs:
        key = f"creatures.{mob.label.replace(' ', '_')}"
        yield Rule(
            key,
            f"{mob.label}: {_harm(spec, mob)}; dies of {_blows_to_kill(spec, mob)}{_resistances(mob)}",
            home(spec, mob),
        )


def home(spec: GameSpec, mob: Mob) -> int:
    """The first floor on which a creature occurs."""
    return next(number for number, floor in enumerate(spec.floors) if mob.label in floor.mobs)


def _harm(spec: GameSpec, mob: Mob) -> str:
    if mob.mob_class == "passive":
        return "harmless"
    if mob.mob_class == "melee":
        return f"strikes for {damage_words(mob.damage)}"
    shot = next(projectile for projectile in spec.projectiles if projectile.label == mob.shoots)
    return f"shoots {plural(shot.label)} for {damage_words(shot.damage)}"


def damage_words(damage: Sequence[float]) -> str:
    """The words for a damage of three kinds: `6 + 1 fire + 1 ice`."""
    return " + ".join([f"{plain(part)} {kind}".strip() for part, kind in zip(damage, _KINDS, strict=True) if part])


def _blows_to_kill(spec: GameSpec, mob: Mob) -> str:
    counts = [blows(mob, damage) for damage in spec.mechanics.blows]
    names = [name.removesuffix(" sword") for name in _swords(spec)]
    rest = [f"{count} {name}" for count, name in zip(counts[1:], names, strict=True)]
    return f"{counts[0]} blows bare-handed, {', '.join(rest)}"


def blows(mob: Mob, damage: int) -> int:
    """How many blows of this physical damage kill a creature, in the engine's arithmetic."""
    health = np.float32(mob.health)
    blow = (np.float32(1) - np.float32(mob.defence[0])) * np.float32(damage)
    count = 0
    while health > 0:
        health -= blow
        count += 1
    return count


def _resistances(mob: Mob) -> str:
    physical, fire, ice = mob.defence
    spared = [f"{percent(physical)} of physical damage"] * bool(physical)
    spared += ["all fire damage"] * bool(fire) + ["all ice damage"] * bool(ice)
    return f"; is spared {listed(spared)}" if spared else ""


def _swords(spec: GameSpec) -> list[str]:
    if "sword" in spec.tools:
        return list(spec.tools["sword"][1:])
    return [spaced(name) for name in spec.materials if name.endswith("_sword")]
