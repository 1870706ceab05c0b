"""The floors of the full game, the ladders between them, and the boss on the last."""

from __future__ import annotations

from collections.abc import Iterator

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook.rule import Rule, labels, plain
from craftax_text_gym.utils.words import listed, plural


def rules(spec: GameSpec) -> tuple[Rule, ...]:
    """The rules of the two topics; Classic has a single floor and no boss."""
    return (*_ladders(spec), *_floors(spec), *_boss(spec)) if len(spec.floors) > 1 else ()


def _ladders(spec: GameSpec) -> Iterator[Rule]:
    kills = spec.kills_to_open
    yield Rule(
        "floors.down",
        f"descend works on a ladder down once you have killed {kills} monsters of that floor, on floor 0 at once; "
        "until then the ladder is called blocked.",
    )
    yield Rule("floors.kills", "Animals do not count, and each floor counts for itself.")
    yield Rule("floors.up", "ascend works on a ladder up at any time.", floor=1)
    yield Rule(
        "floors.arrival",
        "descend takes you to the ladder up of the floor below, ascend to the ladder down of the one above.",
    )
    yield Rule(
        "floors.crowd",
        f"Monsters appear 3 times as often on a floor where you have killed fewer than {kills}.",
        floor=1,
    )


def _floors(spec: GameSpec) -> Iterator[Rule]:
    for number, floor in enumerate(spec.floors):
        last = number == len(spec.floors) - 1
        creatures = "" if last else f" Creatures: {listed([plural(label) for label in _by_class(spec, floor.mobs)])}."
        finds = labels(spec, [name for name in floor.finds if name not in ("grave2", "grave3")])
        drink = "" if {"water", "fountain"} & set(floor.finds) else " Nothing to drink."
        food = (
            ""
            if last or any(mob.label in floor.mobs for mob in spec.mobs if mob.mob_class == "passive")
            else " Nothing to eat."
        )
        light = "dark" if floor.dark else "lit"
        yield Rule(
            f"floors.{number}",
            f"Floor {number}, {floor.label}, {light}.{creatures} Found there: {listed(finds)}.{drink}{food}",
            floor=number,
        )


def _by_class(spec: GameSpec, names: tuple[str, ...]) -> list[str]:
    classes = {mob.label: mob.mob_class for mob in spec.mobs}
    return sorted(names, key=lambda name: ("passive", "melee", "ranged").index(classes[name]))


def _boss(spec: GameSpec) -> Iterator[Rule]:
    m, lowest = spec.mechanics, len(spec.floors) - 1
    pairs = [spec.floors[lowest].mobs[start : start + 2] for start in range(0, 2 * m.boss_hits, 2)]
    waves = [f"{plural(strikes)} and {plural(shoots)}" for strikes, shoots in pairs]
    yield Rule(
        "boss.hits",
        f"The necromancer falls to {m.boss_hits} blows of do, whatever the sword. Nothing else hurts it.",
        lowest,
    )
    yield Rule(
        "boss.summoning",
        f"It can be hurt only while no monster is left on the floor, and at the earliest {m.boss_summons} steps after "
        "your first arrival or its last wound; else do on it is lost.",
        lowest,
    )
    yield Rule(
        "boss.graves",
        f"For {m.boss_summons - 1} steps, beginning with that of your arrival or blow, monsters rise from graves "
        f"within {m.boss_reach} tiles of you.",
        lowest,
    )
    yield Rule("boss.waves", f"Each time they are of 2 kinds: {', then '.join(waves)}.", lowest)
    yield Rule("boss.hunters", "Monsters there make for you from any distance and never disappear.", lowest)
    yield Rule("boss.deep_things", "Deep things cannot leave the grave that they rose from: go to them.", lowest)
    yield Rule("boss.damage", f"All damage done to you there is {plain(m.boss_damage)} times as high.", lowest)
    yield Rule("boss.want", "Food, drink and energy do not fall there, and lack of them costs no health.", lowest)
    yield Rule("boss.trapped", "There is no ladder there: you cannot leave.", lowest)
    yield Rule("boss.victory", "When the necromancer falls you have won, and the game is over.", lowest)
