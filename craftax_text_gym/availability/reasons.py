"""Why an action is unavailable, and what remains uncertain, in words. `mask` defines availability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from craftax_text_gym.availability import facts as facts_of
from craftax_text_gym.availability.derived import OF_FACED_TILE, given_behind
from craftax_text_gym.availability.rules import Need, needs, unseen
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.scene import Scene

_NO_PARAMS: Mapping[str, object] = MappingProxyType({})
_MOST_KEPT = 4_096
"""The most reasons cached per action."""
_MISSING: Any = object()


def explain(scene: Scene, action: int, *, params: Mapping[str, object] = _NO_PARAMS) -> str | None:
    """Why an action is unavailable.

    Args:
        scene: What the player sees.
        action: The number of the action.
        params: The fields of Craftax's `EnvParams` that differ from its own; some change what can be done.

    Returns:
        None where the action mask has 1, else the reasons in words, joined by semicolons.
    """
    known = _knowledge(scene.spec)[action]
    if not known.needs:
        return None
    if scene.sleeping or scene.resting:
        return "you are asleep" if scene.sleeping else "you are resting"
    key = known.read(scene.data), scene.faced if known.is_of_faced_tile else None, _rules(params)
    reason: str | None = known.reasons.get(key, _MISSING)
    if reason is _MISSING:
        if len(known.reasons) >= _MOST_KEPT:
            known.reasons.clear()
        reason = known.reasons[key] = _reason(scene, known.needs, facts_of.of_row(scene.spec, scene.data, params))
    return reason


def caveat(scene: Scene, action: int, *, params: Mapping[str, object] = _NO_PARAMS) -> str | None:
    """What the player cannot see, where an action counts as available only because of that.

    Shots in flight out of view, and how thirsty the player is at full drink, are not mentioned.

    Args:
        scene: What the player sees.
        action: The number of the action.
        params: As for `explain`.

    Returns:
        Words such as "it is too dark to tell what you face"; None where nothing hidden matters.
    """
    if explain(scene, action, params=params) is not None:
        return None
    hidden = unseen(scene.spec, scene.direction, scene.around, bool(params.get("god_mode")))
    doubts = [hidden[need.fact] for need in _knowledge(scene.spec)[action].needs if need.fact in hidden]
    return "; ".join(dict.fromkeys(doubts)) or None


def perhaps(scene: Scene, *, params: Mapping[str, object] = _NO_PARAMS) -> tuple[int, ...]:
    """The available actions that count as such only because of what the player cannot see: those with a caveat.

    Args:
        scene: What the player sees.
        params: As for `explain`.

    Returns:
        The actions' numbers.
    """
    mask = scene.field("action_mask")
    return _perhaps(scene.spec, mask, scene.direction, scene.around, bool(params.get("god_mode")))


@lru_cache(16_384)
def _perhaps(spec: GameSpec, mask: bytes, direction: str, around: bytes, god_mode: bool) -> tuple[int, ...]:
    hidden = unseen(spec, direction, around, god_mode)
    if not hidden:
        return ()
    doubtful = [any(need.fact in hidden for need in known.needs) for known in _knowledge(spec)]
    return tuple([action for action, available in enumerate(mask) if available and doubtful[action]])


class _Knowledge(NamedTuple):
    """What determines why an action is unavailable while the player is awake, and a cache of reasons.

    Attributes:
        needs: The action's.
        read: The bytes of a packed row -> the numbers that its facts follow from, but for those of the faced tile.
        is_of_faced_tile: Whether they follow from the faced tile, too.
        reasons: By the numbers, the faced tile and the rules.
    """

    needs: tuple[Need, ...]
    read: Callable[[bytes], tuple[Any, ...]]
    is_of_faced_tile: bool
    reasons: dict[Any, str | None]


@lru_cache
def _knowledge(spec: GameSpec) -> tuple[_Knowledge, ...]:
    return tuple([_knowledge_of(spec, needs(spec).get(action, ())) for action in spec.actions])


def _knowledge_of(spec: GameSpec, wanted: tuple[Need, ...]) -> _Knowledge:
    behind = frozenset[str]().union(*[given_behind(spec, need.fact) for need in wanted])
    numbers = behind - OF_FACED_TILE - set(facts_of.rules(spec))
    return _Knowledge(wanted, facts_of.unpacking(spec, numbers), not behind.isdisjoint(OF_FACED_TILE), {})


def _rules(params: Mapping[str, object]) -> tuple[object, ...]:
    """The values of the parameters that change what can be done; None where they are Craftax's own."""
    return (params.get("max_attribute"), params.get("god_mode")) if params else ()


def _reason(scene: Scene, wanted: tuple[Need, ...], facts: facts_of.Facts) -> str | None:
    broken = [need for need in wanted if not need.holds(facts[need.fact])]
    return "; ".join(dict.fromkeys([need.words(scene, facts[need.fact]) for need in broken])) or None
