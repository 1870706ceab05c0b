"""The types of the facts about a game. Pure data: no JAX, no Craftax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from craftax_text_gym.games.mechanics import Mechanics

MobClass = Literal["melee", "passive", "ranged"]
Owner = Literal["mob", "player"]


@dataclass(frozen=True, slots=True)
class Block:
    """A kind of map tile.

    Attributes:
        name: Craftax's `BlockType` name in lower case.
        label: The words for people and language models.
        symbol: The single character that stands for it in a grid map.
        walkable: Whether the player can step onto it.
        terrain: Whether it covers the land in stretches, so that a map shows it better than a list.
    """

    name: str
    label: str
    symbol: str
    walkable: bool
    terrain: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """Something that lies on a tile (full game only).

    Attributes:
        name: Craftax's `ItemType` name in lower case.
        label: The words for people and language models.
        symbol: The single character that stands for it in a grid map.
    """

    name: str
    label: str
    symbol: str


@dataclass(frozen=True, slots=True, eq=False)
class Mob:
    """A creature.

    Attributes:
        label: The words for it.
        symbol: The single character that stands for it in a grid map.
        mob_class: Which of the engine's arrays holds it.
        type_id: Its number within that array.
        health: The health with which it is spawned.
        achievement: The achievement that its defeat (or eating it) unlocks.
        damage: What its blow does: physical, fire and ice; 0 for who does not strike.
        defence: The shares of physical, fire and ice damage that it is spared.
        shoots: The label of the projectile that it shoots, if any.
    """

    label: str
    symbol: str
    mob_class: MobClass
    type_id: int
    health: int
    achievement: str
    damage: tuple[int, int, int] = (0, 0, 0)
    defence: tuple[float, float, float] = (0, 0, 0)
    shoots: str = ""


@dataclass(frozen=True, slots=True)
class Projectile:
    """Something that flies.

    Attributes:
        label: The words for it.
        type_id: Its number in the engine.
        damage: What it does where it strikes: physical, fire and ice.
    """

    label: str
    type_id: int
    damage: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Achievement:
    """A goal that an episode can reach once.

    Attributes:
        key: Craftax's `Achievement` name in lower case, its spelling kept.
        label: The correct words for people.
        reward: What the engine pays for it.
    """

    key: str
    label: str
    reward: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an action that crafts or places consumes and gives.

    Attributes:
        action: The name of the action.
        costs: Inventory field -> amount consumed.
        gives: Inventory field -> amount (or tool tier) gained; empty when a block is placed.
        near: Blocks that must be within one tile, the diagonal included.
        limit: The count of the product at which the engine refuses, if any.
    """

    action: str
    costs: Mapping[str, int]
    gives: Mapping[str, int]
    near: tuple[str, ...] = ()
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an action may put something on the faced tile.

    Attributes:
        action: The name of the action.
        costs: Inventory field -> amount consumed.
        onto: Names of the blocks that accept it.
        becomes: The block or item that appears.
    """

    action: str
    costs: Mapping[str, int]
    onto: frozenset[str]
    becomes: str


@dataclass(frozen=True, slots=True)
class Harvest:
    """What `do` takes from a faced block.

    Attributes:
        block: The name of the block.
        tool: Inventory field of the tool that is needed, or None.
        tier: The least value of that field.
        gives: Inventory field -> amount gained.
        leaves: The block that remains.
        chance: The probability that it succeeds.
    """

    block: str
    tool: str | None
    tier: int
    gives: Mapping[str, int]
    leaves: str
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class Floor:
    """A level of the world.

    Attributes:
        label: The words for it.
        achievement: The achievement that entering it unlocks, or None.
        dark: Whether most of it lies in darkness.
        mobs: Labels of the creatures that live there.
        finds: Names of the blocks of use, or to be feared, that worlds hold there.
    """

    label: str
    achievement: str | None
    dark: bool
    mobs: tuple[str, ...]
    finds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Param:
    """A field of Craftax's `EnvParams`.

    Attributes:
        name: The field's name.
        kind: The type of its value.
        default: The value that the engine uses.
    """

    name: str
    kind: type
    default: bool | int | float


@dataclass(frozen=True, eq=False)
class GameSpec:
    """The static data of a game. Sequences are indexed by the engine's own numbers.

    Attributes:
        key: `"classic"` or `"full"`.
        title: The game's name.
        env_id: The Gymnasium id.
        window: Rows and columns that the player sees, odd both.
        symbolic_size: The length of upstream's symbolic observation.
        map_size: Rows and columns of a floor.
        max_steps: Craftax's own cap on an episode.
        actions: Action names by number.
        achievements: Achievements by number.
        blocks: Blocks by number.
        items: Items by number; only "none" in Classic.
        mobs: Creatures, every class and type.
        projectiles: Projectiles by number.
        slots: How many creatures or projectiles of a kind a floor can hold at once, in the order
            melee, passive, ranged, mobs' projectiles, player's projectiles.
        materials: Inventory fields that count things, in the order of the packed view.
        inventory_cap: The most of one thing that can be carried.
        maxima: Vital -> (base, attribute, factor): its maximum is `base + factor * attribute`.
        tools: Tool field -> labels by tier (full), or by how many are owned (Classic: one label).
        potions: Potion colours by number.
        potion_effects: What a potion may do, by the engine's number, as (vital, change).
        spells: Spells by number.
        enchantments: Enchantment names by number; index 0 is none.
        armour: Names of the armour pieces by number.
        armour_tiers: Names of the materials of armour by number; index 0 is none.
        floors: Floors by number.
        kills_to_open: How many monsters must fall on a floor before its ladder down opens.
        recipes: Crafting.
        placements: Placing.
        harvests: What `do` takes from blocks.
        params: The fields of `EnvParams` that a user may set.
        mechanics: The numbers of its rules.
    """

    key: str
    title: str
    env_id: str
    window: tuple[int, int]
    symbolic_size: int
    map_size: tuple[int, int]
    max_steps: int
    actions: tuple[str, ...]
    achievements: tuple[Achievement, ...]
    blocks: tuple[Block, ...]
    items: tuple[Item, ...]
    mobs: tuple[Mob, ...]
    projectiles: tuple[Projectile, ...]
    slots: tuple[int, int, int, int, int]
    materials: tuple[str, ...]
    inventory_cap: int
    maxima: Mapping[str, tuple[int, str, int]]
    tools: Mapping[str, tuple[str, ...]]
    potions: tuple[str, ...]
    potion_effects: tuple[tuple[str, int], ...]
    spells: tuple[str, ...]
    enchantments: tuple[str, ...]
    armour: tuple[str, ...]
    armour_tiers: tuple[str, ...]
    floors: tuple[Floor, ...]
    kills_to_open: int
    recipes: tuple[Recipe, ...]
    placements: tuple[Placement, ...]
    harvests: tuple[Harvest, ...]
    params: tuple[Param, ...]
    mechanics: Mechanics

    @cached_property
    def achievement_keys(self) -> tuple[str, ...]:
        """Achievement keys by number."""
        return tuple(achievement.key for achievement in self.achievements)

    @cached_property
    def total_reward(self) -> int:
        """The sum of all achievements' rewards."""
        return sum(achievement.reward for achievement in self.achievements)

    @cached_property
    def action_index(self) -> Mapping[str, int]:
        """Action name -> number."""
        return {name: index for index, name in enumerate(self.actions)}

    @cached_property
    def block_index(self) -> Mapping[str, int]:
        """Block name -> number."""
        return {block.name: index for index, block in enumerate(self.blocks)}

    def mob(self, mob_class: MobClass, type_id: int) -> Mob:
        """The creature of a class and type; raises `KeyError` if the engine has none."""
        return self._mob_index[mob_class, type_id]

    @cached_property
    def _mob_index(self) -> Mapping[tuple[str, int], Mob]:
        return {(mob.mob_class, mob.type_id): mob for mob in self.mobs}

    def __deepcopy__(self, memo: object) -> GameSpec:
        return self
