"""Stone shelters to sleep and heal in.

The player can place stone only on the faced tile, and faces a free tile only after a step in that direction. So a
shelter is a room of two or four tiles in which every open side can be faced by a step within the room.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from craftax_text_gym.agents.scripted import knowledge
from craftax_text_gym.agents.scripted.mind import Mind
from craftax_text_gym.agents.scripted.view import STEPS, UNSEEN

_SWIMMERS = frozenset({"lizard"})
"""The monsters that can cross water."""
_REACH = 7
"""The maximum distance of a room, in rows and columns."""
_SHORTLIST = 8
"""The number of rooms for which paths are computed."""
_PATIENCE = 40
"""Steps after which to look for another room."""
_LARGEST = 4
_SHAPES = (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 0), (0, 1), (1, 0), (1, 1)))


@dataclass(frozen=True, slots=True)
class Room:
    """A place for a shelter.

    Attributes:
        tiles: The tiles inside.
        price: The approximate number of steps to get there and close it.
        stones: The number of stones it needs.
    """

    tiles: frozenset[int]
    price: int
    stones: int


def gaps(mind: Mind, tiles: frozenset[int]) -> list[tuple[int, str]]:
    """The open sides of a room: (tile inside, direction)."""
    open_blocks = knowledge.free_ground(mind.spec) | _swimmable(mind)
    return [
        (tile, direction)
        for tile in tiles
        for direction, beyond in mind.neighbours(tile).items()
        if beyond not in tiles and (mind.block(beyond) in open_blocks or mind.block(beyond) == UNSEEN)
    ]


def _swimmable(mind: Mind) -> frozenset[int]:
    """The blocks that the player cannot cross, but a monster of this floor can."""
    swims = not _SWIMMERS.isdisjoint(mind.spec.floors[mind.view.floor].mobs)
    return knowledge.numbers(mind.spec, "water") if swims else frozenset()


def is_closed(mind: Mind) -> bool:
    """Whether no creature can reach the player."""
    room = _room_around(mind)
    return room is not None and not gaps(mind, room) and not (mind.occupied & room)


def _room_around(mind: Mind) -> frozenset[int] | None:
    """The connected free tiles around the player; None if there are more than four."""
    free, found, queue = knowledge.free_ground(mind.spec), {mind.here}, [mind.here]
    while queue:
        for tile in mind.neighbours(queue.pop()).values():
            if tile not in found and mind.block(tile) in free:
                found.add(tile)
                queue.append(tile)
                if len(found) > _LARGEST:
                    return None
    return frozenset(found)


def best_room(mind: Mind) -> Room | None:
    """The room near the player that can be closed soonest with the stones at hand."""
    stones = mind.view.counts["stone"]
    rooms = []
    for down in range(-_REACH, _REACH + 1):
        for right in range(-_REACH, _REACH + 1):
            for shape in _SHAPES:
                room = _assess(mind, frozenset(mind.memory.tile(down + row, right + col) for row, col in shape))
                if room and room.stones <= stones + _digs(mind, room.tiles):
                    rooms.append(room)
    rooms.sort(key=lambda room: (room.price, sorted(room.tiles)))
    return min(rooms[:_SHORTLIST], key=lambda room: room.price + _detour(mind, room), default=None)


def _detour(mind: Mind, room: Room) -> int:
    """By how much the path to a room exceeds the distance."""
    if mind.here in room.tiles:
        return 0
    path = mind.find(room.tiles.__contains__, limit=40)
    return len(path) - min(mind.map.distance(mind.here, tile) for tile in room.tiles) if path else 40


def _digs(mind: Mind, tiles: frozenset[int]) -> int:
    return sum(mind.is_block(tile, "stone") for tile in tiles)


def _assess(mind: Mind, tiles: frozenset[int]) -> Room | None:
    """A room with its price, or None if it cannot be closed."""
    walk = knowledge.free_ground(mind.spec)
    dig = knowledge.diggable(mind.spec, mind.view.tiers["pickaxe"])
    if any((mind.block(tile) not in walk and mind.block(tile) not in dig) or tile in mind.map.items for tile in tiles):
        return None
    if tiles & mind.occupied:
        return None
    open_sides = gaps(mind, tiles)
    for tile, direction in open_sides:
        beyond = tile + mind.map.offset(direction)
        if mind.block(beyond) == UNSEEN or beyond in mind.map.items:
            return None
        can_turn = mind.is_block(beyond, "water") or (tile, direction) == (mind.here, mind.view.facing)
        if not can_turn and tile - mind.map.offset(direction) not in tiles:
            return None
    digs = sum(mind.block(tile) not in walk for tile in tiles)
    distance = min(mind.map.distance(mind.here, tile) for tile in tiles)
    return Room(tiles, distance + 2 * digs + 3 * len(open_sides), len(open_sides))


def take_shelter(mind: Mind) -> str | None:
    """Take the next step towards a closed shelter.

    Returns:
        An action; None if the shelter is closed, or cannot be.
    """
    if is_closed(mind):
        return None
    for _ in range(2):
        room = _current(mind)
        if room is None:
            return None
        action = _build(mind, room)
        if action is not None:
            return action
        mind.room = None
    return None


def _current(mind: Mind) -> frozenset[int] | None:
    """The room under construction; a new one if it takes too long."""
    if mind.room is None or mind.count("building") > _PATIENCE:
        found = best_room(mind)
        mind.room = found.tiles if found else None
        mind.counters["building"] = 0
    return mind.room


def _build(mind: Mind, room: frozenset[int]) -> str | None:
    if mind.here in room:
        return _close(mind, room)
    path = mind.find(room.__contains__, limit=60)
    return mind.walk(path) if path else None


def _close(mind: Mind, room: frozenset[int]) -> str | None:
    """Inside the room: dig out solid tiles, then close the open sides."""
    open_sides = set(gaps(mind, room))
    first: dict[tuple[int, str], str | None] = {(mind.here, mind.view.facing): None}
    queue = deque(first)
    while queue:
        tile, facing = queue.popleft()
        action = first[tile, facing]
        if (tile, facing) in open_sides:
            return (action or "place_stone") if mind.view.counts["stone"] else None
        for direction in STEPS:
            beyond = tile + mind.map.offset(direction)
            state = (beyond if beyond in room else tile, direction)
            if state not in first and (
                beyond in room or (tile, direction) not in open_sides or mind.is_block(beyond, "water")
            ):
                first[state] = action or _step_inside(mind, beyond, direction)
                queue.append(state)
    return None


def _step_inside(mind: Mind, tile: int, direction: str) -> str:
    if tile in mind.occupied or mind.is_free(tile) or mind.ahead != tile:
        return direction
    if mind.block(tile) in knowledge.diggable(mind.spec, mind.view.tiers["pickaxe"]):
        return "do"
    return direction
