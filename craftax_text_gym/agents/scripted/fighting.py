"""Attack what comes near, and dodge projectiles."""

from __future__ import annotations

from collections.abc import Callable

from craftax_text_gym.agents.scripted.health import is_hurt
from craftax_text_gym.agents.scripted.mind import Mind
from craftax_text_gym.agents.scripted.view import STEPS, Creature

_PATIENCE = 3
"""How many steps in a row to wait for a monster at distance 2."""
_REACH = 3
"""The distance up to which to charge a ranged monster."""
_ARROW_REACH = 5
"""The range of arrows that is worth a shot."""
_IN_SIGHT = 6
"""The distance up to which a monster straight ahead is walled off."""
_OPPOSITE = {"left": "right", "right": "left", "up": "down", "down": "up"}


def strike(mind: Mind) -> str | None:
    """Attack an adjacent monster; the faced one first."""
    beside = [seen for seen in mind.view.enemies if seen.distance == 1]
    if not beside:
        return None
    tiles = [mind.memory.tile(seen.down, seen.right) for seen in beside]
    if mind.ahead in tiles:
        return "do"
    return mind.toward(tiles[0])


def dodge(mind: Mind) -> str | None:
    """Step aside from a projectile that would hit in this step."""
    for shot in mind.view.shots:
        down, right = STEPS[shot.heading]
        if shot.is_own or (shot.down + down, shot.right + right) != (0, 0):
            continue
        for direction, tile in mind.neighbours(mind.here).items():
            if direction not in (shot.heading, _OPPOSITE[shot.heading]) and mind.is_free(tile):
                return direction
    return None


def await_blow(mind: Mind) -> str | None:
    """Wait for a monster at distance 2, so that the player strikes first."""
    close = [seen for seen in mind.view.enemies if seen.mob.mob_class == "melee" and seen.distance == 2]
    if not close or not any(_can_come(mind, seen) for seen in close):
        mind.counters["waited"] = 0
        return None
    if mind.count("waited") > _PATIENCE:
        return None
    return "noop"


def shoot(mind: Mind) -> str | None:
    """Shoot an arrow at a monster in the line of fire that is not adjacent."""
    if "shoot_arrow" not in mind.view.actions:
        return None
    step = mind.map.offset(mind.view.facing)
    targets = {mind.memory.tile(seen.down, seen.right) for seen in mind.view.enemies}
    tile = mind.ahead
    for distance in range(1, _ARROW_REACH + 1):
        if tile in targets:
            return "shoot_arrow" if distance > 1 else None
        if not mind.is_free(tile) and not mind.is_block(tile, "water"):
            return None
        tile += step
    return None


def wall_off(mind: Mind) -> str | None:
    """When hurt, place a stone in front of a monster straight ahead, and heal behind it."""
    if (
        "retreating" in mind.modes
        or not is_hurt(mind)
        or "place_stone" not in mind.view.actions
        or mind.view.faces_unseen
    ):
        return None
    down, right = STEPS[mind.view.facing]
    for seen in mind.view.enemies:
        ahead, aside = seen.down * down + seen.right * right, seen.down * right + seen.right * down
        if 1 < ahead <= _IN_SIGHT and aside == 0 and not mind.is_block(mind.ahead, "water", "lava"):
            mind.room = None
            mind.modes.add("healing")
            return "place_stone"
    return None


def confront(mind: Mind) -> str | None:
    """Charge a ranged monster nearby; above ground only for the achievement."""
    if not mind.view.floor and mind.done("defeat_skeleton"):
        return None
    ladder = mind.memory.ladder("up")
    if ladder is not None and not mind.view.ladder_open and mind.map.distance(mind.here, ladder) <= _REACH:
        return None
    return hunt(mind, _is_in_line, limit=_REACH, digging=False)


def _is_in_line(seen: Creature) -> bool:
    """Whether it is a ranged monster in a straight line: from a diagonal the player must turn first, too late."""
    return seen.mob.mob_class == "ranged" and seen.distance <= _REACH and 0 in (seen.down, seen.right)


def _can_come(mind: Mind, seen: Creature) -> bool:
    """Whether a free tile lies between the player and a creature at distance 2."""
    side = mind.neighbours(mind.here).values()
    tile = mind.memory.tile(seen.down, seen.right)
    return any(mind.is_free(between) and tile in mind.neighbours(between).values() for between in side)


def hunt(mind: Mind, is_prey: Callable[[Creature], bool], *, limit: int = 40, digging: bool = True) -> str | None:
    """Go to the nearest matching creature in view, and attack it.

    Args:
        mind: The agent's mind.
        is_prey: Whether a creature matches.
        limit: The maximum cost of the path.
        digging: Whether the path may lead through blocks to be dug or bridged.

    Returns:
        An action, or None if no such creature can be reached.
    """
    prey = {mind.memory.tile(seen.down, seen.right) for seen in mind.view.creatures if is_prey(seen)}
    path = mind.find(prey.__contains__, limit=limit, digging=digging) if prey else None
    return mind.use(path) if path else None
