"""What the player sees, with names and types. Read from a packed row, on demand; needs neither JAX nor Craftax."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.engine.layout import DARK, HIDDEN
from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec, Mob, MobClass, Owner

_MOB_CLASSES: tuple[MobClass, MobClass, MobClass] = ("melee", "passive", "ranged")
_DEPENDENT_MAXIMA = {"food": (7, 2), "drink": (7, 2), "energy": (7, 2), "mana": (6, 3), "health": (8, 1)}
_CLASSIC_MAXIMUM = 9


@dataclass(frozen=True, slots=True)
class Thing:
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


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile of the window.

    Attributes:
        block: The label of the block, or None where it is dark.
        item: The label of what lies there, or None.
        things: The creatures and projectiles there.
    """

    block: str | None
    item: str | None
    things: tuple[Thing, ...]


def heading_name(row: int, column: int) -> str:
    """The name of a step's direction; `""` for a step that is none of the four."""
    try:
        return DIRECTIONS[OFFSETS.index((row, column))]
    except ValueError:
        return ""


class Scene:
    """What the player sees in one game at one step.

    Every property is derived from the packed row, so two scenes with equal rows are equal in everything.

    Attributes:
        spec: The game.
        row: The packed row, a scalar of `engine.layout.row_dtype(spec)`.
    """

    __slots__ = ("row", "spec")

    def __init__(self, spec: GameSpec, row: np.void) -> None:
        """Name a packed row; nothing is copied.

        Args:
            spec: The game.
            row: One element of the structured array that `Engine.read` gives.
        """
        self.spec = spec
        self.row: Any = row

    # Player

    @property
    def timestep(self) -> int:
        """Steps since the world was made."""
        return int(self.row["timestep"])

    @property
    def health(self) -> float:
        """Health; a fraction in the full game."""
        return float(self.row["health"])

    @property
    def food(self) -> int:
        """Food, 0 when starving."""
        return int(self.row["vitals"][0])

    @property
    def drink(self) -> int:
        """Drink, 0 when parched."""
        return int(self.row["vitals"][1])

    @property
    def energy(self) -> int:
        """Energy, 0 when exhausted."""
        return int(self.row["vitals"][2])

    @property
    def mana(self) -> int | None:
        """Mana, or None in Classic."""
        return int(self.row["mana"]) if self.is_full else None

    @property
    def is_full(self) -> bool:
        """Whether this is the full game."""
        return self.spec.key == "full"

    @property
    def attributes(self) -> tuple[int, int, int, int] | None:
        """Experience points, dexterity, strength, intelligence; None in Classic."""
        if not self.is_full:
            return None
        experience, dexterity, strength, intelligence = self.row["attributes"].tolist()
        return experience, dexterity, strength, intelligence

    def maximum(self, vital: str) -> int:
        """The most that a vital can be now.

        Args:
            vital: `"health"`, `"food"`, `"drink"`, `"energy"` or `"mana"`.

        Returns:
            9 in Classic; in the full game a function of the attribute behind it.
        """
        attributes = self.attributes
        if attributes is None:
            return _CLASSIC_MAXIMUM
        _, dexterity, strength, intelligence = attributes
        base, factor = _DEPENDENT_MAXIMA[vital]
        level = {"health": strength, "mana": intelligence}.get(vital, dexterity)
        return base + factor * level

    @property
    def direction(self) -> str:
        """Where the player looks: `"left"`, `"right"`, `"up"` or `"down"`."""
        return DIRECTIONS[self.row["direction"]]

    @property
    def sleeping(self) -> bool:
        """Whether the player sleeps."""
        return bool(self.row["sleeping"])

    @property
    def resting(self) -> bool:
        """Whether the player rests (full game)."""
        return bool(self.row["resting"])

    @property
    def dead(self) -> bool:
        """Whether the player has died."""
        return bool(self.row["dead"])

    @property
    def boss_defeated(self) -> bool:
        """Whether the boss is defeated (full game)."""
        return bool(self.row["boss_defeated"])

    # Belongings

    @property
    def materials(self) -> dict[str, int]:
        """Inventory field -> count, or tier for the full game's tools; zeros included."""
        return dict(zip(self.spec.materials, self.row["materials"].tolist(), strict=True))

    @property
    def potions(self) -> dict[str, int]:
        """Potion colour -> count."""
        return dict(zip(self.spec.potions, self._numbers("potions"), strict=True))

    @property
    def armour(self) -> tuple[int, ...]:
        """Tier of each armour piece, 0 for none."""
        return self._numbers("armour")

    @property
    def armour_enchantments(self) -> tuple[int, ...]:
        """Enchantment number of each armour slot, 0 for none."""
        return self._numbers("armour_enchantments")

    @property
    def weapon_enchantments(self) -> tuple[int, ...]:
        """Enchantment numbers of sword and bow, 0 for none."""
        return self._numbers("weapon_enchantments")

    @property
    def spells(self) -> tuple[str, ...]:
        """The spells that the player knows."""
        known = self._numbers("spells")
        return tuple(spell for spell, is_known in zip(self.spec.spells, known, strict=True) if is_known)

    # World

    @property
    def daylight(self) -> float:
        """0 (night) to 1 (day)."""
        return float(self.row["daylight"])

    @property
    def floor(self) -> int:
        """The floor's number; 0 in Classic."""
        return int(self.row["floor"]) if self.is_full else 0

    @property
    def ladder_open(self) -> bool:
        """Whether this floor's ladder down is open; False in Classic, which has none."""
        return self.is_full and bool(self.row["ladder_open"])

    @property
    def on_boss_floor(self) -> bool:
        """Whether the player is on the last floor of the full game."""
        return self.is_full and self.floor == len(self.spec.floors) - 1

    @property
    def boss_vulnerable(self) -> bool:
        """Whether `do` would hurt the boss now; False in Classic."""
        return self.is_full and bool(self.row["boss_vulnerable"])

    @property
    def blocks(self) -> NDArray[np.uint8]:
        """uint8 `window`: block numbers, `layout.DARK` where the player sees nothing."""
        blocks: NDArray[np.uint8] = self.row["blocks"]
        return blocks

    @property
    def items(self) -> NDArray[np.uint8]:
        """uint8 `window`: item numbers; zeros in Classic."""
        items: NDArray[np.uint8] = self.row["items"] if self.is_full else np.zeros(self.spec.window, np.uint8)
        return items

    @property
    def light(self) -> NDArray[np.float32]:
        """float32 `window`: brightness from 0 to 1; ones in Classic."""
        light: NDArray[np.float32] = self.row["light"] if self.is_full else np.ones(self.spec.window, np.float32)
        return light

    @property
    def things(self) -> tuple[Thing, ...]:
        """The creatures and projectiles in view, in the engine's order: melee, passive, ranged, shots."""
        half_rows, half_columns = self.spec.window[0] // 2, self.spec.window[1] // 2
        found = []
        for slot, (present, kind, row, column, heading_row, heading_column) in enumerate(self.row["things"].tolist()):
            if present:
                found.append(
                    self._thing(slot, kind, row - half_rows, column - half_columns, (heading_row, heading_column))
                )
        return tuple(found)

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
        half_rows, half_columns = self.spec.window[0] // 2, self.spec.window[1] // 2
        if abs(down) > half_rows or abs(right) > half_columns:
            raise IndexError(
                f"Expected an offset within {half_rows} rows and {half_columns} columns, got {(down, right)}."
            )
        index = half_rows + down, half_columns + right
        block, item = int(self.blocks[index]), int(self.items[index])
        return Tile(
            None if block == DARK else self.spec.blocks[block].label,
            self.spec.items[item].label if item else None,
            tuple(thing for thing in self.things if (thing.down, thing.right) == (down, right)),
        )

    @property
    def faced(self) -> Tile:
        """The tile that the player looks at."""
        return self.tile(*OFFSETS[self.row["direction"]])

    @property
    def underfoot(self) -> Tile:
        """The tile that the player stands on."""
        return self.tile(0, 0)

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
        row, column = self.row["position"].tolist()
        return None if row == HIDDEN else (row, column)

    @property
    def kills(self) -> int | None:
        """Monsters killed on this floor where revealed, else None; None in Classic."""
        kills = int(self.row["kills"]) if self.is_full else HIDDEN
        return None if kills == HIDDEN else kills

    @property
    def plant_ages(self) -> dict[tuple[int, int], int]:
        """(rows below, columns right of the player) -> age of the plant there, where revealed."""
        half_rows, half_columns = self.spec.window[0] // 2, self.spec.window[1] // 2
        ages = self.row["plant_age"]
        return {
            (int(row) - half_rows, int(column) - half_columns): int(ages[row, column])
            for row, column in np.argwhere(ages != HIDDEN)
        }

    @property
    def potion_effects(self) -> dict[str, tuple[str, int]] | None:
        """Potion colour -> (vital, change) where revealed, else None; None in Classic."""
        numbers = self._numbers("potion_effects")
        if not numbers or HIDDEN in numbers:
            return None
        effects = self.spec.potion_effects
        return {colour: effects[number] for colour, number in zip(self.spec.potions, numbers, strict=True)}

    def _numbers(self, field: str) -> tuple[int, ...]:
        return tuple(self.row[field].tolist()) if self.is_full else ()

    def _unlocked(self, field: str) -> tuple[str, ...]:
        keys = self.spec.achievement_keys
        return tuple([keys[index] for index in np.flatnonzero(self.row[field]).tolist()])

    def _thing(self, slot: int, kind: int, down: int, right: int, heading: tuple[int, int]) -> Thing:
        health = float(self.row["mob_health"][slot])
        for group, size in enumerate(self.spec.slots):
            if slot < size:
                break
            slot -= size
        if group < len(_MOB_CLASSES):
            mob = self.spec.mob(_MOB_CLASSES[group], kind)
            return Thing(mob.label, down, right, None, "", None if health == HIDDEN else health, mob)
        owner: Owner = "mob" if group == len(_MOB_CLASSES) else "player"
        label = self.spec.projectiles[kind].label
        return Thing(label, down, right, owner, heading_name(*heading), None, None)
