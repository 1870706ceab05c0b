"""Every sentence that feedback can say, beside what must then be so in the engine's states."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import Mob
from craftax_text_gym.utils.words import difference, number
from tests.availability.casualties import creatures
from tests.availability.stepping import Step
from tests.worlds import floor_of

Claim = Callable[..., Any]
"""Whether a sentence is true of a step, given its words."""

CLAIMS: dict[str, Claim] = {}
"""Pattern of a sentence -> its claim."""

_FIELDS = {"torch": "torches", "arrow": "arrows", "book": "books", "rubies": "ruby"}
_TILES = {"water": "Drank water.", "fountain": "Drank from the fountain.", "chest": "Opened the chest."}


def says(pattern: str) -> Callable[[Claim], Claim]:
    """Enter a claim into the table."""

    def enter(claim: Claim) -> Claim:
        CLAIMS[pattern] = claim
        return claim

    return enter


def check(step: Step) -> list[str]:
    """Hold each sentence of a step to the engine; returns the names of their claims."""
    matched = []
    for sentence in step.told:
        found = [(pattern, match) for pattern in CLAIMS if (match := re.fullmatch(pattern, sentence))]
        assert len(found) == 1, f"{len(found)} claims for {sentence!r}"
        pattern, match = found[0]
        assert CLAIMS[pattern](step, *match.groups()), f"{sentence!r} is false in {step.told}, after {step.action}"
        matched.append(CLAIMS[pattern].__name__)
    return matched


def differences(left: Any, right: Any) -> list[str]:
    """The leaves in which two states differ, the random key aside."""
    pairs = zip(jax.tree.leaves_with_path(left), jax.tree.leaves(right), strict=True)
    names = [jax.tree_util.keystr(path) for (path, a), b in pairs if not np.array_equal(a, b)]
    return [name for name in names if "state_rng" not in name]


def faced(step: Step) -> tuple[int, int]:
    row, column = step.before.player_position + np.array(OFFSETS[int(step.before.player_direction)])
    return int(row), int(column)


def block(step: Step, state: Any) -> str:
    """The label of the faced tile's block, by the map; what the pixels alone know of the boss is added."""
    label = step.seen.spec.blocks[int(state.map[floor_of(step.seen.spec, step.before)][faced(step)])].label
    return f"vulnerable {label}" if label == "necromancer" and step.earlier.boss_vulnerable else label


def gained(step: Step, field: str) -> int:
    return int(getattr(step.after.inventory, field)) - int(getattr(step.before.inventory, field))


def owned(step: Step, field: str) -> int:
    return int(getattr(step.after.inventory, field))


def field_of(words: str) -> str:
    name = words.replace(" ", "_")
    return _FIELDS.get(name, name.removesuffix("s") if name in ("diamonds", "sapphires", "saplings") else name)


def is_awake(step: Step) -> bool:
    return not (step.before.is_sleeping or getattr(step.before, "is_resting", False))


def moved(step: Step) -> tuple[int, ...]:
    return tuple(int(x) for x in step.after.player_position - step.before.player_position)


def offset(direction: str) -> tuple[int, int]:
    return OFFSETS[DIRECTIONS.index(direction)]


def standing(step: Step) -> list[tuple[Mob, bool]]:
    """Who stood on the faced tile, and whether he died."""
    found = creatures(step.seen.spec, step.before, step.after)
    return [(creature.mob, creature.is_dead) for creature in found if creature.place == faced(step)]


# The action


@says(r"Waited\.")
def _waited(step: Step) -> bool:
    return step.action == "noop" and is_awake(step)


@says(r"You are (asleep|resting)\.")
def _goes_on(step: Step, state: str) -> bool:
    field = {"asleep": "is_sleeping", "resting": "is_resting"}[state]
    return step.action == "noop" and bool(getattr(step.before, field)) and bool(getattr(step.after, field))


@says(r"You were (asleep|resting): (\w+) was not carried out\.")
def _not_carried_out(step: Step, state: str, action: str) -> bool:
    field = {"asleep": "is_sleeping", "resting": "is_resting"}[state]
    return action == step.action and bool(getattr(step.before, field)) and not differences(step.after, step.idle())


@says(r"(\w+) did nothing: .+\.")
def _did_nothing(step: Step, action: str) -> bool:
    return action == step.action and is_awake(step) and not differences(step.after, step.idle())


@says(r"(\w+) gave nothing: you cannot carry more\.")
def _gave_nothing(step: Step, action: str) -> bool:
    product, *_ = next(recipe.gives for recipe in step.seen.spec.recipes if recipe.action == action)
    return gained(step, product) == 0 and owned(step, product) == step.seen.spec.inventory_cap


@says(r"(\w+) had no effect(?: that can be seen|: what you face cannot be seen)\.")
def _no_effect(step: Step, action: str) -> bool:
    """Which holds of all that the player sees of himself, but for what recovers or wanes by itself."""
    same = step.earlier.belongings == step.seen.belongings and step.earlier.place == step.seen.place
    return action == step.action and same and step.seen.food <= step.earlier.food


@says(r"do worked on what you face in the dark\.")
def _worked(step: Step) -> bool:
    floor = floor_of(step.seen.spec, step.before)
    return step.before.light_map[floor][faced(step)] <= 0.05 and bool(differences(step.after, step.idle()))


# Moves


@says(r"Moved (\w+)\.")
def _moved(step: Step, direction: str) -> bool:
    return direction == step.action and moved(step) == offset(direction)


@says(r"Turned (\w+): .+ is in the way\.")
def _turned(step: Step, direction: str) -> bool:
    turned = DIRECTIONS[int(step.before.player_direction)] != direction == step.action
    return turned and set(differences(step.after, step.idle())) == {".player_direction"}


@says(r"Faced (\w+); what lies there cannot be seen, nor whether you moved\.")
def _faced(step: Step, direction: str) -> bool:
    return direction == step.action and moved(step) in ((0, 0), offset(direction))


# Creatures


def _named(step: Step, words: str) -> list[tuple[Mob, bool]]:
    labels = re.split(r"(?:, | or )(?:the )?", words)
    return [(mob, is_dead) for mob, is_dead in standing(step) if mob.label in labels]


@says(r"Struck the (.+)\.")
def _struck(step: Step, words: str) -> bool:
    return step.action == "do" and bool(_named(step, words))


@says(r"Killed the ([^,]+)\.")
def _killed(step: Step, words: str) -> bool:
    return step.action == "do" and any(is_dead for _, is_dead in _named(step, words))


@says(r"Ate the (?!ripe plant)([^,]+)\.")
def _ate(step: Step, words: str) -> bool:
    return (
        any(dead and mob.mob_class == "passive" for mob, dead in _named(step, words))
        and int(step.after.player_hunger) <= 1
    )  # which nothing but a meal resets


@says(r"A shot of yours killed an? (.+)\.")
def _shot(step: Step, words: str) -> bool:
    labels = re.split(r"(?:, | or )(?:an? )?", words)
    found = creatures(step.seen.spec, step.before, step.after)
    return any(
        creature.is_dead and creature.mob.label in labels
        for creature in found
        if step.action != "do" or not is_awake(step) or creature.place != faced(step)
    )


# Using


@says(r"Collected (\d+) (\w+)(?: from the ([\w ]+))? \(now (\d+)\)\.")
def _collected(step: Step, amount: str, product: str, source: str | None, now: str) -> bool:
    field = field_of(product)
    counts = gained(step, field) == int(amount) > 0 and owned(step, field) == int(now)
    return step.action == "do" and counts and block(step, step.before) == (source or product)


@says(r"Removed the ([\w ]+), but you cannot carry more (\w+)\.")
def _removed(step: Step, source: str, product: str) -> bool:
    full = owned(step, field_of(product)) == step.seen.spec.inventory_cap and gained(step, field_of(product)) == 0
    return full and block(step, step.before) == source != block(step, step.after)


@says(r"Found no sapling in the grass this time\.")
def _found_none(step: Step) -> bool:
    return gained(step, "sapling") == 0 and block(step, step.before) == "grass"


@says(r"Destroyed the (crafting table|furnace)\.")
def _destroyed(step: Step, label: str) -> bool:
    return block(step, step.before) == label and block(step, step.after) == "path"


@says(r"(Drank water|Drank from the fountain|Opened the chest)\.")
def _touched(step: Step, words: str) -> bool:
    return _TILES[block(step, step.before)] == f"{words}."


@says(r"Ate the ripe plant\.")
def _ate_plant(step: Step) -> bool:
    return block(step, step.before) == "ripe plant" and int(step.after.player_hunger) <= 1


@says(r"Hurt the necromancer\.")
def _hurt(step: Step) -> bool:
    return bool(step.after.boss_progress == step.before.boss_progress + 1)


# Making, placing, shooting


@says(r"(?:Placed|Planted) (?:an? )?([\w ]+?)(, and a shot destroyed it at once)?\.")
def _placed(step: Step, thing: str, destroyed: str | None) -> bool:
    if thing == "torch":
        return gained(step, "torches") == -1 and bool(
            step.after.item_map[int(step.before.player_level)][faced(step)] == 1
        )
    label = {"sapling": "plant"}.get(thing, thing)
    lies = block(step, step.after)
    spent = any(gained(step, field) < 0 for field in ("wood", "stone", "sapling"))
    hidden = step.seen.faced.block is None  # where it may have been shot away unseen
    return spent and (lies == "path" if destroyed or (hidden and lies == "path") else lies == label)


@says(r"Made (?:an? )?(\d+ )?([\w ]+?)(?: \(now (\d+)\))?\.")
def _made(step: Step, amount: str | None, thing: str, now: str | None) -> bool:
    spec = step.seen.spec
    tool = next((field for field, tiers in spec.tools.items() if thing in tiers), None)
    if tool:
        return owned(step, tool) == spec.tools[tool].index(thing) and gained(step, tool) > 0
    field = field_of(thing)
    return gained(step, field) == int(amount or 1) and (now is None or owned(step, field) == int(now))


@says(r"Shot an arrow \((\d+) left\)\.")
def _shot_arrow(step: Step, left: str) -> bool:
    return gained(step, "arrows") == -1 and owned(step, "arrows") == int(left)


@says(r"Cast an? (fireball|iceball)\.")
def _cast(step: Step, spell: str) -> bool:
    known = step.before.learned_spells[step.seen.spec.spells.index(spell)]
    return bool(known) and step.after.player_mana - step.before.player_mana in (-2, -1)


# Changes


@says(r"(Gained|Used|Lost) ([\d.]+) ([\w ]+) \((?:now )?([\d.]+)(?: left)?\)\.")
def _amount(step: Step, verb: str, amount: str, thing: str, now: str) -> bool:
    was, value = _numbers(step, thing)
    sign = {"Gained": 1, "Used": -1, "Lost": -1}[verb]
    return (value - was) * sign > 0 and difference(was, value) == amount != "0" and number(value) == now


def _numbers(step: Step, thing: str) -> tuple[float, float]:
    """A number of the player's own before and after a step."""
    if match := re.fullmatch(r"(\w+) potions?", thing):
        colour = step.seen.spec.potions.index(match[1])
        values = [state.inventory.potions[colour] for state in (step.before, step.after)]
    elif hasattr(step.before, f"player_{thing.replace('experience', 'xp')}"):
        values = [getattr(state, f"player_{thing.replace('experience', 'xp')}") for state in (step.before, step.after)]
    else:
        values = [getattr(state.inventory, field_of(thing)) for state in (step.before, step.after)]
    return float(values[0]), float(values[1])


@says(r"You now have an? ([\w ]+)\.")
def _have(step: Step, thing: str) -> bool:
    field, tiers = next((field, tiers) for field, tiers in step.seen.spec.tools.items() if thing in tiers)
    return gained(step, field) > 0 and owned(step, field) == tiers.index(thing)


@says(r"You now wear (?:an? )?(\w+) (\w+)\.")
def _wear(step: Step, tier: str, piece: str) -> bool:
    index, spec = step.seen.spec.armour.index(piece), step.seen.spec
    worn = int(step.after.inventory.armour[index])
    return spec.armour_tiers[worn] == tier and worn != step.before.inventory.armour[index]


@says(r"Your (\w+) (?:is|are) enchanted with (\w+)\.")
def _enchanted(step: Step, thing: str, with_what: str) -> bool:
    spec, number_of = step.seen.spec, step.seen.spec.enchantments.index(with_what)
    if thing in spec.armour:
        worn = [state.armour_enchantments[spec.armour.index(thing)] for state in (step.before, step.after)]
    else:
        worn = [getattr(state, f"{thing}_enchantment") for state in (step.before, step.after)]
    return bool(worn[1] == number_of != worn[0])


@says(r"(Fell asleep|Woke up|Began to rest|Stopped resting)\.")
def _condition(step: Step, words: str) -> bool:
    field = "is_sleeping" if words in ("Fell asleep", "Woke up") else "is_resting"
    was, now = bool(getattr(step.before, field)), bool(getattr(step.after, field))
    return was != now == (words in ("Fell asleep", "Began to rest"))


@says(r"You have learned (\w+)\.")
def _learned(step: Step, spell: str) -> bool:
    index = step.seen.spec.spells.index(spell)
    return bool(step.after.learned_spells[index]) and not step.before.learned_spells[index]


@says(r"(Descended|Climbed) to floor (\d), the ([\w ]+)\.")
def _floor(step: Step, verb: str, floor: str, label: str) -> bool:
    was, now = int(step.before.player_level), int(step.after.player_level)
    return (
        now - was == (1 if verb == "Descended" else -1)
        and now == int(floor)
        and (step.seen.spec.floors[now].label == label)
    )


@says(r"The ladder down has opened\.")
def _opened(step: Step) -> bool:
    floor = int(step.after.player_level)
    return floor < 8 and bool(step.before.monsters_killed[floor] < 8 <= step.after.monsters_killed[floor])


@says(r"The necromancer is now (vulnerable|invulnerable)\.")
def _boss(step: Step, words: str) -> bool:
    state = step.after
    guards = state.melee_mobs.mask[8].sum() + state.ranged_mobs.mask[8].sum()
    return (words == "vulnerable") == bool(guards == 0 and state.boss_timesteps_to_spawn_this_round <= 0)


@says(r"New achievement: ([\w ]+)\.")
def _achieved(step: Step, label: str) -> bool:
    index = [achievement.label for achievement in step.seen.spec.achievements].index(label)
    return bool(step.after.achievements[index]) and not step.before.achievements[index]


@says(r"You died\.")
def _died(step: Step) -> bool:
    return bool(step.after.player_health <= 0)


@says(r"You have defeated the necromancer and won\.")
def _won(step: Step) -> bool:
    return bool(step.after.boss_progress >= 8)
