"""A typed view of what the player sees, decoded lazily from a packed row. No JAX, no Craftax."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.games.shared import ATTRIBUTES, DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec, Mob, MobClass, Owner
from craftax_text_gym.observation.layout import HIDDEN, THING_FIELDS
from craftax_text_gym.observation.row import Row

_MOB_CLASSES: tuple[MobClass, MobClass, MobClass] = ("melee", "passive", "ranged")
_NO_HEALTH = struct.pack("<f", HIDDEN)
_HEADINGS = {(row % 256, column % 256): name for (row, column), name in zip(OFFSETS, DIRECTIONS, strict=True)}
"""A projectile's step as unsigned bytes -> its name."""


class Thing(NamedTuple):
    """A creature or projectile in view.

    Attributes:
        label: The words for it.
        down: Rows below the player (negative: above).
        right: Columns right of the player (negative: left).
        owner: Whose projectile it is, or None for a creature.
        heading: `"up"`, `"down"`, `"left"` or `"right"` for a projectile, else `""`.
        health: Its health where revealed, else None.
        mob: The creature's facts, or None for a projectile.
    """

    label: str
    down: int
    right: int
    owner: Owner | None
    heading: str
    health: float | None
    mob: Mob | None


class Tile(NamedTuple):
    """One tile of the window.

    Attributes:
        block: The label of the block, or None where it is dark.
        item: The label of what lies there, or None.
        things: The creatures and projectiles there.
    """

    block: str | None
    item: str | None
    things: tuple[Thing, ...]


@lru_cache(1024)
def maxima(spec: GameSpec, attributes: tuple[int, ...]) -> dict[str, int]:
    """The maximum of each vital.

    Args:
        spec: The game.
        attributes: Experience points, dexterity, strength, intelligence; empty in Classic.

    Returns:
        Vital -> its maximum. Shared: not to be changed.
    """
    levels = dict(zip(ATTRIBUTES, attributes, strict=False))
    return {vital: base + factor * levels.get(name, 0) for vital, (base, name, factor) in spec.maxima.items()}


class Scene(Row):
    """What the player sees in one game at one step.

    Every property is derived from the packed row, so two scenes with equal rows are equal in everything.
    """

    __slots__ = ("_things",)

    def __init__(self, spec: GameSpec, data: bytes) -> None:
        """Wrap a packed row.

        Args:
            spec: The game.
            data: The row's bytes.
        """
        super().__init__(spec, data)
        self._things: tuple[Thing, ...] | None = None

    # The last step

    @property
    def reward(self) -> float:
        """The reward of the last step; 0 at a reset."""
        return float(self._values[self._at["reward"]])

    @property
    def reward_achievements(self) -> float:
        """The part of the reward from achievements."""
        return float(self._values[self._at["reward_achievements"]])

    @property
    def reward_health(self) -> float:
        """The part of the reward from the change in health."""
        return float(self._values[self._at["reward_health"]])

    @property
    def executed_action(self) -> int:
        """The action that the engine executed: noop while asleep or resting, -1 at a reset."""
        return self._number("executed_action")

    # Player

    @property
    def timestep(self) -> int:
        """Steps since the world was generated."""
        return self._number("timestep")

    @property
    def health(self) -> float:
        """Health; a fraction in the full game."""
        return float(self._values[self._at["health"]])

    @property
    def food(self) -> int:
        """Food, 0 when starving."""
        return self.numbers("vitals")[0]

    @property
    def drink(self) -> int:
        """Drink, 0 when parched."""
        return self.numbers("vitals")[1]

    @property
    def energy(self) -> int:
        """Energy, 0 when exhausted."""
        return self.numbers("vitals")[2]

    @property
    def mana(self) -> int | None:
        """Mana, or None in Classic."""
        return self._number("mana") if self.is_full else None

    @property
    def vitals(self) -> tuple[float, ...]:
        """Health, food, drink, energy and, in the full game, mana."""
        vitals: tuple[float, ...] = (self._values[self._at["health"]], *self.numbers("vitals"))
        return (*vitals, self._number("mana")) if self.is_full else vitals

    @property
    def attributes(self) -> tuple[int, ...]:
        """Experience points, dexterity, strength, intelligence; empty in Classic."""
        return self.numbers("attributes")

    @property
    def maxima(self) -> dict[str, int]:
        """The current maximum of each vital: 9 in Classic; it grows with an attribute in the full game."""
        return maxima(self.spec, self.attributes)

    @property
    def direction(self) -> str:
        """The direction the player faces: `"left"`, `"right"`, `"up"` or `"down"`."""
        return DIRECTIONS[self._number("direction")]

    @property
    def sleeping(self) -> bool:
        """Whether the player sleeps."""
        return self._flag("sleeping")

    @property
    def resting(self) -> bool:
        """Whether the player rests (full game)."""
        return self._flag("resting")

    @property
    def dead(self) -> bool:
        """Whether the player has died."""
        return self._flag("dead")

    @property
    def boss_defeated(self) -> bool:
        """Whether the boss is defeated (full game)."""
        return self._flag("boss_defeated")

    # Belongings

    @property
    def materials(self) -> dict[str, int]:
        """Inventory field -> count, or tier for the full game's tools; zeros included."""
        return dict(zip(self.spec.materials, self.numbers("materials"), strict=True))

    @property
    def potions(self) -> dict[str, int]:
        """Potion colour -> count."""
        return dict(zip(self.spec.potions, self.numbers("potions"), strict=True))

    @property
    def armour(self) -> tuple[int, ...]:
        """Tier of each armour piece, 0 for none."""
        return self.numbers("armour")

    @property
    def armour_enchantments(self) -> tuple[int, ...]:
        """Enchantment number of each armour slot, 0 for none."""
        return self.numbers("armour_enchantments")

    @property
    def weapon_enchantments(self) -> tuple[int, ...]:
        """Enchantment numbers of sword and bow, 0 for none."""
        return self.numbers("weapon_enchantments")

    @property
    def spells(self) -> tuple[str, ...]:
        """The spells that the player knows."""
        if not self.is_full:
            return ()
        return tuple([spell for spell, known in zip(self.spec.spells, self.field("spells"), strict=True) if known])

    # World

    @property
    def daylight(self) -> float:
        """0 (night) to 1 (day)."""
        return float(self._values[self._at["daylight"]])

    @property
    def floor(self) -> int:
        """The floor's number; 0 in Classic."""
        return self._number("floor") if self.is_full else 0

    @property
    def ladder_open(self) -> bool:
        """Whether this floor's ladder down is open; False in Classic, which has none."""
        return self.is_full and self._flag("ladder_open")

    @property
    def on_boss_floor(self) -> bool:
        """Whether the player is on the last floor of the full game."""
        return self.is_full and self.floor == len(self.spec.floors) - 1

    @property
    def boss_vulnerable(self) -> bool:
        """Whether `do` would hurt the boss now; False in Classic."""
        return self.is_full and self._flag("boss_vulnerable")

    @property
    def blocks(self) -> NDArray[np.uint8]:
        """uint8 `window`: block numbers, `layout.DARK` where the player sees nothing."""
        return np.frombuffer(self.field("blocks"), np.uint8).reshape(self.spec.window)

    @property
    def items(self) -> NDArray[np.uint8]:
        """uint8 `window`: item numbers; zeros in Classic."""
        if not self.is_full:
            return np.zeros(self.spec.window, np.uint8)
        return np.frombuffer(self.field("items"), np.uint8).reshape(self.spec.window)

    @property
    def light(self) -> NDArray[np.float32]:
        """float32 `window`: brightness from 0 to 1; ones in Classic."""
        if not self.is_full:
            return np.ones(self.spec.window, np.float32)
        return np.frombuffer(self.field("light"), np.float32).reshape(self.spec.window)

    @property
    def things(self) -> tuple[Thing, ...]:
        """The creatures in view, then the projectiles: each by distance, row and column, whatever their slots.

        Things that look alike in every way (kind, tile, owner, heading, revealed health) are one thing.
        """
        if self._things is None:
            self._things = _things(self.spec, self.field("things"), self.field("mob_health"))
        return self._things

    def tile(self, down: int, right: int) -> Tile:
        """What is on a tile of the window.

        Args:
            down: Rows below the player (negative: above).
            right: Columns right of the player (negative: left).

        Returns:
            The tile.

        Raises:
            IndexError: If it lies outside the window.
        """
        read = self._read
        if not (-read.half_rows <= down <= read.half_rows and -read.half_columns <= right <= read.half_columns):
            raise IndexError(
                f"Expected an offset within {read.half_rows} rows and {read.half_columns} columns, got {(down, right)}."
            )
        block, item = self.codes(down, right)
        things = self._things if self._things is not None else self.things
        if things:
            things = tuple([thing for thing in things if thing.down == down and thing.right == right])
        return Tile(read.labels[block], read.item_labels[item], things)

    @property
    def ahead(self) -> tuple[int, int]:
        """The offset of the faced tile: rows below, columns right."""
        return OFFSETS[self._number("direction")]

    @property
    def faced(self) -> Tile:
        """The faced tile."""
        return self.tile(*self.ahead)

    @property
    def underfoot(self) -> Tile:
        """The tile underfoot."""
        return self.tile(0, 0)

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """int8 `[num_actions]`, read-only: 1 where an action is available."""
        return np.frombuffer(self.field("action_mask"), np.int8)

    # Progress

    @property
    def achievements(self) -> tuple[str, ...]:
        """Keys of the achievements unlocked in this episode."""
        return self._unlocked("achievements")

    @property
    def new_achievements(self) -> tuple[str, ...]:
        """Keys of the achievements unlocked by the last step."""
        return self._unlocked("new_achievements")

    # Revealed facts

    @property
    def position(self) -> tuple[int, int] | None:
        """(row, column) on the map where revealed, else None."""
        row, column = self.numbers("position")
        return None if row == HIDDEN else (row, column)

    @property
    def kills(self) -> int | None:
        """Monsters killed on this floor where revealed, else None; None in Classic."""
        kills = self._number("kills") if self.is_full else HIDDEN
        return None if kills == HIDDEN else kills

    @property
    def plant_ages(self) -> dict[tuple[int, int], int]:
        """(rows below, columns right of the player) -> age of the plant there, where revealed."""
        field = self.field("plant_age")
        if field == self._read.no_ages:
            return {}
        ages = np.frombuffer(field, np.int32).reshape(self.spec.window)
        return {
            (row - self._read.half_rows, column - self._read.half_columns): int(ages[row, column])
            for row, column in np.argwhere(ages != HIDDEN).tolist()
        }

    @property
    def potion_effects(self) -> dict[str, tuple[str, int]] | None:
        """Potion colour -> (vital, change) where revealed, else None; None in Classic."""
        numbers = self.numbers("potion_effects")
        if not numbers or HIDDEN in numbers:
            return None
        effects = self.spec.potion_effects
        return {colour: effects[number] for colour, number in zip(self.spec.potions, numbers, strict=True)}

    def _unlocked(self, name: str) -> tuple[str, ...]:
        flags = self.field(name)
        if 1 not in flags:
            return ()
        return tuple([key for key, unlocked in zip(self.spec.achievement_keys, flags, strict=True) if unlocked])


@lru_cache(4096)
def _things(spec: GameSpec, table: bytes, health: bytes) -> tuple[Thing, ...]:
    """What is in view, from the bytes of the fields `things` and `mob_health`."""
    width, groups = len(THING_FIELDS), _groups(spec)
    present = [slot for slot, flag in enumerate(table[::width]) if flag]
    things = [
        _thing(spec, groups[slot], table[slot * width : (slot + 1) * width], health[4 * slot : 4 * slot + 4])
        for slot in present
    ]
    return tuple(sorted(dict.fromkeys(things), key=_order)) if len(things) > 1 else tuple(things)


def _order(thing: Thing) -> tuple[Any, ...]:
    """Creatures before projectiles, the nearest first; then whatever the player can tell two things apart by."""
    distance = abs(thing.down) + abs(thing.right)
    looks = thing.label, thing.owner or "", thing.heading, thing.health or 0.0
    return thing.mob is None, distance, thing.down, thing.right, *looks


@lru_cache
def _groups(spec: GameSpec) -> list[int]:
    """Index in the field `things` -> index in `GameSpec.slots`."""
    return [group for group, size in enumerate(spec.slots) for _ in range(size)]


@lru_cache(16_384)
def _thing(spec: GameSpec, group: int, raw: bytes, health: bytes) -> Thing:
    """Decode a thing; cached, for the same bytes recur.

    Args:
        spec: The game.
        group: Which of `GameSpec.slots` it lies in.
        raw: Its `THING_FIELDS`.
        health: Its float32.

    Returns:
        The thing.
    """
    _, kind, row, column, heading_row, heading_column = raw
    down, right = row - spec.window[0] // 2, column - spec.window[1] // 2
    if group < len(_MOB_CLASSES):
        mob = spec.mob(_MOB_CLASSES[group], kind)
        known = None if health == _NO_HEALTH else float(struct.unpack("<f", health)[0])
        return Thing(mob.label, down, right, None, "", known, mob)
    owner: Owner = "mob" if group == len(_MOB_CLASSES) else "player"
    heading = _HEADINGS.get((heading_row, heading_column), "")
    return Thing(spec.projectiles[kind].label, down, right, owner, heading, None, None)
