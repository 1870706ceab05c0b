"""What the last action did, or why it did nothing, from what the player saw before and after it.

Nothing here knows more than the player: all is read from the two scenes. Each sentence states a change that can be
seen or that the two scenes prove, and no change in belongings, vitals, attributes, floor or achievements goes unsaid.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from craftax_text_gym.availability import changes, kills, moves
from craftax_text_gym.availability.outcomes import outcome
from craftax_text_gym.observation.scene import Scene

_NO_PARAMS: Mapping[str, object] = MappingProxyType({})


def sentences(before: Scene, action: int, after: Scene, *, params: Mapping[str, object] = _NO_PARAMS) -> list[str]:
    """Say what a step did.

    Args:
        before: What the player saw before the step.
        action: The number of the action that was asked for.
        after: What the player saw after it.
        params: The fields of Craftax's `EnvParams` that differ from its own.

    Returns:
        Sentences, never none: first what became of the action, then whom shots killed, then every change, then the
        achievements and the end.
    """
    lines, told = outcome(before, action, after, params)
    if before.is_full and before.things:
        lines += _shots(before, action, after, params)
    if before.person != after.person:
        lines += changes.of_person(before, after, told)
    if before.states != after.states:
        lines += changes.of_condition(before, after)
    if before.is_full and (before.progress_flags != after.progress_flags or before.floor != after.floor):
        lines += changes.of_progress(before, after)
    if after.new_achievements:
        lines += changes.of_achievements(after)
    return lines + changes.of_end(before, after) if before.states != after.states else lines


def _shots(before: Scene, action: int, after: Scene, params: Mapping[str, object]) -> list[str]:
    """Whom the player's shots have killed, where he sees one or has just shot."""
    name = before.spec.actions[action]
    if not (name in kills.SHOOTING or kills.sees_shot(before)) or before.floor != after.floor:
        return []
    if not kills.may_have_killed(before, after):
        return []
    shift = moves.shift(before, action, after, params)
    is_blow = name == "do" and not (before.sleeping or before.resting)
    return [] if shift is None else kills.shots(before, after, shift, params, is_blow=is_blow)
