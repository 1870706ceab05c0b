"""Chests and potions, books and spells, enchantments, and the attributes of the full game."""

from __future__ import annotations

from collections.abc import Iterator

from craftax_text_gym.games.mechanics import Loot
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook.rule import Rule, parameter, shot_damage, steps_over
from craftax_text_gym.utils.words import counted, listed, percent

_ATTRIBUTES = ("strength", "dexterity", "intelligence")


def rules(spec: GameSpec) -> tuple[Rule, ...]:
    """The rules of the three topics; Classic has none of them."""
    return (*_treasure(spec), *_magic(spec), *_attributes(spec)) if spec.spells else ()


def _treasure(spec: GameSpec) -> Iterator[Rule]:
    yield Rule("treasure.chest", "do on a chest empties it and leaves path.", 1)
    yield Rule(
        "treasure.loot", f"Each chest may hold {', '.join([_loot(spec, loot) for loot in spec.mechanics.loot])}.", 1
    )
    yield Rule("treasure.better", "You keep a pickaxe or sword from a chest only if it is better than yours.", 1)
    by_field: dict[str, list[int]] = {}
    for number, field in spec.mechanics.first_loot:
        by_field.setdefault(field, []).append(number)
    for field, numbers in by_field.items():
        where = f"floor {numbers[0]}" if len(numbers) == 1 else f"each of floors {listed(map(str, numbers))}"
        yield Rule(
            f"treasure.{field}",
            f"The first chest that you open on {where} also holds a {field.removesuffix('s')}.",
            numbers[0],
        )
    effects = [
        f"one {'gives' if change > 0 else 'takes'} {abs(change)} {vital}" for vital, change in spec.potion_effects
    ]
    yield Rule(
        "treasure.potions",
        f"drink_potion_ and a colour drinks a potion of that colour. Of the {len(spec.potions)} colours "
        f"{listed(effects)}. Which does what is drawn anew for each game: drink to find out.",
        1,
    )
    worst = max(-change for vital, change in spec.potion_effects if vital == "health")
    yield Rule("treasure.poison", f"A potion can kill you if your health is {worst} or less.", 1)


def _loot(spec: GameSpec, loot: Loot) -> str:
    if loot.fields[0] in spec.tools:
        return f"and a {listed(loot.fields, 'or')} of any kind ({percent(loot.chance)})"
    parts = [
        f"{least}-{counted(most, field)}" if most > least else counted(most, field)
        for field, (least, most) in zip(loot.fields, loot.amounts, strict=True)
    ]
    return f"{listed(parts, 'or')} ({percent(loot.chance)})"


def _magic(spec: GameSpec) -> Iterator[Rule]:
    m = spec.mechanics
    counts = [mana_steps(spec, level) for level in range(2, parameter(spec, "max_attribute") + 1)]
    levels = listed([str(level) for level in range(2, parameter(spec, "max_attribute") + 1)])
    yield Rule(
        "magic.mana",
        f"You gain 1 mana every {mana_steps(spec, 1)} steps; asleep, every {mana_steps(spec, 1, asleep=True)}. With "
        f"intelligence {levels} it is every {listed(map(str, counts))} steps.",
    )
    yield Rule(
        "magic.books",
        f"read_book uses up a book and teaches you {listed(spec.spells, 'or')}, by chance one that you do not know; "
        "when you know both it is wasted.",
        3,
    )
    casts = listed([f"cast_{spell}" for spell in spec.spells])
    kinds = listed([kind for kind in spec.enchantments if kind], "or")
    yield Rule(
        "magic.spells",
        f"Once learned, {casts} cost {m.spell_mana} mana and need fewer than {spec.slots[-1]} shots of yours in "
        f"flight; the spell flies like an arrow and does {shot_damage(spec, spec.spells[0])} {kinds} damage.",
        3,
    )
    yield Rule(
        "magic.enchanting",
        f"enchant_sword, enchant_bow and enchant_armour need an enchantment table in front of you, {m.enchant_mana} "
        "mana, and 1 ruby at a fire enchantment table or 1 sapphire at an ice one.",
        3,
    )
    yield Rule(
        "magic.weapons", f"An enchanted sword or bow does {percent(m.enchanted_blow)} more, as fire or ice damage.", 3
    )
    yield Rule(
        "magic.armour",
        "enchant_armour takes, by chance, a piece without enchantment, be it one that you do not wear yet. Each "
        f"enchanted piece spares you {percent(m.enchanted_armour)} of the damage of its kind, fire or ice.",
        3,
    )
    yield Rule(
        "magic.elements",
        "Ice hurts pigmen and fire elementals in full, fire hurts frost trolls and ice elementals: bring the right "
        "spell or blade.",
        6,
    )
    yield Rule(
        "magic.again", "A new enchantment replaces the old one; the same one again costs as much and is lost.", 3
    )


def mana_steps(spec: GameSpec, intelligence: int, asleep: bool = False) -> int:
    """Steps to a point of mana; the counter grows and is also multiplied at every step."""
    m, counter, steps = spec.mechanics, 0.0, 0
    while counter <= m.mana:
        counter = (counter + (m.asleep_mana if asleep else 1)) * (1 + m.bonus.intelligence_mana * (intelligence - 1))
        steps += 1
    return steps


def _attributes(spec: GameSpec) -> Iterator[Rule]:
    bonus, lowest = spec.mechanics.bonus, len(spec.floors) - 1
    yield Rule(
        "attributes.experience",
        f"Your first arrival on each of floors 1 to {lowest} gives 1 experience; nothing else does.",
    )
    actions = listed([f"level_up_{attribute}" for attribute in _ATTRIBUTES])
    yield Rule(
        "attributes.levels",
        f"{actions} turn 1 experience into 1 level. Levels go from 1 to {parameter(spec, 'max_attribute')}.",
        1,
    )
    yield Rule(
        "attributes.strength",
        f"Each level of strength above 1 adds {spec.maxima['health'][2]} to the most health you can have, and "
        f"{percent(bonus.strength_blow)} to the physical damage of your blows.",
        1,
    )
    yield Rule(
        "attributes.dexterity",
        f"Each level of dexterity above 1 adds {spec.maxima['food'][2]} to the most food, drink and energy you can "
        f"have, and {percent(bonus.dexterity_arrow)} to the damage of your arrows.",
        1,
    )
    yield _patience(spec)
    yield Rule(
        "attributes.intelligence",
        f"Each level of intelligence above 1 adds {spec.maxima['mana'][2]} to the most mana you can have, "
        f"{percent(bonus.intelligence_spell)} to the damage of your spells and "
        f"{percent(bonus.intelligence_enchantment)} to the fire or ice damage of your sword.",
        1,
    )


def _patience(spec: GameSpec) -> Rule:
    m = spec.mechanics
    levels = range(2, parameter(spec, "max_attribute") + 1)
    parts = []
    for vital, limit in (("food", m.hunger), ("drink", m.thirst), ("energy", m.fatigue)):
        steps = [steps_over(limit, 1 - m.bonus.dexterity_want * (level - 1)) for level in levels]
        parts.append(f"{vital} every {listed(map(str, steps))} steps")
    return Rule(
        "attributes.patience",
        f"With dexterity {listed(map(str, levels))}, awake, you lose 1 {listed(parts)}.",
        1,
    )
