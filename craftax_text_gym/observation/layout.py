"""The layout of a packed row: one NumPy dtype, defined once, written by the device and read by the host.

A row holds all that the texts, the feedback and the action mask may depend on: the official window,
darkened where the game darkens it, and nothing that the player may not know unless `reveal` asks for it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from craftax_text_gym.games.spec import GameSpec

REVEALABLE: tuple[str, ...] = ("position", "kills", "mob_health", "plant_age", "potion_effects")
"""Facts that neither the symbolic nor the pixel observation shows, in the order of their bits."""

HIDDEN = -1
"""The value of a revealable field that is not revealed, or that has nothing to reveal."""

LIT_THRESHOLD = 0.05
"""A tile of the full game is dark when its light is at most this (upstream's own threshold)."""

DARK = 255
"""The value in `blocks` of a tile that the player cannot see."""

THING_FIELDS: tuple[str, ...] = ("present", "type", "row", "column", "heading_row", "heading_column")
"""The columns of the field `things`; rows and columns are window indices."""


Field = tuple[str, str, tuple[int, ...]]
"""Name, dtype and shape."""

SHORT_GROUPS = ("step", "place", "body", "belongings")
"""The groups of 4-byte fields that `Row` unpacks in one call."""


@lru_cache
def row_groups(spec: GameSpec) -> dict[str, list[Field]]:
    """The fields of a packed row, group by group: the single definition of their order.

    Readers know groups and fields by name. 4-byte fields stand before bytes, so that every field is aligned.

    Args:
        spec: The game.

    Returns:
        Group -> its fields, in order; a group that the game lacks is empty. `body` and `belongings` are the player's
        own numbers, and stand side by side.
    """
    rows, columns = spec.window
    things, achievements = sum(spec.slots), len(spec.achievements)
    groups: dict[str, list[Field]] = {
        "step": [
            ("reward", "<f4", ()),
            ("reward_achievements", "<f4", ()),
            ("reward_health", "<f4", ()),
            ("executed_action", "<i4", ()),
            ("timestep", "<i4", ()),
            ("daylight", "<f4", ()),
            ("direction", "<i4", ()),
            ("position", "<i4", (2,)),
        ],
        "place": [],
        "body": [
            ("health", "<f4", ()),
            ("vitals", "<i4", (3,)),  # food, drink, energy
        ],
        "belongings": [("materials", "<i4", (len(spec.materials),))],
        "maps": [
            ("mob_health", "<f4", (things,)),
            ("plant_age", "<i4", (rows, columns)),
        ],
        "states": [
            ("dead", "u1", ()),
            ("boss_defeated", "u1", ()),
            ("sleeping", "u1", ()),
            ("resting", "u1", ()),
        ],
        "view": [
            ("achievements", "u1", (achievements,)),
            ("new_achievements", "u1", (achievements,)),
            ("action_mask", "i1", (len(spec.actions),)),
            ("blocks", "u1", (rows, columns)),
            ("things", "i1", (things, len(THING_FIELDS))),
        ],
        "progress_flags": [],
    }
    return groups if spec.key == "classic" else _with_full(spec, groups)


def _with_full(spec: GameSpec, groups: dict[str, list[Field]]) -> dict[str, list[Field]]:
    """Add the fields that only the full game has."""
    groups["step"].append(("potion_effects", "<i4", (len(spec.potions),)))
    groups["place"] += [("floor", "<i4", ()), ("kills", "<i4", ())]
    groups["body"] += [
        ("mana", "<i4", ()),
        ("attributes", "<i4", (4,)),  # experience, dexterity, strength, intelligence
    ]
    groups["belongings"] += [
        ("potions", "<i4", (len(spec.potions),)),
        ("armour", "<i4", (len(spec.armour),)),
        ("armour_enchantments", "<i4", (len(spec.armour),)),
        ("weapon_enchantments", "<i4", (2,)),  # sword, bow
    ]
    groups["maps"].append(("light", "<f4", spec.window))
    groups["view"].append(("items", "u1", spec.window))
    groups["progress_flags"] += [
        ("spells", "u1", (len(spec.spells),)),
        ("ladder_open", "u1", ()),
        ("boss_vulnerable", "u1", ()),
    ]
    return groups


@lru_cache
def row_dtype(spec: GameSpec) -> np.dtype[np.void]:
    """The dtype of one packed row.

    Args:
        spec: The game.

    Returns:
        A packed structured dtype of the fields of `row_groups`, in their order.
    """
    return np.dtype([field for group in row_groups(spec).values() for field in group])


@lru_cache
def group_dtype(spec: GameSpec, group: str) -> np.dtype[np.void]:
    """The dtype of one group of a packed row.

    Args:
        spec: The game.
        group: A key of `row_groups(spec)`.

    Returns:
        A packed structured dtype of its fields.
    """
    return np.dtype(row_groups(spec)[group])


@lru_cache
def group_bytes(spec: GameSpec, *groups: str) -> slice:
    """The byte range of adjacent groups in a packed row.

    Args:
        spec: The game.
        *groups: Keys of `row_groups(spec)`, in their order.

    Returns:
        A slice, empty where the game has none of their fields.

    Raises:
        ValueError: If they are not adjacent.
    """
    names = list(row_groups(spec))
    first = names.index(groups[0])
    if names[first : first + len(groups)] != list(groups):
        raise ValueError(f"Expected adjacent groups of {names}, got {groups}.")
    start = sum(group_dtype(spec, name).itemsize for name in names[:first])
    return slice(start, start + sum(group_dtype(spec, name).itemsize for name in groups))


def read_group(spec: GameSpec, group: str, data: bytes) -> dict[str, Any]:
    """Unpack the bytes of a group.

    Args:
        spec: The game.
        group: A key of `row_groups(spec)`.
        data: Its bytes.

    Returns:
        Field -> a number, or a list of numbers.
    """
    values = np.frombuffer(data, group_dtype(spec, group))[0]
    return {name: values[name].tolist() for name in values.dtype.names or ()}
