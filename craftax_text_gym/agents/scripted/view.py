"""One observation as typed data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec, Mob

UNSEEN = 255
"""The block number of tiles that are dark or covered."""

STEPS: Mapping[str, tuple[int, int]] = dict(zip(DIRECTIONS[1:], OFFSETS[1:], strict=True))
"""Direction -> (row, column) step."""


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature in view.

    Attributes:
        mob: Its kind.
        down: Rows below the player.
        right: Columns right of the player.
    """

    mob: Mob
    down: int
    right: int

    @property
    def distance(self) -> int:
        """The Manhattan distance to it."""
        return abs(self.down) + abs(self.right)

    @property
    def is_hostile(self) -> bool:
        """Whether it attacks."""
        return self.mob.mob_class != "passive"


@dataclass(frozen=True, slots=True)
class Shot:
    """A projectile in view.

    Attributes:
        down: Rows below the player.
        right: Columns right of the player.
        heading: The direction in which it flies.
        is_own: Whether the player shot it.
    """

    down: int
    right: int
    heading: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class View:
    """One observation.

    Attributes:
        spec: The game that is played.
        feedback: Sentences about what the last action did.
        health: Health.
        wants: `"food"`, `"drink"` and `"energy"` -> value.
        mana: Mana; 0 in Classic.
        maxima: Vital -> its maximum.
        daylight: 0 (night) to 1 (day).
        is_idle: Whether the player sleeps or rests, so that actions are ignored.
        facing: The direction that the player faces.
        faces_unseen: Whether the faced tile is not visible.
        floor: The number of the floor.
        ladder_open: Whether the ladder down is open.
        experience: Experience points to spend.
        counts: Inventory field -> amount; tools are in `tiers`.
        tiers: `"pickaxe"`, `"sword"` and `"bow"` -> tier, 0 for none.
        armour: The tier of each piece, 0 for none.
        potions: Colour -> count.
        blocks: Block numbers of the window, row by row; `UNSEEN` in the dark.
        items: (rows down, columns right, label) of each item.
        creatures: The creatures in view.
        shots: The projectiles in view.
        achievements: The unlocked achievements.
        actions: The actions that are, or may be, available.
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
    experience: int
    counts: Mapping[str, int]
    tiers: Mapping[str, int]
    armour: tuple[int, ...]
    potions: Mapping[str, int]
    blocks: bytes
    items: tuple[tuple[int, int, str], ...]
    creatures: tuple[Creature, ...]
    shots: tuple[Shot, ...]
    achievements: frozenset[str]
    actions: frozenset[str]

    def can_afford(self, costs: Mapping[str, int]) -> bool:
        """Whether the inventory covers the costs."""
        return all(self.counts.get(field, 0) >= amount for field, amount in costs.items())

    @property
    def enemies(self) -> tuple[Creature, ...]:
        """The creatures that attack."""
        return tuple([seen for seen in self.creatures if seen.is_hostile])
