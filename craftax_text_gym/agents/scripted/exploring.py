"""Explore unseen tiles, and roam over known ground."""

from __future__ import annotations

from craftax_text_gym.agents.scripted import knowledge
from craftax_text_gym.agents.scripted.mind import Mind, Path
from craftax_text_gym.agents.scripted.view import UNSEEN

_ENOUGH_UNSEEN = 4
"""The number of unseen neighbours that makes an unseen tile worth the walk."""
_SHUNNED = 50
"""Steps for which an unseen tile beside the player is skipped after one try."""
_REGION = 7
"""The side of a map region, for roaming."""
_THERE = 2
"""The distance at which a goal counts as reached."""


def explore(mind: Mind, *, limit: int = 300, digging: bool = True) -> str | None:
    """Go to the nearest unseen tile; those in larger unseen areas come first.

    Args:
        mind: The agent's mind.
        limit: The maximum cost of the path.
        digging: Whether the path may lead through blocks to be dug or bridged.

    Returns:
        An action, or None if every reachable tile has been seen.
    """
    path = (
        _last_aim(mind, limit=limit, digging=digging)
        or frontier(mind, _ENOUGH_UNSEEN, limit=limit, digging=digging)
        or frontier(mind, 0, limit=limit, digging=digging)
    )
    mind.aim = (mind.view.floor, path[-1]) if path else None
    return mind.walk(path) if path else None


def _last_aim(mind: Mind, *, limit: int, digging: bool) -> Path | None:
    """The path to the last target while it is unseen: a new choice every step could oscillate."""
    if mind.aim is None or mind.aim[0] != mind.view.floor or not mind.is_unseen(mind.aim[1]):
        return None
    aim = mind.aim[1]
    return None if aim in mind.neighbours(mind.here).values() else mind.find_tile(aim, limit=limit, digging=digging)


def frontier(mind: Mind, enough: int, *, limit: int, digging: bool) -> Path | None:
    """The path to the nearest unseen tile with at least that many unseen neighbours."""
    blocks, shunned, tick = mind.map.blocks, mind.map.shunned, mind.memory.tick

    def is_target(tile: int) -> bool:
        if blocks[tile] != UNSEEN or shunned.get(tile, 0) > tick:
            return False
        return sum(blocks[other] == UNSEEN for other in mind.around(tile)) >= enough

    path = mind.find(is_target, limit=limit, digging=digging)
    if path and len(path) == 1:
        mind.map.shunned[path[0]] = tick + _SHUNNED
    return path


def wander(mind: Mind) -> str:
    """Move anywhere, as a last resort."""
    sides = list(mind.neighbours(mind.here).items())
    start = mind.count("wandered") // 7 % len(sides)
    for direction, tile in sides[start:] + sides[:start]:
        if mind.is_free(tile) or mind.is_unseen(tile):
            return direction
    for direction, tile in sides:
        if mind.block(tile) in knowledge.diggable(mind.spec, mind.view.tiers["pickaxe"]):
            return mind.enter(tile) if tile == mind.ahead else direction
    return "noop"


def roam(mind: Mind) -> str:
    """Walk to the region visited longest ago: creatures spawn anywhere."""
    goal = mind.goals.get(mind.view.floor)
    if goal is None or mind.map.distance(goal, mind.here) <= _THERE:
        goal = mind.goals[mind.view.floor] = _stalest(mind)
    path = mind.find_tile(goal)
    if path is None:
        del mind.goals[mind.view.floor]
        return wander(mind)
    return mind.walk(path)


def _stalest(mind: Mind) -> int:
    """A walkable tile in the region that was a goal longest ago; the nearest of several."""
    side, ground = mind.map.side, knowledge.free_ground(mind.spec)
    regions = {
        (tile // side // _REGION, tile % side // _REGION): tile
        for tile in range(0, side * side, 3)
        if mind.map.blocks[tile] in ground
    }
    seen = mind.visits.setdefault(mind.view.floor, {})
    region = min(
        regions, key=lambda where: (seen.get(where, -1), mind.map.distance(regions[where], mind.here)), default=None
    )
    if region is None:
        return mind.here
    seen[region] = mind.memory.tick
    return regions[region]
