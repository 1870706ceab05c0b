"""Who died in a step, by the engine's own arrays of creatures."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
            if spec.key == "full" and new.type_id[floor][slot] != kind:
                # Where all slots are taken, upstream writes the kind of whom it does not spawn into the first.
                has_killed = (after.monsters_killed > before.monsters_killed).any()
                is_gone |= has_killed or not old.mask[floor].all()
            mob = spec.mob(slots.kind, kind)  # type: ignore[arg-type]
            found.append(Creature(mob, (int(place[0]), int(place[1])), bool(is_gone and not is_far)))
    unlocked = after.achievements & ~before.achievements
    return [_with_proof(spec, creature, found, unlocked) for creature in found]


def _with_proof(spec: GameSpec, creature: Creature, found: list[Creature], unlocked: Any) -> Creature:
    """A new achievement proves a death too, whoever stands at once in the slot and on the tile of the dead."""
    is_only = [other.mob for other in found].count(creature.mob) == 1
    is_proved = is_only and creature.mob.achievement and unlocked[spec.achievement_keys.index(creature.mob.achievement)]
    return replace(creature, is_dead=True) if is_proved else creature
