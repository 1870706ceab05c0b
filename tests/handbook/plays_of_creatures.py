"""Plays of what each creature does and bears."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from craftax_text_gym.games import ALL
from craftax_text_gym.games.spec import GameSpec, Mob
from craftax_text_gym.handbook.fighting import damage_words, home
from craftax_text_gym.utils.words import percent, plural
from tests.availability.arena import arena
from tests.handbook.plays_of_fights import blow, swords_of
from tests.handbook.stage import (
    AHEAD,
    PLAYS,
    Fact,
    Run,
    lost,
    mobs_here,
    on_floor,
    samples,
    with_mob,
    with_shot,
)


def _creature(mob: Mob, spec: GameSpec) -> Iterator[Fact]:
    if mob.mob_class == "passive":
        assert lost(spec, with_mob(spec, arena(spec.key), mob.label, hemmed=True)) == 0
        yield f"{mob.label}: harmless"
    elif mob.mob_class == "melee":
        yield f"{mob.label}: strikes for {damage_words(_harm(spec, mob))}"
    else:
        kind = _shot_kind(spec, mob)
        yield f"{mob.label}: shoots {plural(spec.projectiles[kind].label)} for {damage_words(_harm(spec, mob, kind))}"
    counts = [_blows(spec, mob, bag) for _, bag in swords_of(spec)]
    names = [label.removesuffix(" sword") for label, _ in swords_of(spec)[1:]]
    yield f"dies of {counts[0]} blows bare-handed"
    yield from (f", {count} {name}" for count, name in zip(counts[1:], names, strict=True))
    if spec.key == "full":
        yield from _spared(spec, mob)


def _harm(spec: GameSpec, mob: Mob, shot: int | None = None) -> list[float]:
    """Physical, fire and ice damage, told apart by armour against each."""

    def loss(**fields: Any) -> float:
        state = arena(spec.key, **fields)
        if shot is None:
            return lost(spec, with_mob(spec, state, mob.label, hemmed=True))
        return lost(spec, with_shot(spec, state, (1, 0), AHEAD, shot))

    if spec.key == "classic":
        return [loss(), 0, 0]
    strong: dict[str, Any] = {"player_strength": 5, "player_health": 13}
    whole = loss(**strong)
    shields: list[dict[str, Any]] = [
        {"inventory": {"armour": (2,) * 4}},
        {"armour_enchantments": (1,) * 4},
        {"armour_enchantments": (2,) * 4},
    ]
    return [round((whole - loss(**shield, **strong)) / 0.8, 2) for shield in shields]


def _shot_kind(spec: GameSpec, mob: Mob) -> int:
    state = with_mob(spec, arena(spec.key), mob.label, (-4, 0))
    after = next(after for after in samples(spec, state, "noop", 9) if mobs_here(spec, after, "projectile").mask.any())
    return int(mobs_here(spec, after, "projectile").type_id[0]) if spec.key == "full" else 0


def _blows(spec: GameSpec, mob: Mob, bag: dict[str, int]) -> int:
    # At home: once all slots of a class are full, the engine makes the first of them the floor's own kind.
    at_home = on_floor(spec, home(spec, mob))
    state = with_mob(spec, arena(spec.key, inventory=bag, **at_home), mob.label, health=mob.health, hemmed=True)
    achieved = spec.achievement_keys.index(mob.achievement)
    return Run(spec, state).until(lambda run: run.scene.row["achievements"][achieved], 260, "do")


def _spared(spec: GameSpec, mob: Mob) -> Iterator[Fact]:
    physical = 1 - blow(spec, mob.label, {"sword": 4}) / 8
    if physical > 0.01:
        yield f"is spared {percent(physical)} of physical damage"
    for number, kind in ((1, "fire"), (2, "ice")):
        extra = blow(spec, mob.label, {"sword": 4}, sword_enchantment=number) - blow(spec, mob.label, {"sword": 4})
        assert round(extra, 2) in (0, 4)
        if extra < 0.01:
            yield f"all {kind} damage"


for _spec in ALL:
    PLAYS[_spec.key] |= {f"creatures.{mob.label.replace(' ', '_')}": partial(_creature, mob) for mob in _spec.mobs}
