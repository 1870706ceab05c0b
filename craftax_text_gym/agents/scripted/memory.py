"""What the agent remembers: a map a floor, where it is on it, and what it has seen there."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from craftax_text_gym.agents.scripted.view import STEPS, UNSEEN, View
from craftax_text_gym.games.spec import GameSpec

_MARGIN = 8
"""Tiles beyond the farthest that the player can walk, so that the window never leaves the map."""

_TORCHLIGHT = 2
"""Tiles from a torch, in rows and in columns, that it is sure to light."""
_HAUNTING = 400
"""How long a tile that refused a step is left alone: the game keeps some tiles of creatures that are gone."""


def side_of(spec: GameSpec) -> int:
    """The length of a map's side on which a player that starts in the middle cannot walk off."""
    return 2 * (max(spec.map_size) + _MARGIN)


@dataclass(slots=True)
class FloorMap:
    """A floor as it is remembered. A tile is a number: row times `side` plus column.

    Attributes:
        side: Tiles in a row.
        blocks: The block number of each tile, `UNSEEN` where it was never seen.
        items: Tile -> label of what lies there.
        sightings: Creature label -> (tile, tick) where it was last seen.
        planted: Tile -> tick at which a sapling was planted there.
        haunted: Tile -> tick until which nobody can step on it, though nobody is seen there.
        shunned: Tile -> tick until which it is not to be tried again.
    """

    side: int
    blocks: bytearray
    items: dict[int, str] = field(default_factory=dict)
    sightings: dict[str, tuple[int, int]] = field(default_factory=dict)
    planted: dict[int, int] = field(default_factory=dict)
    haunted: dict[int, int] = field(default_factory=dict)
    shunned: dict[int, int] = field(default_factory=dict)

    @classmethod
    def empty(cls, side: int) -> FloorMap:
        """A floor of which nothing is known."""
        return cls(side, bytearray([UNSEEN]) * (side * side))

    def offset(self, direction: str) -> int:
        """What a step in a direction adds to a tile's number."""
        down, right = STEPS[direction]
        return down * self.side + right

    def distance(self, a: int, b: int) -> int:
        """Rows plus columns between two tiles."""
        (row, column), (other_row, other_column) = divmod(a, self.side), divmod(b, self.side)
        return abs(row - other_row) + abs(column - other_column)

    def record(self, view: View, here: int) -> None:
        """Copy what is in view.

        Args:
            view: What is seen.
            here: The player's tile.
        """
        for down, right, label in view.items:
            self.items[here + down * self.side + right] = label
        rows, columns = view.spec.window
        corner = here - rows // 2 * self.side - columns // 2
        for row in range(rows):
            seen = view.blocks[row * columns : (row + 1) * columns]
            start = corner + row * self.side
            if UNSEEN not in seen:
                self.blocks[start : start + columns] = seen
            else:
                self._record_gaps(view, seen, start)

    def _record_gaps(self, view: View, seen: bytes, start: int) -> None:
        """Copy a row in which something is unseen. Where there is light, only what is beyond the world is unseen."""
        outside = view.spec.block_index["out_of_bounds"]
        is_lit = not view.spec.floors[view.floor].dark
        for tile, block in enumerate(seen, start):
            if block != UNSEEN:
                self.blocks[tile] = block
            elif self.blocks[tile] == UNSEEN and (is_lit or self._is_by_torch(tile)):
                self.blocks[tile] = outside

    def _is_by_torch(self, tile: int) -> bool:
        """Whether a torch would show what is on a tile."""
        side = self.side
        return any(
            self.items.get(tile + down * side + right) == "torch"
            for down in range(-_TORCHLIGHT, _TORCHLIGHT + 1)
            for right in range(-_TORCHLIGHT, _TORCHLIGHT + 1)
        )


class Memory:
    """The maps and the player's place on them, kept up to date by comparing each text with what was known.

    Attributes:
        view: The last observation.
        tick: Steps since the episode began.
        here: The player's tile on the floor's map.
        floors: Floor number -> map.
        potions: Colour -> the vital that the potion was seen to raise, `""` if none.
    """

    def __init__(self, view: View) -> None:
        """Begin an episode.

        Args:
            view: Its first observation.
        """
        self.view = view
        self.tick = 0
        self._side = side_of(view.spec)
        self._top: dict[int, int] = {}
        self._bottom: dict[int, int] = {}
        self.floors: dict[int, FloorMap] = {}
        self.potions: dict[str, str] = {}
        self.here = self._enter(view.floor, from_above=True)
        self._record()

    @property
    def map(self) -> FloorMap:
        """The map of the floor on which the player is."""
        return self.floors[self.view.floor]

    def observe(self, view: View, action: str) -> None:
        """Take in what an action led to.

        Args:
            view: The observation after it.
            action: The name of the action that was asked for.
        """
        before, self.view = self.view, view
        self.tick += 1
        if view.floor != before.floor:
            self._leave(before.floor, down=view.floor > before.floor)
            self.here = self._enter(view.floor, from_above=view.floor > before.floor)
        elif action in STEPS and self._has_moved(action):
            self.here += self.map.offset(action)
        elif action in STEPS and "something unseen" in view.feedback[0]:
            self._refused(self.here + self.map.offset(action))
        elif action == "place_plant" and view.counts["sapling"] < before.counts["sapling"]:
            self.map.planted[self.here + self.map.offset(view.facing)] = self.tick
        elif action == "do" and before.faces_unseen and view.faces_unseen:
            self._dug_blindly(before)
        elif action.startswith("drink_potion_"):
            self.potions[action.removeprefix("drink_potion_")] = _raised(before, view)
        self._record()

    def ghosts(self) -> Container[int]:
        """The tiles on which nobody is seen and nobody can step."""
        haunted = self.map.haunted
        for tile in [tile for tile, until in haunted.items() if until < self.tick]:
            del haunted[tile]
        return haunted

    def tile(self, down: int, right: int) -> int:
        """The tile at an offset from the player."""
        return self.here + down * self._side + right

    def ahead(self) -> int:
        """The tile that the player faces."""
        return self.here + self.map.offset(self.view.facing)

    def ladder(self, direction: str) -> int | None:
        """The tile of this floor's ladder, `"up"` or `"down"`, if it is known."""
        known = (self._top if direction == "up" else self._bottom).get(self.view.floor)
        if known is not None and self.view.floor:
            return known
        label = f"ladder {direction}"
        return next((tile for tile, item in self.map.items.items() if item == label), None)

    def _record(self) -> None:
        self.map.record(self.view, self.here)
        for seen in self.view.creatures:
            self.map.sightings[seen.mob.label] = (self.tile(seen.down, seen.right), self.tick)

    def _refused(self, tile: int) -> None:
        """Remember that a tile could not be stepped on.

        In the dark there is rock, most likely, which can be dug; where all is seen, a creature that is gone.
        """
        if self.map.blocks[tile] == UNSEEN:
            self.map.blocks[tile] = self.view.spec.block_index["stone"]
        else:
            self.map.haunted[tile] = self.tick + _HAUNTING

    def _dug_blindly(self, before: View) -> None:
        """Remember what `do` came to in the dark: the way is free if something was gained, else there is none."""
        gained = any(count > before.counts[field] for field, count in self.view.counts.items())
        names = self.view.spec.block_index
        self.map.blocks[self.ahead()] = names["path"] if gained else names["out_of_bounds"]

    def _leave(self, floor: int, *, down: bool) -> None:
        (self._bottom if down else self._top)[floor] = self.here

    def _enter(self, floor: int, *, from_above: bool) -> int:
        """The tile on which one arrives: always the same ladder's; the first is put in the middle of the map."""
        if floor not in self.floors:
            self.floors[floor] = FloorMap.empty(self._side)
        ladders = self._top if from_above else self._bottom
        return ladders.setdefault(floor, self._side // 2 * (self._side + 1))

    def _has_moved(self, direction: str) -> bool:
        """Whether the step in a direction was made: the text says so, or else the ground has shifted."""
        first = self.view.feedback[0] if self.view.feedback else ""
        if first.startswith("Moved"):
            return True
        if not first.startswith("Faced"):
            return False
        return self._mismatches(self.here + self.map.offset(direction)) < self._mismatches(self.here)

    def _mismatches(self, here: int) -> int:
        """In how many tiles the view contradicts the map, were the player there."""
        rows, columns = self.view.spec.window
        corner = here - rows // 2 * self._side - columns // 2
        known = self.map.blocks
        return sum(
            block != UNSEEN != known[tile] and block != known[tile]
            for index, block in enumerate(self.view.blocks)
            for tile in (corner + index // columns * self._side + index % columns,)
        )


def _raised(before: View, after: View) -> str:
    """The vital that went up by more than a point."""
    changes: dict[str, float] = {
        "health": after.health - before.health,
        "mana": after.mana - before.mana,
        "energy": after.wants["energy"] - before.wants["energy"],
    }
    return next((name for name, change in changes.items() if change > 1), "")
