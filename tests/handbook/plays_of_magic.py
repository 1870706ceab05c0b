"""Plays of the rules on chests, potions, spells, enchantments and attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.utils.words import counted, listed, percent
from tests.availability.arena import arena, block_at, owned
from tests.handbook.plays_of_fights import blow, shot_damage
from tests.handbook.stage import (
    AHEAD,
    Fact,
    Fields,
    Run,
    about,
    has,
    health,
    lost,
    play,
    plays,
    samples,
    with_mob,
    with_shot,
    worlds,
)

_FULL = ("full",)
_ORES = ("coal", "iron", "diamond", "sapphire", "ruby")


@plays("treasure.chest", games=_FULL)
def chest(spec: GameSpec) -> list[Fact]:
    after = play(spec, "do", faced="chest")
    assert (block_at(spec, after, AHEAD), has(spec, after, "open_chest")) == ("path", True)
    return []


@plays("treasure.loot", games=_FULL)
def loot(spec: GameSpec) -> Any:
    finds = list(samples(spec, arena("full", faced="chest"), "do", 500))
    amounts = {field: [owned(after, field) for after in finds] for field in ("torches", "arrows", *_ORES)}
    amounts["potions"] = [sum(owned(after, "potions")) for after in finds]
    found = {field: (min(filter(None, many)), max(many)) for field, many in amounts.items()}
    words = {
        field: counted(most, field) if least == most else f"{least}-{counted(most, field)}"
        for field, (least, most) in found.items()
    }

    def chance(*fields: str) -> Any:
        return about(100 * float(np.mean([any(amounts[field][i] for field in fields) for i in range(len(finds))])), 6)

    yield from (words["torches"], chance("torches"))
    assert all(sum(amounts[field][i] > 0 for field in _ORES) <= 1 for i in range(len(finds)))
    yield from (listed([words[field] for field in _ORES], "or"), chance(*_ORES))
    yield from (words["potions"], chance("potions"), words["arrows"], chance("arrows"))
    tools = [{field: owned(after, field) for field in ("pickaxe", "sword")} for after in finds]
    for field in ("pickaxe", "sword"):
        assert {tool[field] for tool in tools} == {0, 1, 2, 3, 4}
    assert not any(tool["pickaxe"] and tool["sword"] for tool in tools)
    yield about(100 * float(np.mean([any(tool.values()) for tool in tools])), 6)


@plays("treasure.better", games=_FULL)
def better(spec: GameSpec) -> list[Fact]:
    for held in (2, 4):
        state = arena("full", faced="chest", inventory={"pickaxe": held, "sword": held})
        kept = {owned(after, tool) for after in samples(spec, state, "do", 120) for tool in ("pickaxe", "sword")}
        assert kept == set(range(held, 5))
    return []


def _first_of(spec: GameSpec, field: str) -> Any:
    for floor in range(8):
        state = arena("full", floor=floor, faced="chest")
        opened = state.chests_opened.copy()
        opened[floor] = True
        assert owned(play(spec, "do", floor=floor, faced="chest", chests_opened=opened), field) == 0
        if owned(play(spec, "do", state=state), field) == 1:
            yield floor


@plays("treasure.bow", games=_FULL)
def bow(spec: GameSpec) -> Any:
    return _first_of(spec, "bow")


@plays("treasure.books", games=_FULL)
def first_books(spec: GameSpec) -> Any:
    return _first_of(spec, "books")


@plays("treasure.potions", games=_FULL)
def potions(spec: GameSpec) -> Any:
    vitals: Fields = {"player_health": 4, "player_mana": 4, "player_energy": 4}
    levels: Fields = {"player_strength": 5, "player_dexterity": 5, "player_intelligence": 5}
    yield len(spec.potions)
    for number, colour in enumerate(spec.potions):
        bag = {"potions": [int(index == number) for index in range(6)]}
        state = arena("full", inventory=bag, potion_mapping=np.arange(6), **vitals, **levels)
        after, noop = (play(spec, action, state=state) for action in (f"drink_potion_{colour}", "noop"))
        assert not any(owned(after, "potions"))
        changes = {name: round(float(getattr(after, name) - getattr(noop, name))) for name in vitals}
        ((name, change),) = [(name, change) for name, change in changes.items() if change]
        yield f"one {'gives' if change > 0 else 'takes'} {abs(change)} {name.removeprefix('player_')}"
    assert len({tuple(world.potion_mapping.tolist()) for world in worlds("full")}) > 6


@plays("treasure.poison", games=_FULL)
def poison(spec: GameSpec) -> Any:
    bag = {"potions": (0, 1, 0, 0, 0, 0)}
    yield max(
        points
        for points in (2, 3, 4, 5)
        if health(play(spec, "drink_potion_green", inventory=bag, potion_mapping=np.arange(6), player_health=points))
        == 0
    )


def _steps_to_mana(spec: GameSpec, **fields: Any) -> int:
    run = Run(spec, arena("full", player_mana=1, player_recover_mana=0, **fields))
    return run.until(lambda run: (run.scene.mana or 0) > 1, 60)


@plays("magic.mana", games=_FULL)
def mana(spec: GameSpec) -> Any:
    yield from (1, _steps_to_mana(spec), _steps_to_mana(spec, is_sleeping=True, player_energy=1))
    levels = range(2, 6)
    yield from levels
    yield from (_steps_to_mana(spec, player_intelligence=level) for level in levels)


@plays("magic.books", games=_FULL)
def books(spec: GameSpec) -> list[Fact]:
    taught = set()
    for after in samples(spec, arena("full", inventory={"books": 2}), "read_book", 12):
        taught.add(tuple(after.learned_spells.tolist()))
        assert owned(after, "books") == 1
    assert taught == {(True, False), (False, True)}
    for known in ((1, 0), (0, 1), (1, 1)):
        after = play(spec, "read_book", inventory={"books": 1}, learned_spells=known)
        assert (after.learned_spells.tolist(), owned(after, "books")) == ([True, True], 0)
    return []


@plays("magic.spells", games=_FULL)
def spells(spec: GameSpec) -> Any:
    knows: Fields = {"learned_spells": (1, 1), "player_recover_mana": 0}
    costs, harm, room = set(), set(), set()
    for action, immune in (("cast_fireball", "pigman"), ("cast_iceball", "frost troll")):
        costs.add(7 - int(play(spec, action, player_mana=7, **knows).player_mana))
        assert int(play(spec, action, player_mana=1, **knows).player_mana) == 1
        assert int(play(spec, action, player_mana=7).player_mana) == 7
        room.add(1 + max(n for n in range(4) if play(spec, action, player_mana=7, shots=n, **knows).player_mana < 7))
        harm.add(shot_damage(spec, action, player_mana=7, **knows))
        assert shot_damage(spec, action, immune, player_mana=7, **knows) == 0
    yield from (*costs, *room, *harm)


@plays("magic.enchanting", games=_FULL)
def enchanting(spec: GameSpec) -> Any:
    gear: Fields = {"sword": 1, "bow": 1, "armour": (1, 0, 0, 0)}
    yield 10 - int(_enchanted(spec, "fire", "sword", {**gear, "ruby": 1}, 10).player_mana)
    for kind, gem in (("fire", "ruby"), ("ice", "sapphire")):
        spent = set()
        for thing in ("sword", "bow", "armour"):
            spent.add(3 - owned(_enchanted(spec, kind, thing, {**gear, gem: 3}), gem))
            assert int(_enchanted(spec, kind, thing, {**gear, gem: 3}, 8).player_mana) == 8
            assert int(_enchanted(spec, kind, thing, gear).player_mana) == 9
            assert int(_enchanted(spec, kind, thing, {gem: 1}).player_mana) == 9
        yield f"{spent.pop()} {gem} at "
        assert not spent


def _enchanted(spec: GameSpec, kind: str, thing: str, bag: dict[str, Any], mana: int = 9, **fields: Any) -> Any:
    magic: Fields = {"player_mana": mana, "player_intelligence": 2, "player_recover_mana": 0}
    faced = f"enchantment_table_{kind}"
    return play(spec, f"enchant_{thing}", faced=faced, inventory=bag, **magic, **fields)


@plays("magic.weapons", games=_FULL)
def weapons(spec: GameSpec) -> Any:
    bare = blow(spec, "zombie", {"sword": 3})
    arrows: Fields = {"inventory": {"bow": 1, "arrows": 1}}
    shot = shot_damage(spec, "shoot_arrow", **arrows)
    shares = set()
    for number, immune in ((1, "pigman"), (2, "frost troll")):
        shares.add(percent(blow(spec, "zombie", {"sword": 3}, sword_enchantment=number) / bare - 1))
        shares.add(percent(shot_damage(spec, "shoot_arrow", bow_enchantment=number, **arrows) / shot - 1))
        assert blow(spec, immune, {"sword": 3}, sword_enchantment=number) == blow(spec, immune, {"sword": 3})
    yield from shares


@plays("magic.armour", games=_FULL)
def magic_armour(spec: GameSpec) -> Any:
    bag = {"armour": (1, 0, 0, 0), "ruby": 1}
    state = arena(
        "full", faced="enchantment_table_fire", inventory=bag, player_mana=9, armour_enchantments=(2, 0, 0, 0)
    )
    chosen = {int(np.argmax(after.armour_enchantments == 1)) for after in samples(spec, state, "enchant_armour", 24)}
    assert chosen == {1, 2, 3}
    shares = set()
    for number, kind in ((1, 2), (2, 3)):
        bare = lost(spec, with_shot(spec, arena("full"), (1, 0), AHEAD, kind))
        for worn in ((number, 0, 0, 0), (0, 0, number, 0)):
            spared = lost(spec, with_shot(spec, arena("full", armour_enchantments=worn), (1, 0), AHEAD, kind))
            shares.add(percent(1 - spared / bare))
        other = (3 - number, 0, 0, 0)
        assert lost(spec, with_shot(spec, arena("full", armour_enchantments=other), (1, 0), AHEAD, kind)) == bare
    yield from shares


@plays("magic.elements", games=_FULL)
def elements(spec: GameSpec) -> list[Fact]:
    knows: Fields = {"learned_spells": (1, 1)}
    hurt = {"cast_iceball": ("pigman", "fire elemental"), "cast_fireball": ("frost troll", "ice elemental")}
    for action, labels in hurt.items():
        for label in labels:
            assert shot_damage(spec, action, label, **knows) == shot_damage(spec, action, **knows)
    return []


@plays("magic.again", games=_FULL)
def again(spec: GameSpec) -> list[Fact]:
    for before, after in ((0, 1), (1, 1), (2, 1)):
        state = _enchanted(spec, "fire", "sword", {"sword": 1, "ruby": 1}, sword_enchantment=before)
        assert (int(state.sword_enchantment), owned(state, "ruby"), int(state.player_mana)) == (after, 0, 0)
    return []


@plays("attributes.experience", games=_FULL)
def experience(spec: GameSpec) -> Any:
    paid, points = [], set()
    for floor in range(1, 9):
        first = arena("full", floor=floor - 1, underfoot=2, kills=8)
        arrived = play(spec, "descend", state=first)
        if arrived.player_xp > first.player_xp:
            paid.append(floor)
            points.add(int(arrived.player_xp - first.player_xp))
        known = arena("full", floor=floor - 1, underfoot=2, kills=8, unlocked=(spec.floors[floor].achievement or "",))
        assert play(spec, "descend", state=known).player_xp == known.player_xp
    yield from (min(paid), max(paid), *points)
    assert paid == list(range(1, 9))
    state = with_mob(spec, arena("full"), "zombie", health=1, hemmed=True)
    assert play(spec, "do", "noop", state=state).player_xp == 0


@plays("attributes.levels", games=_FULL)
def levels(spec: GameSpec) -> Any:
    for name in ("strength", "dexterity", "intelligence"):
        assert getattr(play(spec, f"level_up_{name}"), f"player_{name}") == 1
        run = Run(spec, arena("full", player_xp=9))
        first = run.act(f"level_up_{name}").state
        last = run.act(f"level_up_{name}", times=6).state
        found = (
            9 - int(first.player_xp),
            int(getattr(first, f"player_{name}")) - 1,
            1,
            int(getattr(last, f"player_{name}")),
        )
        assert int(last.player_xp) == 9 - (found[3] - 1)
    yield from found


def _most(spec: GameSpec, vital: str, **fields: Any) -> float:
    return float(getattr(play(spec, "noop", **{f"player_{vital}": 99}, **fields), f"player_{vital}"))


@plays("attributes.strength", games=_FULL)
def strength(spec: GameSpec) -> Any:
    yield 1
    yield _most(spec, "health", player_strength=2) - _most(spec, "health")
    blows = [blow(spec, "zombie", {"sword": 4}, player_strength=level) for level in (1, 2, 3)]
    assert blows[2] - blows[1] == blows[1] - blows[0]
    yield percent(blows[1] / blows[0] - 1)


@plays("attributes.dexterity", games=_FULL)
def dexterity(spec: GameSpec) -> Any:
    yield 1
    yield from {
        _most(spec, vital, player_dexterity=3) / 2 - _most(spec, vital) / 2 for vital in ("food", "drink", "energy")
    }
    arrows: Fields = {"inventory": {"bow": 1, "arrows": 1}}
    shots = [shot_damage(spec, "shoot_arrow", player_dexterity=level, **arrows) for level in (1, 2, 3)]
    assert shots[2] - shots[1] == shots[1] - shots[0]
    yield percent(shots[1] / shots[0] - 1)


@plays("attributes.patience", games=_FULL)
def patience(spec: GameSpec) -> Any:
    grades = range(2, 6)
    yield from grades
    yield 1
    for vital, counter in (("food", "hunger"), ("drink", "thirst"), ("energy", "fatigue")):
        for level in grades:
            fields: Fields = {f"player_{counter}": 0, "player_dexterity": level}
            run = Run(spec, arena("full", **fields))
            yield run.until(lambda run, vital=vital: getattr(run.scene, vital) < 7, 70)  # type: ignore[misc]


@plays("attributes.intelligence", games=_FULL)
def intelligence(spec: GameSpec) -> Any:
    yield 1
    yield _most(spec, "mana", player_intelligence=2) - _most(spec, "mana")
    knows: Fields = {"learned_spells": (1, 1)}
    for actions in ("cast_fireball", "cast_iceball"):
        casts = [shot_damage(spec, actions, player_intelligence=level, **knows) for level in (1, 2, 3)]
        assert casts[2] - casts[1] == casts[1] - casts[0]
    yield percent(casts[1] / casts[0] - 1)
    bare = blow(spec, "zombie", {"sword": 4})
    extra = [
        blow(spec, "zombie", {"sword": 4}, sword_enchantment=1, player_intelligence=level) - bare for level in (1, 2)
    ]
    yield percent(extra[1] / extra[0] - 1)
