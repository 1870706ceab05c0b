"""What became of an action, from what the player saw before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from craftax_text_gym.availability import kills, moves, reasons
from craftax_text_gym.games.shared import DIRECTIONS
from craftax_text_gym.games.spec import GameSpec, Placement, Recipe
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.utils.words import counted, spaced, with_article

_AWAKE = bytes(4)
_SPELLS = {"cast_fireball": "Cast a fireball.", "cast_iceball": "Cast an iceball."}
_TOUCHED = {
    "water": "Drank water.",
    "fountain": "Drank from the fountain.",
    "ripe plant": "Ate the ripe plant.",
    "chest": "Opened the chest.",
    "vulnerable necromancer": "Hurt the necromancer.",
}
_PLACED = {
    "place_stone": "Placed stone",
    "place_table": "Placed a crafting table",
    "place_furnace": "Placed a furnace",
    "place_plant": "Planted a sapling",
    "place_torch": "Placed a torch",
}
_OF_DO = ("collect_drink", "eat_plant", "eat_cow", "eat_bat", "eat_snail", "open_chest", "damage_necromancer")
"""Achievements that nothing but `do` unlocks."""


Outcome = tuple[list[str], str]
"""Sentences, none where the changes that follow say it all; and the inventory field whose change they tell, or `""`."""


def outcome(before: Scene, action: int, after: Scene, params: Mapping[str, object]) -> Outcome:
    """Say what became of an action.

    Args:
        before: What the player saw before the step.
        action: The number of the action that was asked for.
        after: What he saw after it.
        params: As for `feedback.sentences`.

    Returns:
        The outcome.
    """
    name = before.spec.actions[action]
    if before.states != _AWAKE and (before.sleeping or before.resting):
        return _unconscious(before, name, after), ""
    if name == "noop":
        return ["Waited."], ""
    if name in DIRECTIONS:
        return [moves.move(before, action, after, params)], ""
    if name == "rest" and after.resting:
        return [], ""  # even at full health, where something hit in this very step
    if not before.allows(action):
        return [f"{name} did nothing: {reasons.explain(before, action, params=params)}."], ""
    if name == "do":
        return _use(before, after, params)
    if name.startswith("place_"):
        return [_place(before, name, after)], ""
    if not _took_effect(before, name, after):
        return [f"{name} had no effect that can be seen."], ""
    if name.startswith("make_"):
        return _make(before, name, after)
    if name == "shoot_arrow":
        return [f"Shot an arrow ({after.materials['arrows']} left)."], "arrows"
    return [_SPELLS[name]] if name in _SPELLS else [], ""


def _unconscious(before: Scene, name: str, after: Scene) -> list[str]:
    state = "asleep" if before.sleeping else "resting"
    if name != "noop":
        return [f"You were {state}: {name} was not carried out."]
    goes_on = after.sleeping if before.sleeping else after.resting
    return [f"You are {state}."] if goes_on else []  # else that it ended is said


def _took_effect(before: Scene, name: str, after: Scene) -> bool:
    """Whether an action of which something unseen could decide left its mark: something spent, made or learned."""
    if name in ("sleep", "rest"):
        return True  # nothing unseen decides
    if name in _SPELLS:
        return (after.mana or 0) < (before.mana or 0)
    return (
        before.belongings != after.belongings
        or before.attributes[1:] != after.attributes[1:]
        or before.floor != after.floor
    )


def _use(before: Scene, after: Scene, params: Mapping[str, object]) -> Outcome:
    """What `do` did."""
    tile = before.faced
    if any(seen.mob for seen in tile.things):
        return kills.blows(before, after, params), ""
    if tile.block is None:
        worked = _used_the_unseen(before, after)
        return [f"do {'worked on what you face in the dark' if worked else 'had no effect that can be seen'}."], ""
    if tile.block in _TOUCHED:
        return [_TOUCHED[tile.block]], ""
    return _harvest(before, tile.block, after)


def _used_the_unseen(before: Scene, after: Scene) -> bool:
    """Whether something shows that `do` had an effect; health, mana and energy also rise by themselves."""
    counts = [(before.numbers(name), after.numbers(name)) for name in ("materials", "potions")]
    return (
        any(now > was for old, new in counts for was, now in zip(old, new, strict=True))
        or after.food > before.food
        or after.drink > before.drink
        or any(key in _OF_DO for key in after.new_achievements)
        or (after.boss_defeated and not before.boss_defeated)
        or (bool(kills.defeated(after)) and not kills.may_have_shot(before))
    )


def _harvest(before: Scene, block: str, after: Scene) -> Outcome:
    product = _products(before.spec)[block]
    if product is None:
        return [f"Destroyed the {block}."], ""
    now = after.materials[product]
    gained = now - before.materials[product]
    if gained > 0:
        source = "" if block == product else f" from the {block}"
        return [f"Collected {counted(gained, product)}{source} (now {now})."], product
    if block == "grass":
        return ["Found no sapling in the grass this time."], ""
    return [f"Removed the {block}, but you cannot carry more {product}."], ""


@lru_cache
def _products(spec: GameSpec) -> dict[str, str | None]:
    """Label of a block -> what `do` takes from it, None where it only destroys it."""
    return {
        spec.blocks[spec.block_index[harvest.block]].label: next(iter(harvest.gives), None) for harvest in spec.harvests
    }


def _place(before: Scene, name: str, after: Scene) -> str:
    placement = _placements(before.spec)[name]
    if not all(after.materials[field] < before.materials[field] for field in placement.costs):
        return f"{name} had no effect: what you face cannot be seen."
    label = spaced(placement.becomes)
    destroyed = name in ("place_table", "place_furnace") and after.faced.block not in (None, label)
    return f"{_PLACED[name]}{', and a shot destroyed it at once' if destroyed else ''}."


@lru_cache
def _placements(spec: GameSpec) -> dict[str, Placement]:
    return {placement.action: placement for placement in spec.placements}


def _make(before: Scene, name: str, after: Scene) -> Outcome:
    recipe = _recipes(before.spec)[name]
    (product, tier), *_ = recipe.gives.items()
    if product in before.spec.tools:
        return [f"Made {with_article(before.spec.tools[product][tier])}."], product
    if product == "armour":
        return [], ""
    now = after.materials[product]
    gained = now - before.materials[product]
    if gained <= 0:
        return [f"{name} gave nothing: you cannot carry more."], ""
    thing = counted(gained, product) if gained > 1 else with_article(counted(1, product).removeprefix("1 "))
    return [f"Made {thing} (now {now})." if now > gained else f"Made {thing}."], product


@lru_cache
def _recipes(spec: GameSpec) -> dict[str, Recipe]:
    return {recipe.action: recipe for recipe in spec.recipes}
