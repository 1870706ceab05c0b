"""The floors of the full game below ground: prepare, fight, loot, find the way down."""

from __future__ import annotations

from craftax_text_gym.agents.scripted import crafting, needs
from craftax_text_gym.agents.scripted.exploring import explore, roam, wander
from craftax_text_gym.agents.scripted.fighting import hunt
from craftax_text_gym.agents.scripted.health import is_hurt
from craftax_text_gym.agents.scripted.mind import Mind
from craftax_text_gym.agents.scripted.shelter import is_closed

_SUPPLIES = {"wood": 16, "stone": 30}
"""Amounts to carry down; restocked when less than half is left."""
_TORCHES, _ARROWS = 8, 24
"""How many to make before the first descent."""
_PLANT_PATIENCE, _ARMOUR_PATIENCE = 2500, 5000
"""The tick after which the agent stops waiting for the plant, or for iron for armour."""
_TORCH_SPACING = 3
"""The minimum distance between torches, in rows and columns."""
_HUNT_HEALTH = 6
"""The minimum health to hunt a monster."""
_PARCHED = 4
"""Food or drink at which to leave the floor for some."""
_ESCAPE = 14
"""The longest path to the ladder up when hurt."""
_SIEGE = 1500
"""The total number of steps to wait on the ladder up, per floor."""


def equip(mind: Mind) -> str | None:
    """Before the first descent: torches, an arrow, armour, and supplies."""
    counts = mind.view.counts
    for field, amount in _SUPPLIES.items():
        if mind.hold(f"stocking {field}", start=counts[field] < amount // 2, stop=counts[field] >= amount):
            action = crafting.obtain(mind, field, amount)
            if action:
                return action
    action = upgrade(mind)
    if action:
        return action
    if counts["torches"] < _TORCHES and mind.view.floor == 0:
        action = crafting.make(mind, "make_torch")
        if action:
            return action
    if counts["arrows"] < _ARROWS:
        action = crafting.make(mind, "make_arrow")
        if action:
            return action
    if mind.lacks("place_torch") and counts["torches"]:
        return crafting.place(mind, "place_torch")
    return upgrade(mind) or _armour(mind)


def _armour(mind: Mind) -> str | None:
    """Make a full set of iron armour, until iron takes too long to find."""
    if min(mind.view.armour) >= 1 or mind.memory.tick > _ARMOUR_PATIENCE:
        return None
    if mind.view.counts["iron"] < 3:
        return crafting.obtain(mind, "iron", 3)
    return crafting.make(mind, "make_iron_armour")


def upgrade(mind: Mind) -> str | None:
    """Make armour and diamond tools as soon as the materials are at hand."""
    counts, tiers = mind.view.counts, mind.view.tiers
    table = 0 if mind.near("crafting_table") else 2
    if tiers["sword"] < 4 and counts["diamond"] >= 2 and counts["wood"] >= 1 + table:
        return crafting.make(mind, "make_diamond_sword")
    if tiers["pickaxe"] < 4 and counts["diamond"] >= 3 and counts["wood"] >= 1 + table:
        return crafting.make(mind, "make_diamond_pickaxe")
    if min(mind.view.armour) < 1 and counts["iron"] >= 3 and counts["coal"] >= 3 and counts["wood"] >= table:
        return crafting.make(mind, "make_iron_armour")
    if min(mind.view.armour) < 2 and counts["diamond"] >= 3 and counts["wood"] >= table and tiers["pickaxe"] == 4:
        return crafting.make(mind, "make_diamond_armour")
    if counts["torches"] < 4 and counts["coal"] and counts["wood"] >= 1 + table and mind.view.floor:
        return crafting.make(mind, "make_torch")
    return None


def await_plant(mind: Mind) -> str | None:
    """Stay above ground until the planted sapling has been eaten."""
    if mind.lacks("eat_plant") and mind.map.planted and mind.memory.tick < _PLANT_PATIENCE:
        return explore(mind) or roam(mind)
    return None


def light(mind: Mind) -> str | None:
    """On a dark floor, place a torch where none is near and a tile is unseen."""
    if not mind.spec.floors[mind.view.floor].dark or "place_torch" not in mind.view.actions:
        return None
    if mind.view.faces_unseen:
        return _light_blindly(mind)
    side, ahead = mind.map.side, mind.ahead
    near = [
        ahead + down * side + right
        for down in range(-_TORCH_SPACING, _TORCH_SPACING + 1)
        for right in range(-_TORCH_SPACING, _TORCH_SPACING + 1)
    ]
    if any(mind.map.items.get(tile) == "torch" for tile in near):
        return None
    return "place_torch" if any(mind.is_unseen(tile) for tile in near) else None


def _light_blindly(mind: Mind) -> str | None:
    """Try once to place a torch on a tile that is too dark to see."""
    if mind.ahead in mind.tried:
        return None
    mind.tried.add(mind.ahead)
    return "place_torch"


def enchant(mind: Mind) -> str | None:
    """Enchant sword and armour at the floor's table."""
    for action in ("enchant_sword", "enchant_armour"):
        if not mind.lacks(action) or mind.view.mana < 9:
            continue
        gems = (("ruby", "enchantment_table_fire"), ("sapphire", "enchantment_table_ice"))
        ready = mind.view.tiers["sword"] if action == "enchant_sword" else max(mind.view.armour)
        for gem, table in gems:
            path = mind.find_block([table]) if mind.view.counts[gem] and ready else None
            if path:
                return mind.use(path, action)
    return None


def loot(mind: Mind) -> str | None:
    """Open known chests."""
    path = mind.find_block(["chest"], limit=80)
    return mind.use(path) if path else None


def fight_on(mind: Mind) -> str | None:
    """Hunt monsters until the ladder down is open."""
    if mind.view.ladder_open or mind.view.health < _HUNT_HEALTH:
        return None
    return hunt(mind, lambda seen: seen.is_hostile, limit=25, digging=False)


def escape(mind: Mind) -> str | None:
    """Take the ladder up underfoot, if hurt or in need."""
    if not mind.view.floor:
        mind.modes.discard("retreating")
        return None
    if mind.here != mind.memory.ladder("up") or "ascend" not in mind.view.actions:
        return None
    return "ascend" if "retreating" in mind.modes or is_hurt(mind) else None


def retreat(mind: Mind) -> str | None:
    """Go up when hurt, or when food or water is low and this floor has none in sight."""
    view, ladder = mind.view, mind.memory.ladder("up")
    if not view.floor or ladder is None or mind.here == ladder:
        return None
    wants = view.wants
    thirsty = wants["drink"] <= _PARCHED and mind.find_block(("water", "fountain"), limit=80) is None
    hungry = wants["food"] <= _PARCHED and not any(not seen.is_hostile for seen in view.creatures)
    filled = wants["drink"] > _PARCHED and wants["food"] > _PARCHED
    if mind.hold("retreating", start=thirsty or hungry, stop=filled):
        path = mind.find_tile(ladder)
    elif "healing" not in mind.modes and mind.hold(
        "fleeing", start=bool(view.enemies) and is_hurt(mind), stop=not is_hurt(mind) or is_closed(mind)
    ):
        path = mind.find_tile(ladder, limit=_ESCAPE)
    else:
        return None
    return mind.walk(path) if path else None


def hold_ladder(mind: Mind) -> str | None:
    """Until the ladder down is open, fight from the ladder up, one step from safety."""
    ladder = mind.memory.ladder("up")
    if mind.view.ladder_open or ladder is None or mind.counters.get(f"held {mind.view.floor}", 0) > _SIEGE:
        return None
    if mind.here != ladder:
        path = mind.find_tile(ladder)
        return mind.walk(path) if path else None
    mind.count(f"held {mind.view.floor}")
    return "noop"


def descend(mind: Mind) -> str | None:
    """Find the ladder down, and take it in good health."""
    view, ladder = mind.view, mind.memory.ladder("down")
    if ladder is None or not view.ladder_open:
        return explore(mind) or roam(mind)
    action = _recover(mind) or needs.refill(mind)
    if action:
        return action
    if ladder != mind.here:
        path = mind.find_tile(ladder)
        return mind.walk(path) if path else explore(mind) or roam(mind)
    if is_hurt(mind) and not view.floor:
        return roam(mind)
    return "descend" if "descend" in view.actions else wander(mind)


def _recover(mind: Mind) -> str | None:
    """Wait for full health before a descent."""
    view = mind.view
    wants = min(view.wants["food"], view.wants["drink"])
    most = view.maxima["health"]
    if not mind.hold("recovering", start=view.health < most - 1, stop=view.health >= most or wants <= 2):
        return None
    return needs.behind_stone(mind, "sleep" if "sleep" in view.actions else "noop")
