"""Plays of the rules on the floors, their ladders, and the boss."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from craftax_text_gym.games import FULL
from craftax_text_gym.games.spec import GameSpec, MobClass
from craftax_text_gym.utils.words import listed, plural
from tests.availability.arena import arena, set_block
from tests.handbook.stage import (
    PLAYS,
    Fact,
    Run,
    filled,
    has,
    lost,
    mob_of,
    mobs_here,
    play,
    plays,
    samples,
    with_mob,
    worlds,
)
from tests.worlds import scene_of, to_numpy

_FULL = ("full",)
_DOWN, _UP = 2, 3
_CLASSES: tuple[MobClass, ...] = ("passive", "melee", "ranged")
_USEFUL = frozenset(name for floor in FULL.floors for name in floor.finds)


@plays("floors.down", games=_FULL)
def down(spec: GameSpec) -> Any:
    enough = [
        kills for kills in range(12) if play(spec, "descend", floor=1, underfoot=_DOWN, kills=kills).player_level == 2
    ]
    yield min(enough)
    assert play(spec, "descend", floor=1, underfoot=0, kills=9).player_level == 1
    fresh = to_numpy(worlds("full")[0])
    fresh = fresh.replace(player_position=fresh.down_ladders[0].astype(np.int32))
    assert play(spec, "descend", state=fresh).player_level == 1
    yield 0
    state = arena("full", floor=1, underfoot=_DOWN, kills=min(enough) - 1)
    assert "blocked" in str(scene_of(Run(spec, state).engine, state).underfoot.item)


@plays("floors.kills", games=_FULL)
def kills(spec: GameSpec) -> list[Fact]:
    for label, counts in (("zombie", 1), ("skeleton", 1), ("cow", 0)):
        state = with_mob(spec, arena("full", floor=3), label, health=1, hemmed=True)
        before = state.monsters_killed.copy()
        after = play(spec, "do", state=state).monsters_killed - before
        assert after.tolist() == [counts * (floor == 3) for floor in range(9)]
    return []


@plays("floors.up", games=_FULL)
def up(spec: GameSpec) -> list[Fact]:
    assert play(spec, "ascend", floor=3, underfoot=_UP).player_level == 2
    assert play(spec, "ascend", floor=3).player_level == 3
    return []


@plays("floors.arrival", games=_FULL)
def arrival(spec: GameSpec) -> list[Fact]:
    below = play(spec, "descend", floor=1, underfoot=_DOWN, kills=8)
    assert below.player_position.tolist() == below.up_ladders[2].tolist()
    above = play(spec, "ascend", floor=3, underfoot=_UP)
    assert above.player_position.tolist() == above.down_ladders[2].tolist()
    return []


@plays("floors.crowd", games=_FULL)
def crowd(spec: GameSpec) -> Any:
    # A monster that appears 7 rows and 7 columns away is gone in the next step, so that room is always left.
    rates = {}
    for killed in (7, 8):
        state = arena("full", floor=1, kills=killed)
        set_block(spec, filled(spec, state, "stone"), (-7, -7), "path")
        run, seen = Run(spec, state), 0
        for _ in range(700):
            seen += bool(mobs_here(spec, run.act("noop").state, "melee").mask.any())
        rates[killed] = seen
    assert sum(rates.values()) > 100
    yield round(rates[7] / rates[8])
    yield 8


def _floor(number: int, spec: GameSpec) -> Iterator[Fact]:
    floor, last = spec.floors[number], number == 8
    lit = np.mean([world.light_map[number] > 0.05 for world in worlds("full")]) > 0.5
    yield f"Floor {number}, {floor.label}, {'lit' if lit else 'dark'}."
    found = {
        spec.blocks[code].name
        for world in worlds("full")
        for code in np.unique(world.map[number])
        if spec.blocks[code].name in _USEFUL and not (last and spec.blocks[code].name == "stone")
    }
    if number:
        found.discard("grass")
    assert found == set(floor.finds)
    labels = [spec.blocks[spec.block_index[name]].label for name in floor.finds if name not in ("grave2", "grave3")]
    yield f"Found there: {listed(labels)}."
    if not found & {"water", "fountain"}:
        yield "Nothing to drink."
    if last:
        return
    living = _living(spec, number)
    yield f"Creatures: {listed([plural(label) for label in living])}."
    assert ("Nothing to eat." in _rule_text(spec, number)) == (len(living) == 2)


def _rule_text(spec: GameSpec, number: int) -> str:
    from craftax_text_gym.handbook import rules_of

    return next(rule.text for rule in rules_of(spec) if rule.key == f"floors.{number}")


def _living(spec: GameSpec, number: int) -> list[str]:
    """Who appears on a floor within some hundred steps, by class."""
    state = filled(spec, arena("full", floor=number), "path")
    state.map[number][::3] = spec.block_index["water"]
    for side in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        set_block(spec, state, side, "stone")
    run, seen = Run(spec, state), dict[tuple[MobClass, int], None]()
    for _ in range(12):
        now = run.act("noop", times=12).state
        for kind in _CLASSES:
            mobs = mobs_here(spec, now, kind)
            seen |= {(kind, int(code)): None for code in mobs.type_id[mobs.mask]}
    return [spec.mob(kind, code).label for kind, code in sorted(seen, key=lambda key: _CLASSES.index(key[0]))]


def _boss(**fields: Any) -> Any:
    fields = {"boss_timesteps_to_spawn_this_round": -1, "faced": "necromancer", **fields}
    return arena("full", floor=8, **fields)


@plays("boss.hits", games=_FULL)
def hits(spec: GameSpec) -> Any:
    run, blows = Run(spec, _boss()), 0
    for _ in range(80):
        if run.scene.boss_defeated:
            break
        blows += run.scene.boss_vulnerable
        run.act("do")
    yield blows
    assert play(spec, "do", state=_boss(inventory={"sword": 4})).boss_progress == 1
    bag = {"inventory": {"bow": 1, "arrows": 1}, "learned_spells": (1, 1), "player_mana": 9}
    for action in ("shoot_arrow", "cast_fireball", "cast_iceball"):
        assert play(spec, action, "noop", state=_boss(**bag)).boss_progress == 0


@plays("boss.summoning", games=_FULL)
def summoning(spec: GameSpec) -> Any:
    fresh = int(worlds("full")[0].boss_timesteps_to_spawn_this_round)
    arriving = arena("full", floor=7, underfoot=_DOWN, kills=8, boss_timesteps_to_spawn_this_round=fresh)
    there = Run(spec, arriving).act("descend").state
    assert there.player_level == 8
    timer = int(there.boss_timesteps_to_spawn_this_round)
    first = Run(spec, _boss(boss_timesteps_to_spawn_this_round=timer))
    after_arrival = first.until(lambda run: run.state.boss_progress == 1, 12, "do")
    after_blow = first.until(lambda run: run.state.boss_progress == 2, 12, "do")
    assert after_arrival == after_blow
    yield after_blow
    for label in ("zombie", "skeleton"):
        assert play(spec, "do", state=with_mob(spec, _boss(), label, (3, 3))).boss_progress == 0


@plays("boss.graves", games=_FULL)
def graves(spec: GameSpec) -> Any:
    fresh = int(worlds("full")[0].boss_timesteps_to_spawn_this_round)

    def rises(distance: int, timer: int) -> bool:
        state = _boss(boss_timesteps_to_spawn_this_round=timer)
        set_block(spec, state, (0, distance), "grave")
        return bool(mobs_here(spec, play(spec, "noop", state=state), "melee").mask.any())

    timers = [timer for timer in range(-2, fresh + 1) if rises(3, timer)]
    assert timers == list(range(2, fresh + 1))  # a blow sets the timer to its full length, and its own step counts
    yield len(timers)
    yield max(distance for distance in range(2, 9) if rises(distance, fresh))


@plays("boss.waves", games=_FULL)
def waves(spec: GameSpec) -> Any:
    pairs = []
    for progress in range(8):
        state = _boss(boss_progress=progress, boss_timesteps_to_spawn_this_round=7)
        for column in range(-5, 6):
            set_block(spec, state, (-2, column), "grave")
        now = Run(spec, state).act("noop", times=2).state
        seen = dict.fromkeys(
            spec.mob(kind, int(code)).label
            for kind in _CLASSES[1:]
            for code in mobs_here(spec, now, kind).type_id[mobs_here(spec, now, kind).mask]
        )
        pairs.append([plural(label) for label in seen])
    yield from {len(pair) for pair in pairs}
    yield ", then ".join(" and ".join(pair) for pair in pairs)


@plays("boss.hunters", games=_FULL)
def hunters(spec: GameSpec) -> list[Fact]:
    state = with_mob(spec, filled(spec, arena("full", floor=8), "path"), "zombie", (-18, 0))
    rows = []
    for after in samples(spec, state, "noop", 30):
        mobs = mobs_here(spec, after, "melee")
        assert mobs.mask[0]
        rows.append(int(mobs.position[0][0]) > 2)
    assert np.mean(rows) > 0.5
    return []


@plays("boss.deep_things", games=_FULL)
def deep_things_on_graves(spec: GameSpec) -> list[Fact]:
    def wanders(label: str) -> bool:
        state = with_mob(spec, arena("full", floor=8, boss_timesteps_to_spawn_this_round=-1), label, (-4, 3))
        set_block(spec, state, (-4, 3), "grave")
        kind = mob_of(spec, label).mob_class
        before = mobs_here(spec, state, kind).position[0].tolist()
        return any(
            mobs_here(spec, after, kind).position[0].tolist() != before for after in samples(spec, state, "noop", 60)
        )

    assert not wanders("deep thing")
    assert wanders("kobold")
    return []


@plays("boss.damage", games=_FULL)
def damage(spec: GameSpec) -> Any:
    yield lost(spec, with_mob(spec, _boss(faced=None), "zombie")) / lost(spec, with_mob(spec, arena("full"), "zombie"))


@plays("boss.want", games=_FULL)
def want(spec: GameSpec) -> list[Fact]:
    tired: dict[str, Any] = {"player_hunger": 25, "player_thirst": 20, "player_fatigue": 30}
    for floor, falls in ((7, 1), (8, 0)):
        after = play(spec, "noop", floor=floor, **tired)
        assert [int(after.player_food), int(after.player_drink), int(after.player_energy)] == [7 - falls] * 3
        lacking = play(spec, "noop", floor=floor, player_food=0, player_recover=-15, player_health=5)
        assert lacking.player_health == 5 - falls
    return []


@plays("boss.trapped", games=_FULL)
def trapped(spec: GameSpec) -> list[Fact]:
    for world in worlds(spec.key):
        assert not np.isin(world.item_map[8], (_DOWN, _UP)).any()
        assert np.isin(world.item_map[7], (_DOWN, _UP)).any()
    return []


@plays("boss.victory", games=_FULL)
def victory(spec: GameSpec) -> list[Fact]:
    for progress, wins in ((6, False), (7, True)):
        run = Run(spec, _boss(boss_progress=progress)).act("do")
        assert (run.scene.boss_defeated, has(spec, run.state, "defeat_necromancer")) == (wins, wins)
    return []


PLAYS["full"] |= {f"floors.{number}": partial(_floor, number) for number in range(9)}
