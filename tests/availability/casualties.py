"""Who died in a step, by the engine's own arrays of creatures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from craftax_text_gym.games.spec import GameSpec, Mob
from tests.worlds import SLOTS, floor_of


@dataclass(frozen=True)
class Creature:
    """A creature before a step, and what became of it."""

    mob: Mob
    place: tuple[int, int]
    is_dead: bool


def creatures(spec: GameSpec, before: Any, after: Any, despawn_distance: int = 14) -> list[Creature]:
    """All creatures of the player's floor; the floor must be the same after the step.

    Args:
        spec: The game.
        before: The state before the step.
        after: The state after it.
        despawn_distance: From how far away a creature is taken off the map.

    Returns:
        The creatures, in the order of the engine's slots.
    """
    found = []
    floor = floor_of(spec, before)
    for slots in SLOTS[spec.key]:
        if slots.kind == "projectile":
            continue
        old, new = getattr(before, slots.field), getattr(after, slots.field)
        for slot in np.flatnonzero(old.mask[floor]):
            place, later = old.position[floor][slot], new.position[floor][slot]
            kind = int(old.type_id[floor][slot]) if spec.key == "full" else 0
            is_far = np.abs(place - after.player_position).sum() >= despawn_distance
            is_gone = not new.mask[floor][slot] or np.abs(place - later).sum() > 1  # or its slot was taken anew
            mob = spec.mob(slots.kind, kind)  # type: ignore[arg-type]
            found.append(Creature(mob, (int(place[0]), int(place[1])), bool(is_gone and not is_far)))
    return found
