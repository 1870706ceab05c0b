"""Gather materials, craft and place things, by the game's recipes: missing materials are gathered first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from craftax_text_gym.agents.scripted import knowledge
from craftax_text_gym.agents.scripted.exploring import explore, wander
from craftax_text_gym.agents.scripted.mind import Mind
from craftax_text_gym.games.spec import GameSpec, Harvest, Recipe

_MATERIALS = ("wood", "stone", "iron", "diamond")
_STATION_REACH = 14
"""The distance up to which to return to a table rather than place a new one."""
_STATIONS = {"crafting_table": "place_table", "furnace": "place_furnace"}


@lru_cache
def recipe(spec: GameSpec, action: str) -> Recipe:
    """The recipe of an action."""
    return next(made for made in spec.recipes if made.action == action)


@lru_cache
def placing_costs(spec: GameSpec, action: str) -> Mapping[str, int]:
    """The materials that an action consumes to place something."""
    return next(placement.costs for placement in spec.placements if placement.action == action)


@lru_cache
def harvests(spec: GameSpec, field: str) -> tuple[Harvest, ...]:
    """The harvests that always yield a material."""
    return tuple([harvest for harvest in spec.harvests if field in harvest.gives and harvest.chance == 1])


def obtain(mind: Mind, field: str, amount: int) -> str | None:
    """Take the next step towards having an amount of a material.

    Returns:
        An action, or None if there is enough, or no known way to get more.
    """
    if mind.view.counts[field] >= min(amount, mind.spec.inventory_cap):
        return None
    sources = harvests(mind.spec, field)
    tier = min((knowledge.required_tier(source) for source in sources), default=0)
    if mind.view.tiers["pickaxe"] < tier:
        return make(mind, f"make_{_MATERIALS[tier - 1]}_pickaxe")
    path = mind.find_block([source.block for source in sources])
    return mind.use(path) if path else explore(mind)


def make(mind: Mind, action: str) -> str | None:
    """Take the next step towards crafting something: gather materials, go to the station, craft.

    Returns:
        An action, or None if no step is possible.
    """
    made = recipe(mind.spec, action)
    for field, amount in made.costs.items():
        if mind.view.counts[field] < amount:
            return obtain(mind, field, amount)
    return _stand_near(mind, made.near) or action


def gather(mind: Mind, costs: Mapping[str, int]) -> str | None:
    """Take the next step towards having the materials; None if they are there or out of reach."""
    for field, amount in costs.items():
        if mind.view.counts[field] < amount:
            return obtain(mind, field, amount)
    return None


def _stand_near(mind: Mind, stations: tuple[str, ...]) -> str | None:
    """Go to the stations, or place them; None if all are near the player."""
    missing = [station for station in stations if not mind.near(station)]
    if not missing:
        return None
    if len(missing) == len(stations):
        path = mind.find_block([stations[0]], limit=_STATION_REACH)
        if path:
            return mind.walk(path)
    return place(mind, _STATIONS[missing[0]], keep_near=None if len(missing) == len(stations) else stations[0])


def place(mind: Mind, action: str, *, keep_near: str | None = None) -> str | None:
    """Place something near the player.

    Args:
        mind: The agent's mind.
        action: The action that places it.
        keep_near: The name of a block near which the player must stay.

    Returns:
        An action, or None if the materials are out of reach.
    """
    costs = placing_costs(mind.spec, action)
    if not mind.view.can_afford(costs):
        return gather(mind, costs)
    if action in mind.view.actions and not mind.view.faces_unseen:
        return action
    diggable = knowledge.diggable(mind.spec, mind.view.tiers["pickaxe"])
    if mind.block(mind.ahead) in diggable and mind.ahead not in mind.occupied:
        return "do"
    sides = mind.neighbours(mind.here)
    for direction, tile in sides.items():
        if mind.block(tile) in diggable and tile not in mind.occupied:
            return direction
    for direction, tile in sides.items():
        stays = keep_near is None or any(mind.is_block(other, keep_near) for other in mind.around(tile))
        if mind.is_free(tile) and stays:
            return direction
    return wander(mind)
