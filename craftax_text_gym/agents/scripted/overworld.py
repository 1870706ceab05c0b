"""Skills above ground, for both games."""

from __future__ import annotations

from craftax_text_gym.agents.scripted import crafting
from craftax_text_gym.agents.scripted.exploring import explore, roam
from craftax_text_gym.agents.scripted.fighting import hunt
from craftax_text_gym.agents.scripted.knowledge import required_tier
from craftax_text_gym.agents.scripted.mind import Mind

_SAPLING_TRIES = 25
"""How often to search grass for a sapling before moving on."""
_DETOUR = 6
"""The distance up to which to fetch valuables in passing."""
_VALUABLES = {"coal": 20, "iron": 20, "diamond": 99, "sapphire": 9, "ruby": 9}
"""Material -> the amount up to which it is collected in passing."""
_ENOUGH_IN_CLASSIC = 2
_TOO_HARD = 9
"""A tier above every pickaxe."""


def sow(mind: Mind) -> str | None:
    """Search grass for a sapling, and plant it."""
    if "place_plant" in mind.view.actions and mind.lacks("place_plant"):
        return "place_plant"
    if mind.view.counts["sapling"] and mind.lacks("place_plant"):
        path = mind.find_block(("grass",), limit=40)
        return mind.walk(path) if path else None
    if not mind.lacks("collect_sapling") or mind.counters.get("grass", 0) > _SAPLING_TRIES:
        return None
    if mind.is_block(mind.ahead, "grass") and mind.ahead not in mind.occupied:
        mind.count("grass")
        return "do"
    path = mind.find_block(("grass",), limit=6, digging=False)
    return mind.walk(path) if path else None


def reap(mind: Mind) -> str | None:
    """Eat the plant once it is ripe."""
    if not mind.lacks("eat_plant"):
        return None
    path = mind.find_block(("ripe_plant",))
    if path:
        return mind.use(path)
    ripe = [tile for tile, tick in mind.map.planted.items() if mind.memory.tick >= tick + mind.spec.mechanics.ripe_age]
    path = mind.find_tile(ripe[0]) if ripe else None
    if path is None:
        return None
    return mind.walk(path) if len(path) > 1 else "noop"


def firsts(mind: Mind) -> str | None:
    """Take nearby first-time achievements: a drink, an animal, a monster."""
    if mind.lacks("collect_drink"):
        path = mind.find_block(("water", "fountain"), limit=8)
        if path:
            return mind.use(path)
    wanted = {mob.label for mob in mind.spec.mobs if mind.lacks(mob.achievement)}
    return hunt(mind, lambda seen: seen.mob.label in wanted, limit=10)


def pick_up(mind: Mind) -> str | None:
    """Collect nearby valuables."""
    pickaxe = mind.view.tiers["pickaxe"]
    names = [name for name, enough in _VALUABLES.items() if _is_of_use(mind, name, enough)]
    path = mind.find_block(names, limit=_DETOUR) if pickaxe else None
    return mind.use(path) if path else None


def _is_of_use(mind: Mind, name: str, enough: int) -> bool:
    """Whether a material can be mined and more of it is useful."""
    if mind.spec.key == "classic":
        enough = min(enough, _ENOUGH_IN_CLASSIC)
    if name not in mind.view.counts:
        return False
    tier = min((required_tier(harvest) for harvest in crafting.harvests(mind.spec, name)), default=_TOO_HARD)
    return tier <= mind.view.tiers["pickaxe"] and mind.view.counts[name] < enough


def tools(mind: Mind) -> str | None:
    """Make the wood, stone and iron tools in order."""
    pickaxe, sword = mind.view.tiers["pickaxe"], mind.view.tiers["sword"]
    if pickaxe == 0 and sword == 0 and not mind.done("place_table") and mind.view.counts["wood"] < 5:
        return crafting.obtain(mind, "wood", 5)
    if pickaxe < 1:
        return crafting.make(mind, "make_wood_pickaxe")
    if sword < 1:
        return crafting.make(mind, "make_wood_sword")
    if pickaxe < 2 and mind.hold("logging", start=mind.view.counts["wood"] < 4, stop=mind.view.counts["wood"] >= 6):
        return crafting.obtain(mind, "wood", 6)
    if pickaxe < 2 or sword < 2:
        if mind.view.counts["stone"] < 3:
            return crafting.obtain(mind, "stone", 3)
        if pickaxe < 2:
            return crafting.make(mind, "make_stone_pickaxe")
        return crafting.make(mind, "make_stone_sword")
    if mind.lacks("place_stone"):
        return crafting.place(mind, "place_stone")
    if mind.lacks("place_furnace") and mind.near("crafting_table"):
        return crafting.place(mind, "place_furnace", keep_near="crafting_table")
    if sword < 3:
        return _iron_tool(mind, "make_iron_sword")
    if pickaxe < 3:
        return _iron_tool(mind, "make_iron_pickaxe")
    return None


def _iron_tool(mind: Mind, action: str) -> str | None:
    """Make an iron tool; first gather wood and stone for a table and a furnace."""
    for field, amount in (("wood", 3), ("stone", 3)):
        if mind.view.counts[field] < amount:
            return crafting.obtain(mind, field, amount)
    return crafting.make(mind, action)


def remaining_achievements(mind: Mind) -> str | None:
    """Pursue the remaining achievements: a drink, a sapling and, in Classic, a diamond."""
    if mind.lacks("collect_drink"):
        path = mind.find_block(("water", "fountain"))
        return mind.use(path) if path else explore(mind)
    if mind.lacks("collect_sapling") or mind.lacks("place_plant"):
        mind.counters["grass"] = 0
        action = sow(mind)
        if action:
            return action
    if mind.lacks("collect_diamond") and mind.spec.key == "classic":
        action = crafting.obtain(mind, "diamond", 1)
        if action:
            return action
    return None


def idle(mind: Mind) -> str:
    """Explore, or roam."""
    return explore(mind) or roam(mind)
