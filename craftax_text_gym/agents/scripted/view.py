"""What one observation says, with names and types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec, Mob

UNSEEN = 255
"""What stands for a block that is dark, or that something covers."""

STEPS: Mapping[str, tuple[int, int]] = dict(zip(DIRECTIONS[1:], OFFSETS[1:], strict=True))
"""Direction -> (row, column) step."""


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature in view.

    Attributes:
        mob: What it is.
        down: Rows below the player.
        right: Columns right of the player.
    """

    mob: Mob
    down: int
    right: int

    @property
    def distance(self) -> int:
        """Steps to it, as if nothing stood in the way."""
        return abs(self.down) + abs(self.right)

    @property
    def is_hostile(self) -> bool:
        """Whether it strikes or shoots."""
        return self.mob.mob_class != "passive"


@dataclass(frozen=True, slots=True)
class Shot:
    """A projectile in view.

    Attributes:
        down: Rows below the player.
        right: Columns right of the player.
        heading: The name of the direction in which it flies.
        is_own: Whether the player shot it.
    """

    down: int
    right: int
    heading: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class View:
    """What one observation says.

    Attributes:
        spec: The game that is played.
        feedback: What the last action did, in sentences.
        health: Health.
        wants: Food, drink and energy by name.
        mana: Mana; 0 in Classic.
        maxima: The most of each vital.
        daylight: 0 (night) to 1 (day).
        is_idle: Whether the player sleeps or rests, so that no action counts.
        facing: The name of the direction in which the player looks.
        faces_unseen: Whether what the player faces cannot be seen.
        floor: The floor's number.
        ladder_open: Whether the ladder down is open.
        necromancer_vulnerable: Whether the necromancer can be hurt now.
        experience: Experience points to spend.
        levels: Attribute -> its level.
        spells: The spells that are known.
        counts: What is carried, by inventory field; tools are in `tiers`.
        tiers: `"pickaxe"`, `"sword"` and `"bow"` -> tier, 0 for none.
        armour: The tier of each piece, 0 for none.
        enchanted: What bears an enchantment -> its name: `"sword"`, `"bow"` or an armour piece.
        potions: Colour -> count.
        blocks: Block numbers of the window, row by row; `UNSEEN` in the dark.
        items: (rows down, columns right, label) of what lies on tiles.
        creatures: The creatures in view.
        shots: The projectiles in view.
        achievements: The achievements that are unlocked.
        actions: The actions that would do something now.
    """

    spec: GameSpec
    feedback: tuple[str, ...]
    health: float
    wants: Mapping[str, int]
    mana: int
    maxima: Mapping[str, int]
    daylight: float
    is_idle: bool
    facing: str
    faces_unseen: bool
    floor: int
    ladder_open: bool
    necromancer_vulnerable: bool
    experience: int
    levels: Mapping[str, int]
    spells: tuple[str, ...]
    counts: Mapping[str, int]
    tiers: Mapping[str, int]
    armour: tuple[int, ...]
    enchanted: Mapping[str, str]
    potions: Mapping[str, int]
    blocks: bytes
    items: tuple[tuple[int, int, str], ...]
    creatures: tuple[Creature, ...]
    shots: tuple[Shot, ...]
    achievements: frozenset[str]
    actions: frozenset[str]

    def has(self, costs: Mapping[str, int]) -> bool:
        """Whether all of that is carried."""
        return all(self.counts.get(field, 0) >= amount for field, amount in costs.items())

    @property
    def enemies(self) -> tuple[Creature, ...]:
        """The creatures that strike or shoot."""
        return tuple([seen for seen in self.creatures if seen.is_hostile])
