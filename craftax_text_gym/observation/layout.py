"""A game's packed view: one NumPy dtype, stated once, used by the device that writes it and the host that reads it.

A row holds all that the texts, the feedback and the action mask may depend on: the official window,
darkened where the game darkens it, and nothing that the player may not know unless `reveal` asks for it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from craftax_text_gym.games.spec import GameSpec

REVEALABLE: tuple[str, ...] = ("position", "kills", "mob_health", "plant_age", "potion_effects")
"""Facts that neither the symbolic nor the pixel observation shows, in the order of their bits."""

HIDDEN = -1
"""What a revealable field holds while it is not revealed, or where there is nothing to reveal."""

LIT_THRESHOLD = 0.05
"""A tile of the full game is dark when its light is at most this (upstream's own threshold)."""

DARK = 255
"""What the field `blocks` holds where the player sees nothing."""

THING_FIELDS: tuple[str, ...] = ("present", "type", "row", "column", "heading_row", "heading_column")
"""The columns of the field `things`; rows and columns are window indices."""


@lru_cache
def row_dtype(spec: GameSpec) -> np.dtype[np.void]:
    """The dtype of one packed row.

    Args:
        spec: The game.

    Returns:
        A packed structured dtype: first the short 4-byte fields, then the long ones, then bytes, so that every field
        is aligned and the short ones can be read in one go. The player's own numbers stand together, from `health` to
        the last before `mob_health`, the belongings last.
    """
    rows, columns = spec.window
    things, achievements = sum(spec.slots), len(spec.achievements)
    is_full = spec.key == "full"
    step: list[tuple[str, str, tuple[int, ...]]] = [
        ("reward", "<f4", ()),
        ("reward_achievements", "<f4", ()),
        ("reward_health", "<f4", ()),
        ("executed_action", "<i4", ()),
        ("timestep", "<i4", ()),
        ("daylight", "<f4", ()),
        ("direction", "<i4", ()),
        ("position", "<i4", (2,)),
    ]
    person: list[tuple[str, str, tuple[int, ...]]] = [
        ("health", "<f4", ()),
        ("vitals", "<i4", (3,)),  # food, drink, energy
    ]
    belongings: list[tuple[str, str, tuple[int, ...]]] = [("materials", "<i4", (len(spec.materials),))]
    long: list[tuple[str, str, tuple[int, ...]]] = [
        ("mob_health", "<f4", (things,)),
        ("plant_age", "<i4", (rows, columns)),
    ]
    small: list[tuple[str, str, tuple[int, ...]]] = [
        ("dead", "u1", ()),
        ("boss_defeated", "u1", ()),
        ("sleeping", "u1", ()),
        ("resting", "u1", ()),
        ("achievements", "u1", (achievements,)),
        ("new_achievements", "u1", (achievements,)),
        ("action_mask", "i1", (len(spec.actions),)),  # with Craftax's own parameters
        ("blocks", "u1", (rows, columns)),
        ("things", "i1", (things, len(THING_FIELDS))),
    ]
    if is_full:
        step += [("floor", "<i4", ()), ("kills", "<i4", ()), ("potion_effects", "<i4", (len(spec.potions),))]
        person += [
            ("mana", "<i4", ()),
            ("attributes", "<i4", (4,)),  # experience, dexterity, strength, intelligence
        ]
        belongings += [
            ("potions", "<i4", (len(spec.potions),)),
            ("armour", "<i4", (len(spec.armour),)),
            ("armour_enchantments", "<i4", (len(spec.armour),)),
            ("weapon_enchantments", "<i4", (2,)),  # sword, bow
        ]
        long.append(("light", "<f4", (rows, columns)))
        small += [
            ("items", "u1", (rows, columns)),
            ("spells", "u1", (len(spec.spells),)),
            ("ladder_open", "u1", ()),
            ("boss_vulnerable", "u1", ()),
        ]
    return np.dtype(step + person + belongings + long + small)
