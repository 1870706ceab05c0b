"""The constants in both games' rules. Plays in `tests/handbook` verify every entry against the engine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Loot:
    """A kind of chest loot.

    Attributes:
        fields: The inventory fields of which one is drawn.
        chance: The probability that the chest holds it.
        amounts: By field: the least and the most of it; for a tool, its tiers.
    """

    fields: tuple[str, ...]
    chance: float
    amounts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Bonus:
    """The bonus per attribute level above the first.

    Attributes:
        strength_blow: The share of a blow's physical damage.
        dexterity_arrow: The share of an arrow's damage.
        dexterity_want: The share by which hunger, thirst and fatigue slow down.
        intelligence_spell: The share of a spell's damage.
        intelligence_enchantment: The share of the damage that a sword's enchantment adds.
        intelligence_mana: The factor by which the counter of mana grows at every step.
    """

    strength_blow: float = 0
    dexterity_arrow: float = 0
    dexterity_want: float = 0
    intelligence_spell: float = 0
    intelligence_enchantment: float = 0
    intelligence_mana: float = 0


@dataclass(frozen=True, slots=True)
class Mechanics:
    """Rates, thresholds and amounts. Defaults are shared by both games; 0 where Classic lacks the mechanic.

    A counter grows by 1 a step; once it is above its limit, a point is lost or gained and it starts anew.

    Attributes:
        start: Each vital at the start of a game.
        hunger: The limit of the counter that costs food.
        thirst: The limit of the counter that costs drink.
        fatigue: The limit of the counter that costs energy.
        asleep_want: How fast hunger and thirst count while asleep.
        tiredness: The limit of the counter that gives energy while asleep.
        recovery: The limit of the counter that gives health.
        asleep_recovery: How fast it counts while asleep.
        starvation: The limit of the counter that costs health while something is lacking.
        asleep_starvation: How fast it counts while asleep.
        mana: The limit of the counter that gives mana.
        asleep_mana: How fast it counts while asleep.
        drink: Drink from a mouthful of water.
        meal: Food from a creature.
        fruit: Food from a ripe plant.
        ripe_age: The age in steps at which a plant is ripe.
        ripening_plants: How many saplings of a game ripen.
        blows: The damage of a blow by the tier of the sword; 0 is bare hands.
        strike_pause: Steps between two blows of a creature.
        shot_pause: Steps between two shots of a creature.
        shot_distances: The distances from which a creature shoots.
        chase_distance: The distance up to which a monster comes closer.
        near_spawn: Creatures that one eats appear farther away than this.
        far_spawn: Monsters appear farther away than this.
        asleep_blow: The factor on a creature's blow against a sleeper.
        torch_light: The light that a torch's loses with every tile.
        arrow: The label of the projectile that the player's own arrow is.
        spell_mana: The mana that a spell costs.
        enchant_mana: The mana that an enchantment costs.
        enchanted_blow: The share of a blow or arrow that its enchantment adds.
        armour: The share of physical damage that a piece of armour spares, by its tier.
        enchanted_armour: The share of fire or ice damage that the enchantment of one piece spares.
        boss_hits: How many blows the boss bears.
        boss_summons: How many steps after a blow monsters may rise from the graves.
        boss_reach: How near to the player the graves open.
        boss_damage: The factor on all damage done to the player on the boss's floor.
        loot: What a chest may hold.
        first_loot: Floor -> the inventory field of which the first chest on it holds one.
        bonus: What the levels of the attributes add.
    """

    start: int = 9
    hunger: int = 25
    thirst: int = 20
    fatigue: int = 30
    asleep_want: float = 0.5
    tiredness: int = 10
    recovery: int = 25
    asleep_recovery: float = 2
    starvation: int = 15
    asleep_starvation: float = 0.5
    mana: int = 0
    asleep_mana: int = 0
    drink: int = 1
    meal: int = 6
    fruit: int = 4
    ripe_age: int = 600
    ripening_plants: int = 10
    blows: tuple[int, ...] = (1, 2, 3, 5)
    strike_pause: int = 6
    shot_pause: int = 5
    shot_distances: tuple[int, int] = (4, 5)
    chase_distance: int = 9
    near_spawn: int = 3
    far_spawn: int = 9
    asleep_blow: float = 3.5
    torch_light: float = 0
    arrow: str = ""
    spell_mana: int = 0
    enchant_mana: int = 0
    enchanted_blow: float = 0
    armour: tuple[float, ...] = ()
    enchanted_armour: float = 0
    boss_hits: int = 0
    boss_summons: int = 0
    boss_reach: int = 0
    boss_damage: float = 0
    loot: tuple[Loot, ...] = ()
    first_loot: tuple[tuple[int, str], ...] = ()
    bonus: Bonus = Bonus()


CLASSIC = Mechanics()

FULL = Mechanics(
    mana=30,
    asleep_mana=2,
    blows=(1, 2, 3, 5, 8),
    torch_light=0.2,
    arrow="heavy arrow",
    spell_mana=2,
    enchant_mana=9,
    enchanted_blow=0.5,
    armour=(0, 0.1, 0.2),
    enchanted_armour=0.2,
    boss_hits=8,
    boss_summons=7,
    boss_reach=6,
    boss_damage=1.5,
    loot=(
        Loot(("torches",), 0.6, ((4, 7),)),
        Loot(("coal", "iron", "diamond", "sapphire", "ruby"), 0.6, ((1, 3), (1, 2), (1, 1), (1, 1), (1, 1))),
        Loot(("potions",), 0.5, ((1, 2),)),
        Loot(("arrows",), 0.25, ((1, 4),)),
        Loot(("pickaxe", "sword"), 0.2, ((1, 4), (1, 4))),
    ),
    first_loot=((1, "bow"), (3, "books"), (4, "books")),
    bonus=Bonus(
        strength_blow=0.25,
        dexterity_arrow=0.2,
        dexterity_want=0.125,
        intelligence_spell=0.5,
        intelligence_enchantment=0.05,
        intelligence_mana=0.25,
    ),
)
