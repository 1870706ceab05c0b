"""Food, drink, sleep and health."""

from __future__ import annotations

from craftax_text_gym.agents.scripted.crafting import obtain
from craftax_text_gym.agents.scripted.exploring import explore, roam
from craftax_text_gym.agents.scripted.fighting import hunt
from craftax_text_gym.agents.scripted.health import is_hurt
from craftax_text_gym.agents.scripted.mind import Mind
from craftax_text_gym.agents.scripted.shelter import is_closed, take_shelter
from craftax_text_gym.agents.scripted.view import Creature

_LOW = 4
"""Food or drink at which to look for more."""
_NEAR_BY = 6
"""The distance up to which to fetch water before being thirsty."""
_THERE = 2
"""The distance to a creature's last sighting at which it counts as gone."""
_TIRED, _TIRED_AT_NIGHT = 3, 6
"""Energy at which to go to sleep."""
_NIGHT, _BRIGHT = 0.3, 0.5
"""Daylight below which it is night, and above which a nap in the open is safe enough."""
_WELL = 7
"""Health at which to stop healing above ground, and the minimum for a nap in the open."""
_WALLS = 4
"""The stones that a shelter usually needs."""


def drink(mind: Mind) -> str | None:
    """Drink until full when thirsty, or when water is near."""
    have, most = mind.view.wants["drink"], mind.view.maxima["drink"]
    near = mind.find_block(("water", "fountain"), limit=_NEAR_BY, digging=False) if have <= most - 3 else None
    thirsty = mind.hold("drinking", start=have <= _LOW or near is not None, stop=have >= most)
    if not thirsty:
        return None
    path = near or mind.find_block(("water", "fountain"))
    if path:
        return mind.use(path)
    return explore(mind) if have <= _LOW else None


def eat(mind: Mind) -> str | None:
    """Eat the nearest animal or ripe plant when hungry."""
    have, most = mind.view.wants["food"], mind.view.maxima["food"]
    if not mind.hold("eating", start=have <= _LOW, stop=have >= most - 3):
        return hunt(mind, _is_animal, limit=4) if have <= most - 6 else None
    if mind.view.wants["energy"] <= 1 and have:
        return hunt(mind, _is_animal, limit=4)
    path = mind.find_block(("ripe_plant",), limit=60)
    action = hunt(mind, _is_animal, limit=30) or (mind.use(path) if path else None)
    return action or _seek_animals(mind)


def refill(mind: Mind) -> str | None:
    """Drink, eat and sleep before a descent."""
    wants, most = mind.view.wants, mind.view.maxima
    if wants["drink"] < most["drink"] - 1:
        mind.modes.add("drinking")
        return drink(mind)
    if wants["food"] < most["food"] - 3:
        mind.modes.add("eating")
        return eat(mind)
    if wants["energy"] < most["energy"] - 3:
        mind.modes.add("sleeping")
        return sleep(mind)
    return None


def _is_animal(seen: Creature) -> bool:
    return not seen.is_hostile


def _seek_animals(mind: Mind) -> str | None:
    """Go to the last sighting of an animal, else explore."""
    sightings = mind.map.sightings
    for label in [mob.label for mob in mind.spec.mobs if mob.mob_class == "passive" and mob.label in sightings]:
        tile, _ = sightings[label]
        path = mind.find_tile(tile, limit=80) if mind.map.distance(tile, mind.here) > _THERE else None
        if path:
            return mind.walk(path)
        del sightings[label]
    return explore(mind) or (None if mind.view.floor else roam(mind))


def sleep(mind: Mind) -> str | None:
    """Sleep in a shelter when tired; the first time as soon as possible."""
    view = mind.view
    energy, most = view.wants["energy"], view.maxima["energy"]
    if mind.lacks("wake_up") and energy == most - 1 and not view.creatures and view.daylight > _BRIGHT:
        return "sleep" if view.health >= _WELL else None
    nap = mind.lacks("wake_up") and energy < most and view.counts["stone"] >= _WALLS
    if not mind.hold(
        "sleeping", start=energy <= (_TIRED if view.daylight > _NIGHT else _TIRED_AT_NIGHT) or nap, stop=energy >= most
    ):
        return None
    return behind_stone(mind, "sleep")


def heal(mind: Mind) -> str | None:
    """Wait in a shelter to regain health."""
    view = mind.view
    wants = min(view.wants["food"], view.wants["drink"])
    well = view.health >= (_WELL if view.floor == 0 else view.maxima["health"] - 1) or wants <= 1
    if not mind.hold("healing", start=is_hurt(mind) and wants > 2, stop=well):
        return None
    return behind_stone(mind, "sleep" if "sleep" in view.actions else "noop")


def behind_stone(mind: Mind, action: str) -> str | None:
    """Build a shelter, then play an action in it.

    Without a shelter, `sleep` is only played at zero energy.
    """
    if is_closed(mind):
        return action
    step = take_shelter(mind)
    if step:
        return step
    if mind.view.counts["stone"] < _WALLS:
        step = obtain(mind, "stone", _WALLS + 2) if mind.view.tiers["pickaxe"] and mind.map_has_stone() else None
        if step:
            return step
    if mind.view.enemies or (action == "sleep" and mind.view.wants["energy"] > 0):
        return None
    return action
