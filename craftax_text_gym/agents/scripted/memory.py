"""The agent's memory: a map of each floor, its position, and what it has seen."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from craftax_text_gym.agents.scripted.view import STEPS, UNSEEN, View
from craftax_text_gym.games.spec import GameSpec

_MARGIN = 8
"""Tiles around the reachable area, so that the window never leaves the map."""

_TORCHLIGHT = 2
"""The distance in rows and columns that a torch is sure to light."""
_HAUNTED_STEPS = 400
"""Steps for which a tile that blocked a move is avoided: the game keeps some tiles of removed creatures occupied."""


def side_of(spec: GameSpec) -> int:
    """The side of a map that a player starting in the middle cannot leave."""
    return 2 * (max(spec.map_size) + _MARGIN)


@dataclass(slots=True)
class FloorMap:
    """The map of a floor. A tile is a number: row times `side` plus column.

    Attributes:
        side: Tiles per row.
        blocks: The block number of each tile; `UNSEEN` if it was never seen.
        items: Tile -> label of the item there.
        sightings: Creature label -> (tile, tick) of its last sighting.
        planted: Tile -> tick at which a sapling was planted there.
        haunted: Tile -> tick until which it is avoided, as it blocked a move without a visible creature.
        shunned: Tile -> tick until which exploration skips it.
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
        """A map without any seen tile."""
        return cls(side, bytearray([UNSEEN]) * (side * side))

    def offset(self, direction: str) -> int:
        """The difference of tile numbers for a step in a direction."""
        down, right = STEPS[direction]
        return down * self.side + right

    def distance(self, a: int, b: int) -> int:
        """The Manhattan distance between two tiles."""
        (row, column), (other_row, other_column) = divmod(a, self.side), divmod(b, self.side)
        return abs(row - other_row) + abs(column - other_column)

    def record(self, view: View, here: int) -> None:
        """Copy the view into the map.

        Args:
            view: The observation.
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
        """Copy a row with unseen tiles. In light, only tiles beyond the edge of the world are unseen."""
        outside = view.spec.block_index["out_of_bounds"]
        is_lit = not view.spec.floors[view.floor].dark
        for tile, block in enumerate(seen, start):
            if block != UNSEEN:
                self.blocks[tile] = block
            elif self.blocks[tile] == UNSEEN and (is_lit or self._is_by_torch(tile)):
                self.blocks[tile] = outside

    def _is_by_torch(self, tile: int) -> bool:
        """Whether a torch lights a tile."""
        side = self.side
        return any(
            self.items.get(tile + down * side + right) == "torch"
            for down in range(-_TORCHLIGHT, _TORCHLIGHT + 1)
            for right in range(-_TORCHLIGHT, _TORCHLIGHT + 1)
        )


class Memory:
    """The maps and the player's position on them, updated by comparing each observation with the last.

    Attributes:
        view: The last observation.
        tick: Steps since the start of the episode.
        here: The player's tile on the floor's map.
        floors: Floor number -> map.
        potions: Colour -> the vital that the potion raised when drunk; `""` if none.
    """

    def __init__(self, view: View) -> None:
        """Begin an episode.

        Args:
            view: The first observation.
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
        """The map of the current floor."""
        return self.floors[self.view.floor]

    def observe(self, view: View, action: str) -> None:
        """Update the memory after an action.

        Args:
            view: The observation after the action.
            action: The name of the action.
        """
        before, self.view = self.view, view
        self.tick += 1
        if view.floor != before.floor:
            self._leave(before.floor, down=view.floor > before.floor)
            self.here = self._enter(view.floor, from_above=view.floor > before.floor)
        elif action in STEPS and self._has_moved(action):
            self.here += self.map.offset(action)
        elif action in STEPS and "something unseen" in view.feedback[0]:
            self._block(self.here + self.map.offset(action))
        elif action == "place_plant" and view.counts["sapling"] < before.counts["sapling"]:
            self.map.planted[self.here + self.map.offset(view.facing)] = self.tick
        elif action == "do" and before.faces_unseen and view.faces_unseen:
            self._record_blind_dig(before)
        elif action.startswith("drink_potion_"):
            self.potions[action.removeprefix("drink_potion_")] = _raised_vital(before, view)
        self._record()

    def ghosts(self) -> Container[int]:
        """The haunted tiles of this floor; expired ones are removed."""
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
        """The tile of this floor's ladder in a direction, `"up"` or `"down"`; None if unknown."""
        known = (self._top if direction == "up" else self._bottom).get(self.view.floor)
        if known is not None and self.view.floor:
            return known
        label = f"ladder {direction}"
        return next((tile for tile, item in self.map.items.items() if item == label), None)

    def _record(self) -> None:
        self.map.record(self.view, self.here)
        for seen in self.view.creatures:
            self.map.sightings[seen.mob.label] = (self.tile(seen.down, seen.right), self.tick)

    def _block(self, tile: int) -> None:
        """Remember that a tile blocked a move.

        An unseen tile is most likely rock, which can be dug. A seen one is kept occupied by a removed creature.
        """
        if self.map.blocks[tile] == UNSEEN:
            self.map.blocks[tile] = self.view.spec.block_index["stone"]
        else:
            self.map.haunted[tile] = self.tick + _HAUNTED_STEPS

    def _record_blind_dig(self, before: View) -> None:
        """Remember the result of `do` in the dark: the tile is free if the inventory grew, else impassable."""
        gained = any(count > before.counts[field] for field, count in self.view.counts.items())
        names = self.view.spec.block_index
        self.map.blocks[self.ahead()] = names["path"] if gained else names["out_of_bounds"]

    def _leave(self, floor: int, *, down: bool) -> None:
        (self._bottom if down else self._top)[floor] = self.here

    def _enter(self, floor: int, *, from_above: bool) -> int:
        """The tile of arrival on a floor: its ladder's; the first arrival is put in the middle of the map."""
        if floor not in self.floors:
            self.floors[floor] = FloorMap.empty(self._side)
        ladders = self._top if from_above else self._bottom
        return ladders.setdefault(floor, self._side // 2 * (self._side + 1))

    def _has_moved(self, direction: str) -> bool:
        """Whether the player moved: by the feedback or, if that is unclear, by how well the view fits the map."""
        first = self.view.feedback[0] if self.view.feedback else ""
        if first.startswith("Moved"):
            return True
        if not first.startswith("Faced"):
            return False
        return self._mismatches(self.here + self.map.offset(direction)) < self._mismatches(self.here)

    def _mismatches(self, here: int) -> int:
        """The number of tiles where the view contradicts the map, if the player were on a tile."""
        rows, columns = self.view.spec.window
        corner = here - rows // 2 * self._side - columns // 2
        known = self.map.blocks
        return sum(
            block != UNSEEN != known[tile] and block != known[tile]
            for index, block in enumerate(self.view.blocks)
            for tile in (corner + index // columns * self._side + index % columns,)
        )


def _raised_vital(before: View, after: View) -> str:
    """The vital that rose by more than a point; `""` if none."""
    changes: dict[str, float] = {
        "health": after.health - before.health,
        "mana": after.mana - before.mana,
        "energy": after.wants["energy"] - before.wants["energy"],
    }
    return next((name for name, change in changes.items() if change > 1), "")
