"""The short form of the manual, for a system prompt: what a player needs to survive and to progress."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook.goals import rewards
from craftax_text_gym.handbook.making import torch_words
from craftax_text_gym.handbook.rule import labels, plain, steps_over
from craftax_text_gym.utils.words import counted, listed, percent, priced, spaced, with_article

_VITALS = ("food", "drink", "energy")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the short form.

    Attributes:
        text: The line.
        rules: The keys of the rules that it sums up; it has no number that is not measured for one of them.
        floor: The first floor on which it matters.
    """

    text: str
    rules: tuple[str, ...]
    floor: int = 0


def write(spec: GameSpec, lowest: int) -> str:
    """The short form.

    Args:
        spec: The game.
        lowest: The lowest floor to cover.

    Returns:
        One line per subject.
    """
    return "\n".join([f"{spec.title} in short:", *[line.text for line in lines(spec) if line.floor <= lowest]])


def lines(spec: GameSpec) -> tuple[Line, ...]:
    """The lines of the short form."""
    common = (
        _moving(spec),
        _wants(spec),
        _meals(spec),
        _sleep(spec),
        _gathering(spec),
        _placing(spec),
        *_crafting(spec),
    )
    deeper = tuple(_deeper(spec)) if len(spec.floors) > 1 else ()
    return (*common, _fighting(spec), *deeper, _goals(spec))


def _moving(spec: GameSpec) -> Line:
    lava = "Walking into lava kills. " if spec.key == "classic" else ""
    text = (
        f"left, right, up, down turn you and move you if the tile is free. {lava}do and place_ act on the tile you "
        "face."
    )
    return Line(text, ("basics.move", "basics.turn", "basics.front", "basics.lava"))


def _wants(spec: GameSpec) -> Line:
    m = spec.mechanics
    falls = ", ".join(
        [
            f"{vital} every {steps_over(limit)} steps" if vital == "food" else f"{vital} every {steps_over(limit)}"
            for vital, limit in zip(_VITALS, (m.hunger, m.thirst, m.fatigue), strict=True)
        ]
    )
    text = (
        f"You lose 1 {falls}. While one of them is 0 you lose 1 health every {steps_over(m.starvation)} steps, else "
        f"you gain 1 every {steps_over(m.recovery)}. At 0 health you die."
    )
    return Line(text, tuple([f"survival.{name}" for name in (*_VITALS, "starving", "healing", "death")]))


def _meals(spec: GameSpec) -> Line:
    m = spec.mechanics
    water = "water or a fountain" if spec.key == "full" else "water"
    animal = "an animal" if spec.key == "full" else "a cow"
    chance = next(harvest.chance for harvest in spec.harvests if harvest.block == "grass")
    text = (
        f"do on {water}: {m.drink} drink. Kill {animal} with do: {m.meal} food. do on grass: a sapling "
        f"({percent(chance)}); placed, it is ripe after {m.ripe_age} steps, then do gives {m.fruit} food."
    )
    names = ("drinking", "meat", "growing", "fruit")
    return Line(text, ("gathering.grass", *[f"survival.{name}" for name in names]))


def _sleep(spec: GameSpec) -> Line:
    m = spec.mechanics
    text = (
        f"sleep works below full energy and gives 1 energy every {steps_over(m.tiredness)} steps until it is full or "
        f"you are hit; blows on a sleeper do {plain(m.asleep_blow)} times as much. First put stone on the 4 tiles "
        "beside you."
    )
    return Line(text, tuple([f"survival.{name}" for name in ("sleep", "sleeping", "waking", "helpless", "shelter")]))


def _gathering(spec: GameSpec) -> Line:
    by_tool: dict[str, list[str]] = {}
    keys = []
    for harvest in spec.harvests:
        if harvest.chance < 1 or not harvest.gives:
            continue
        tool = "no tool"
        if harvest.tool:
            tiers = spec.tools.get(harvest.tool)
            tool = with_article(tiers[harvest.tier] if tiers else spaced(harvest.tool))
        by_tool.setdefault(tool, []).append(spaced(harvest.block))
        keys.append(f"gathering.{harvest.block}")
    parts = [f"{listed(blocks)} with {tool}" for tool, blocks in by_tool.items()]
    better = " or better" if spec.key == "full" else ""
    return Line(f"do takes {'; '.join(parts)}{better}.", tuple(keys))


def _placing(spec: GameSpec) -> Line:
    by_cost: dict[str, list[str]] = {}
    for placement in spec.placements:
        by_cost.setdefault(priced(placement.costs), []).append(placement.action.removeprefix("place_"))
    parts = [f"{', '.join(things)}: {cost}" for cost, things in by_cost.items()]
    keys = tuple([f"placing.{placement.action}" for placement in spec.placements])
    return Line(f"place_ {'; '.join(parts)}. Stone bridges water and lava.", (*keys, "placing.bridge"))


def _crafting(spec: GameSpec) -> Iterator[Line]:
    by_cost: dict[str, list[str]] = {}
    for recipe in spec.recipes:
        (field, amount), *_ = recipe.gives.items()
        made = f" ({counted(amount, field)})" if field in ("arrows", "torches") else ""
        by_cost.setdefault(priced(recipe.costs), []).append(f"{recipe.action.removeprefix('make_')}{made}")
    parts = [f"{', '.join(products)}: {cost}" for cost, products in by_cost.items()]
    keys = tuple([f"crafting.{recipe.action}" for recipe in spec.recipes])
    yield Line(
        f"make_ near a crafting table (the 8 tiles around you): {'; '.join(parts)}. What is of iron needs a furnace "
        "near, too.",
        (*keys, "crafting.near"),
    )


def _fighting(spec: GameSpec) -> Line:
    m = spec.mechanics
    kinds = ["bare-handed", "wood", "stone", "iron", "diamond"][: len(m.blows)]
    damage = ", ".join([f"{damage} {kind}" for damage, kind in zip(m.blows, kinds, strict=True)])
    text = (
        f"do strikes a creature; damage by sword: {damage}. Monsters strike from beside you every {m.strike_pause} "
        f"steps, and shoot straight from {m.shot_distances[0]} or {m.shot_distances[1]} tiles away: step aside. "
        "Zombies come at night."
    )
    return Line(text, tuple([f"fighting.{name}" for name in ("strike", "reach", "shooters", "shots", "night")]))


def _deeper(spec: GameSpec) -> Iterator[Line]:
    m, lowest = spec.mechanics, len(spec.floors) - 1
    labels_of = labels(spec, ("enchantment_table_fire", "enchantment_table_ice"))
    yield Line(
        f"descend on a ladder down works once {spec.kills_to_open} monsters of the floor are killed (on floor 0 at "
        f"once); ascend on a ladder up leads back. Each of floors 1 to {lowest} gives 1 experience, for a level_up_.",
        ("floors.down", "floors.up", "attributes.experience", "attributes.levels"),
    )
    yield Line(
        "do opens chests. The first on floor 1 holds a bow. Potions help or harm; which colour does what changes "
        "with each game.",
        ("treasure.chest", "treasure.bow", "treasure.potions"),
        1,
    )
    dark = [str(number) for number, floor in enumerate(spec.floors) if floor.dark]
    yield Line(
        f"Floors {listed(dark)} are dark: a torch lights tiles up to {torch_words(spec)} away.",
        ("light.dark", "light.torch"),
        int(dark[0]),
    )
    yield Line(
        f"The first chest on floors 3 and 4 holds a book for read_book. A spell costs {m.spell_mana} mana. enchant_ "
        f"needs a {listed([label.removesuffix(' enchantment table') for label in labels_of], 'or')} enchantment table "
        f"in front, {m.enchant_mana} mana and 1 ruby or sapphire.",
        ("treasure.books", "magic.spells", "magic.enchanting"),
        3,
    )
    yield Line("On floor 6 fight with ice, on floor 7 with fire.", ("floors.6", "floors.7", "magic.elements"), 6)
    yield Line(
        f"Floor {lowest}: kill all that rises, then do on the necromancer; {m.boss_hits} times, and you have won.",
        ("boss.summoning", "boss.hits", "boss.victory", f"floors.{lowest}"),
        lowest,
    )


def _goals(spec: GameSpec) -> Line:
    paid = rewards(spec)
    pays = listed(map(str, paid), "or")
    text = f"Each of {len(spec.achievements)} achievements pays {pays} once; health pays 0.1 a point."
    keys = tuple([f"goals.pay_{reward}" for reward in paid])
    return Line(text, ("goals.achievements", *keys, "goals.health"))
