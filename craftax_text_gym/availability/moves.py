"""What became of a step in a direction, from what the player saw before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.availability import reasons
from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.scene import Scene

_BECOMES = {"crafting_table": "path", "furnace": "path", "plant": "ripe_plant"}
"""Blocks that may change by themselves: shots destroy, plants ripen."""


def move(before: Scene, action: int, after: Scene, params: Mapping[str, object]) -> str:
    """Say whether a step was made.

    Args:
        before: What the player saw before it; he was awake.
        action: The number of a direction.
        after: What he saw after it.
        params: As for `feedback.sentences`.

    Returns:
        A sentence.
    """
    name = before.spec.actions[action]
    moved, obstacle = _verdict(before, action, after, params)
    if moved:
        return f"Moved {name}."
    if moved is None:
        return f"Faced {name}; what lies there cannot be seen, nor whether you moved."
    return f"{name} did nothing: {obstacle}." if before.direction == name else f"Turned {name}: {obstacle}."


def shift(before: Scene, action: int, after: Scene, params: Mapping[str, object]) -> tuple[int, int] | None:
    """How far the player moved.

    Args:
        before: What he saw before the step.
        action: The number of any action that does not change the floor.
        after: What he saw after it.
        params: As for `feedback.sentences`.

    Returns:
        Rows down and columns right, or None where that cannot be told.
    """
    if before.spec.actions[action] not in DIRECTIONS or before.sleeping or before.resting:
        return 0, 0
    moved, _ = _verdict(before, action, after, params)
    return None if moved is None else OFFSETS[action] if moved else (0, 0)


def _verdict(before: Scene, action: int, after: Scene, params: Mapping[str, object]) -> tuple[bool | None, str]:
    """Whether a step was made, None where nothing tells; and what is in the way."""
    step = OFFSETS[action]
    occupied = bool(before.things) and any(seen.mob and (seen.down, seen.right) == step for seen in before.things)
    if not occupied and before.codes(*step)[0] in _walkable(before.spec):
        return True, ""
    turned = _facing(before, action)
    reason = reasons.explain(turned, action, params=params)
    if reason is not None:
        # Classic lets the player walk through a creature that it has just revived; the view then shifts.
        walked = occupied and not before.is_full and _has_shifted(before, step, after) is True
        return walked, reason
    if reasons.caveat(turned, action, params=params) is None:
        return True, ""
    edge = turned.faced.block == "out of bounds"
    return _has_shifted(before, step, after), f"{'the edge of the world' if edge else 'something unseen'} is in the way"


@lru_cache
def _walkable(spec: GameSpec) -> frozenset[int]:
    return frozenset(number for number, block in enumerate(spec.blocks) if block.walkable)


def _facing(scene: Scene, direction: int) -> Scene:
    """The scene as it would be, had the player turned."""
    start = scene.start("direction")
    return Scene(scene.spec, scene.data[:start] + direction.to_bytes(4, "little") + scene.data[start + 4 :])


def _has_shifted(before: Scene, step: tuple[int, int], after: Scene) -> bool | None:
    """Whether the view has shifted by a step; None where it would look the same either way."""
    lasting = _lasting(before.spec)
    old, new = lasting[before.blocks], lasting[after.blocks]
    rows, columns = old.shape
    row, column = step
    there = new[max(0, -row) : rows - max(0, row), max(0, -column) : columns - max(0, column)]
    here = old[max(0, row) : rows - max(0, -row), max(0, column) : columns - max(0, -column)]
    shifted, stayed = bool(np.array_equal(here, there)), bool(np.array_equal(old, new))
    return shifted if shifted != stayed else None


@lru_cache
def _lasting(spec: GameSpec) -> NDArray[np.uint8]:
    """uint8 `[256]`: blocks by number, those that may change by themselves as what they may become."""
    blocks = np.arange(256, dtype=np.uint8)
    for name, other in _BECOMES.items():
        blocks[spec.block_index[name]] = spec.block_index[other]
    return blocks
