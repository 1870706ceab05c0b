"""What every skill works with: the view, the memory, and how to get from a wish to an action."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from craftax_text_gym.agents.scripted import knowledge, paths
from craftax_text_gym.agents.scripted.memory import FloorMap, Memory
from craftax_text_gym.agents.scripted.view import STEPS, UNSEEN, View
from craftax_text_gym.games.spec import GameSpec

Path = list[int]
_FAR = 250
"""The most that a way may cost, unless a skill says otherwise."""
_NEAR, _TOLL = 3, 4
"""How far away a creature is counted as being in the way, and how many steps it costs to get past it."""


class Mind:
    """The agent's state in an episode, and the moves that all skills share.

    Attributes:
        memory: Maps and place.
        modes: What the agent is about, by name, until it is done: `"drinking"`, `"sleeping"` and so on.
        counters: Counts and ticks that skills keep between steps.
        skill: The name of the skill that decided last, for whoever watches.
        aim: The (floor, tile) that is being explored.
        goals: Floor -> the tile to which the agent roams.
        visits: Floor -> region of the map -> tick at which it became a goal.
        tried: The tiles on which a torch was tried in the dark.
        room: The tiles of the shelter that is being built.
        occupied: The tiles on which creatures stand.
    """

    def __init__(self, memory: Memory) -> None:
        """Begin an episode.

        Args:
            memory: What is known after the first observation.
        """
        self.memory = memory
        self.modes: set[str] = set()
        self.counters: dict[str, int] = {}
        self.skill = ""
        self.aim: tuple[int, int] | None = None
        self.goals: dict[int, int] = {}
        self.visits: dict[int, dict[tuple[int, int], int]] = {}
        self.tried: set[int] = set()
        self.room: frozenset[int] | None = None
        self.occupied: frozenset[int] = frozenset()
        self.refresh()

    def refresh(self) -> None:
        """Forget what held for the last observation only."""
        self.occupied = frozenset(self.memory.tile(seen.down, seen.right) for seen in self.view.creatures)

    # What is known

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
        """The number of the block that is remembered on a tile."""
        return self.map.blocks[tile]

    def is_block(self, tile: int, *names: str) -> bool:
        """Whether one of these blocks is remembered on a tile."""
        return self.block(tile) in knowledge.numbers(self.spec, *names)

    def neighbours(self, tile: int) -> dict[str, int]:
        """Direction -> the tile on that side."""
        return {direction: tile + self.map.offset(direction) for direction in STEPS}

    def around(self, tile: int) -> list[int]:
        """The 8 tiles around one."""
        side = self.map.side
        return [tile + down * side + right for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]

    def is_free(self, tile: int) -> bool:
        """Whether one can step on a tile now."""
        return (
            self.block(tile) in knowledge.walkable(self.spec)
            and tile not in self.occupied
            and (tile not in self.map.haunted)
        )

    def done(self, *achievements: str) -> bool:
        """Whether all of these are unlocked."""
        return self.view.achievements.issuperset(achievements)

    def lacks(self, achievement: str) -> bool:
        """Whether the game has it and it is not unlocked yet."""
        return achievement not in self.view.achievements and achievement in self.spec.achievement_keys

    def hold(self, mode: str, *, start: bool, stop: bool) -> bool:
        """A switch with two thresholds: on from when `start` holds until `stop` does.

        Args:
            mode: Its name.
            start: Whether it goes on.
            stop: Whether it goes off.

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

    # Ways

    def find(self, is_wanted: Callable[[int], bool], *, limit: int = _FAR, digging: bool = True) -> Path | None:
        """The cheapest way to a tile that is wanted; see `paths.find`.

        Args:
            is_wanted: Whether a tile is one to go to.
            limit: The most that the way may cost.
            digging: Whether the way may lead through what must be dug or bridged.

        Returns:
            The tiles to enter one after another, the last the wanted one; None if there is no way.
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
            is_wanted,
            blocked=self.memory.ghosts(),
            tolls=tolls,
            limit=limit,
        )

    def find_block(self, names: Iterable[str], *, limit: int = _FAR, digging: bool = True) -> Path | None:
        """The cheapest way to the nearest of some blocks.

        Args:
            names: The names of the blocks.
            limit: The most that the way may cost.
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
        """The cheapest way to a tile."""
        return self.find(tile.__eq__, limit=limit, digging=digging)

    # Moves

    def toward(self, tile: int) -> str:
        """The direction of a tile beside the player."""
        return next(direction for direction, other in self.neighbours(self.here).items() if other == tile)

    def use(self, path: Path, action: str = "do") -> str:
        """Go along a way, and do something to the last tile of it from beside it.

        The last tile must be such that one cannot step on it: one turns to it by walking against it.
        """
        if len(path) > 1:
            return self.enter(path[0])
        return action if self.ahead == path[0] else self.toward(path[0])

    def walk(self, path: Path) -> str:
        """Go along a way, onto its last tile too."""
        return self.enter(path[0])

    def enter(self, tile: int) -> str:
        """Get onto a tile beside the player: step on it, or make a way first."""
        direction = self.toward(tile)
        if tile in self.occupied:
            return "do" if self.ahead == tile else direction
        if self.is_free(tile) or self.ahead != tile:
            return direction
        return "place_stone" if self.is_block(tile, "water", "lava") else "do"

    def map_has_stone(self) -> bool:
        """Whether stone is known on this floor."""
        return any(number in self.map.blocks for number in knowledge.numbers(self.spec, "stone", "stalagmite"))

    def near(self, name: str) -> bool:
        """Whether a block of that name is one of the 8 around."""
        return any(self.is_block(tile, name) for tile in self.around(self.here))

    def is_unseen(self, tile: int) -> bool:
        """Whether a tile was never seen."""
        return self.map.blocks[tile] == UNSEEN
