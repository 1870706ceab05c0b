"""What all skills share: the view, the memory, path finding and basic moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from craftax_text_gym.agents.scripted import knowledge, paths
from craftax_text_gym.agents.scripted.memory import FloorMap, Memory
from craftax_text_gym.agents.scripted.view import STEPS, UNSEEN, View
from craftax_text_gym.games.spec import GameSpec

Path = list[int]
_FAR = 250
"""The default maximum cost of a path."""
_NEAR, _TOLL = 3, 4
"""Creatures within `_NEAR` block paths; passing one costs `_TOLL` extra steps."""


class Mind:
    """The agent's state in an episode, and the moves that all skills share.

    Attributes:
        memory: The maps and the player's position.
        modes: The names of ongoing activities, such as `"drinking"` or `"sleeping"`.
        counters: Counts that skills keep between steps.
        aim: The (floor, tile) that is being explored.
        goals: Floor -> the tile to which the agent roams.
        visits: Floor -> region of the map -> tick at which it last became a goal.
        tried: The unseen tiles on which a torch was tried.
        room: The tiles of the shelter under construction.
        occupied: The tiles occupied by creatures.
    """

    def __init__(self, memory: Memory) -> None:
        """Begin an episode.

        Args:
            memory: The memory after the first observation.
        """
        self.memory = memory
        self.modes: set[str] = set()
        self.counters: dict[str, int] = {}
        self.aim: tuple[int, int] | None = None
        self.goals: dict[int, int] = {}
        self.visits: dict[int, dict[tuple[int, int], int]] = {}
        self.tried: set[int] = set()
        self.room: frozenset[int] | None = None
        self.occupied: frozenset[int] = frozenset()
        self.refresh()

    def refresh(self) -> None:
        """Update what holds for one observation only."""
        self.occupied = frozenset(self.memory.tile(seen.down, seen.right) for seen in self.view.creatures)

    # State

    @property
    def view(self) -> View:
        """The last observation."""
        return self.memory.view

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return self.memory.view.spec

    @property
    def map(self) -> FloorMap:
        """The map of this floor."""
        return self.memory.map

    @property
    def here(self) -> int:
        """The player's tile."""
        return self.memory.here

    @property
    def ahead(self) -> int:
        """The faced tile."""
        return self.memory.ahead()

    def block(self, tile: int) -> int:
        """The remembered block number of a tile."""
        return self.map.blocks[tile]

    def is_block(self, tile: int, *names: str) -> bool:
        """Whether the remembered block of a tile is one of these."""
        return self.block(tile) in knowledge.numbers(self.spec, *names)

    def neighbours(self, tile: int) -> dict[str, int]:
        """Direction -> adjacent tile."""
        return {direction: tile + self.map.offset(direction) for direction in STEPS}

    def around(self, tile: int) -> list[int]:
        """The 8 tiles around a tile."""
        side = self.map.side
        return [tile + down * side + right for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]

    def is_free(self, tile: int) -> bool:
        """Whether the player can step on a tile now."""
        return (
            self.block(tile) in knowledge.walkable(self.spec)
            and tile not in self.occupied
            and (tile not in self.map.haunted)
        )

    def done(self, *achievements: str) -> bool:
        """Whether all these achievements are unlocked."""
        return self.view.achievements.issuperset(achievements)

    def lacks(self, achievement: str) -> bool:
        """Whether the game has an achievement that is not unlocked yet."""
        return achievement not in self.view.achievements and achievement in self.spec.achievement_keys

    def hold(self, mode: str, *, start: bool, stop: bool) -> bool:
        """Switch a mode with hysteresis: it stays on from `start` until `stop`.

        Args:
            mode: The name of the mode.
            start: Whether to switch it on.
            stop: Whether to switch it off; takes precedence.

        Returns:
            Whether it is on.
        """
        if stop:
            self.modes.discard(mode)
        elif start:
            self.modes.add(mode)
        return mode in self.modes

    def count(self, name: str) -> int:
        """Add 1 to a counter and return it."""
        self.counters[name] = self.counters.get(name, 0) + 1
        return self.counters[name]

    # Paths

    def find(self, is_target: Callable[[int], bool], *, limit: int = _FAR, digging: bool = True) -> Path | None:
        """The cheapest path to a target; see `paths.find`.

        Args:
            is_target: Whether a tile is a target.
            limit: The maximum cost of the path.
            digging: Whether the path may lead through blocks to be dug or bridged.

        Returns:
            The tiles to enter in order, the target last; None if there is no path.
        """
        view = self.view
        if digging:
            costs = knowledge.costs(self.spec, view.tiers["pickaxe"], has_stone=view.counts["stone"] > 0)
        else:
            costs = knowledge.walking(self.spec)
        tolls = {tile: _TOLL for tile in self.occupied if self.map.distance(tile, self.here) <= _NEAR}
        return paths.find(
            self.map.blocks,
            self.map.side,
            self.here,
            costs,
            is_target,
            blocked=self.memory.ghosts(),
            tolls=tolls,
            limit=limit,
        )

    def find_block(self, names: Iterable[str], *, limit: int = _FAR, digging: bool = True) -> Path | None:
        """The cheapest path to a block.

        Args:
            names: The names of the blocks.
            limit: The maximum cost of the path.
            digging: As for `find`.

        Returns:
            As for `find`.
        """
        wanted = knowledge.numbers(self.spec, *names)
        blocks, shunned, tick = self.map.blocks, self.map.shunned, self.memory.tick
        if not any(number in blocks for number in wanted):
            return None
        return self.find(
            lambda tile: blocks[tile] in wanted and shunned.get(tile, 0) <= tick, limit=limit, digging=digging
        )

    def find_tile(self, tile: int, *, limit: int = _FAR, digging: bool = True) -> Path | None:
        """The cheapest path to a tile."""
        return self.find(tile.__eq__, limit=limit, digging=digging)

    # Moves

    def toward(self, tile: int) -> str:
        """The direction of an adjacent tile."""
        return next(direction for direction, other in self.neighbours(self.here).items() if other == tile)

    def use(self, path: Path, action: str = "do") -> str:
        """Follow a path, and apply an action to its last tile from beside it.

        The last tile must not be walkable: the player turns to it by trying to move there.
        """
        if len(path) > 1:
            return self.enter(path[0])
        return action if self.ahead == path[0] else self.toward(path[0])

    def walk(self, path: Path) -> str:
        """Follow a path onto its last tile."""
        return self.enter(path[0])

    def enter(self, tile: int) -> str:
        """Move onto an adjacent tile; clear or bridge it first if needed."""
        direction = self.toward(tile)
        if tile in self.occupied:
            return "do" if self.ahead == tile else direction
        if self.is_free(tile) or self.ahead != tile:
            return direction
        return "place_stone" if self.is_block(tile, "water", "lava") else "do"

    def map_has_stone(self) -> bool:
        """Whether this floor's map has stone."""
        return any(number in self.map.blocks for number in knowledge.numbers(self.spec, "stone", "stalagmite"))

    def near(self, name: str) -> bool:
        """Whether one of the 8 tiles around the player has that block."""
        return any(self.is_block(tile, name) for tile in self.around(self.here))

    def is_unseen(self, tile: int) -> bool:
        """Whether a tile was never seen."""
        return self.map.blocks[tile] == UNSEEN
