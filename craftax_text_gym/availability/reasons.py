"""Which actions can be done now, and in words why not. Computed from packed rows alone.

An action is *unavailable* where carrying it out leaves the game exactly as `noop` leaves it. What the player cannot see
counts as favourable, so an unavailable action is always as good as `noop`, and an available one may turn out to be.
Three things are beyond it: `rest` at full health still starts when something hits in that very step; Classic's `do`
revives creatures that have wandered off; and Classic lets the player walk through a creature that it revived onto
another's tile (one step long, and not to be seen).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.availability import facts as facts_of
from craftax_text_gym.availability import rules
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.scene import Scene

_NO_PARAMS: Mapping[str, object] = MappingProxyType({})
_RULES_OF_THEIR_OWN = frozenset(("max_attribute", "god_mode"))
_FEW = 6
"""Up to this many games, one after another is faster than all at once."""
_MOST_KNOWN = 4_096
"""Reasons that are kept for an action."""
_UNKNOWN: Any = object()


def action_mask(
    spec: GameSpec, rows: NDArray[np.void], *, params: Mapping[str, object] = _NO_PARAMS
) -> NDArray[np.int8]:
    """Which actions can be done now.

    Args:
        spec: The game.
        rows: `[B]` of `engine.layout.row_dtype(spec)`.
        params: The fields of Craftax's `EnvParams` that differ from its own; two of them change what can be done.

    Returns:
        int8 `[B, num_actions]`, 1 where the action is available.
    """
    table = _table_for(spec, params)
    if len(rows) > _FEW:
        return np.ascontiguousarray(table.of_batch(facts_of.of_batch(spec, rows)))
    masks = [table.of_game(facts_of.of_game(spec, row.tobytes())) for row in rows]
    return np.array(masks, np.int8).reshape(len(rows), len(spec.actions))


def compiled_mask(spec: GameSpec, fields: Mapping[str, Any], xp: Any) -> Any:
    """`action_mask` of one game for code that is compiled, with Craftax's own parameters.

    Args:
        spec: The game.
        fields: Field of `engine.layout.row_dtype(spec)` -> array.
        xp: The arrays' own NumPy, such as `jax.numpy`.

    Returns:
        int8 `[num_actions]`.
    """
    return _table_for(spec, _NO_PARAMS).of_batch(facts_of.of_fields(spec, fields, xp), xp)


def is_usual(params: Mapping[str, object]) -> bool:
    """Whether the packed row's own mask holds under these fields of Craftax's `EnvParams`."""
    return not params or _RULES_OF_THEIR_OWN.isdisjoint(params)


def is_available(scene: Scene, action: int, *, params: Mapping[str, object] = _NO_PARAMS) -> bool:
    """Whether an action can be done now.

    Args:
        scene: What the player sees.
        action: The number of the action.
        params: As for `action_mask`.

    Returns:
        What `action_mask` has for it.
    """
    return scene.allows(action) if is_usual(params) else explain(scene, action, params=params) is None


def explain(scene: Scene, action: int, *, params: Mapping[str, object] = _NO_PARAMS) -> str | None:
    """Why an action cannot be done now.

    Args:
        scene: What the player sees.
        action: The number of the action.
        params: As for `action_mask`.

    Returns:
        None where `action_mask` has 1, else the reasons in words, joined by semicolons.
    """
    table = _table_for(scene.spec, params)
    if scene.sleeping or scene.resting:
        return _reason(scene, action, table, {})
    sources, known = table.sources[action], table.known[action]
    source = sources.read(scene.data), scene.faced if sources.face else None
    reason: Any = known.get(source, _UNKNOWN)
    if reason is _UNKNOWN:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        reason = known[source] = _reason(scene, action, table, facts_of.on_demand(scene.spec, scene.data))
    return reason  # type: ignore[no-any-return]


def explain_all(scene: Scene, *, params: Mapping[str, object] = _NO_PARAMS) -> tuple[str | None, ...]:
    """`explain` of every action, for little more than the cost of one."""
    table, facts = _table_for(scene.spec, params), facts_of.of_game(scene.spec, scene.data)
    return tuple([_reason(scene, action, table, facts) for action in range(len(scene.spec.actions))])


def caveat(scene: Scene, action: int, *, params: Mapping[str, object] = _NO_PARAMS) -> str | None:
    """What the player cannot see, where an action counts as available only because of that.

    Shots in flight out of view, and how thirsty the player is at full drink, are not mentioned.

    Args:
        scene: What the player sees.
        action: The number of the action.
        params: As for `action_mask`.

    Returns:
        Words such as "it is too dark to tell what you face"; None where nothing hidden matters.
    """
    table, facts = _table_for(scene.spec, params), facts_of.of_game(scene.spec, scene.data)
    if _reason(scene, action, table, facts) is not None:
        return None
    unseen = rules.unseen(scene, facts)
    doubts = [unseen[need.fact] for need in table.needs[action] if need.fact in unseen]
    return "; ".join(dict.fromkeys(doubts)) or None


def _reason(scene: Scene, action: int, table: _Table, facts: facts_of.Facts) -> str | None:
    if action == table.noop:
        return None
    if scene.sleeping or scene.resting:
        return "you are asleep" if scene.sleeping else "you are resting"
    broken = [need for need in table.needs[action] if not _holds(need, facts[need.fact])]
    return "; ".join(dict.fromkeys([need.words(scene, facts[need.fact]) for need in broken])) or None


def _holds(need: rules.Need, value: Any) -> Any:
    return value >= need.least if need.most is None else (value >= need.least) & (value <= need.most)


@dataclass(frozen=True, eq=False)
class _Table:
    """The needs of a game, each stated once, beside the actions that have them.

    Attributes:
        spec: The game.
        needs: By action.
        distinct: `(fact, least, most)` that occur in `needs`.
        by_action: By action, indices into `distinct`.
        noop: The action that can always be done.
    """

    spec: GameSpec
    needs: tuple[tuple[rules.Need, ...], ...]
    distinct: tuple[tuple[str, int, int], ...]
    by_action: tuple[tuple[int, ...], ...]
    noop: int

    def of_game(self, facts: facts_of.Facts) -> list[int]:
        """The mask of one game."""
        mask = [0] * len(self.by_action)
        if not (facts["sleeping"] or facts["resting"]):
            holds = [least <= facts[fact] <= most for fact, least, most in self.distinct]
            mask = [all(map(holds.__getitem__, wanted)) for wanted in self.by_action]
        mask[self.noop] = 1
        return mask

    @cached_property
    def sources(self) -> tuple[facts_of.Sources, ...]:
        """By action: what settles the reason, while the player is awake."""
        return tuple([facts_of.sources(self.spec, [need.fact for need in needs]) for needs in self.needs])

    @cached_property
    def known(self) -> tuple[dict[Any, str | None], ...]:
        """By action: what its sources give -> the reason."""
        return tuple([{} for _ in self.needs])

    @cached_property
    def _bounds(self) -> tuple[tuple[str, ...], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """The facts' names; and for each of `distinct` which fact, the least and the most, int32 `[N]` each."""
        names = tuple(dict.fromkeys(fact for fact, _, _ in self.distinct))
        columns = [(names.index(fact), least, most) for fact, least, most in self.distinct]
        which, least, most = np.array(columns, np.int32).T
        return names, which, least, most

    @cached_property
    def _wanted(self) -> NDArray[np.bool_]:
        """Bool `[num_actions, N]`: which of `distinct` an action needs."""
        wanted = np.zeros((len(self.by_action), len(self.distinct)), bool)
        for action, needs in enumerate(self.by_action):
            wanted[action, list(needs)] = True
        return wanted

    def of_batch(self, facts: facts_of.Facts, xp: Any = np) -> Any:
        """The masks of games whose facts are arrays `[B]` (or scalars) of `xp`: int8 `[B, num_actions]`.

        Few operations on whole arrays, for in a compiled step every operation costs about as much as any other.
        """
        names, which, least, most = self._bounds
        values = xp.stack([xp.asarray(facts[name]).astype(np.int32) for name in names], axis=-1)[..., which]
        fails = (values < least) | (values > most)
        awake = (xp.asarray(facts["sleeping"] | facts["resting"]) == 0)[..., None]
        can = ~(self._wanted & fails[..., None, :]).any(-1) & awake
        return (can | (np.arange(len(self.by_action)) == self.noop)).astype(np.int8)


def _table_for(spec: GameSpec, params: Mapping[str, object]) -> _Table:
    if not params:
        return _table(spec, _default(spec, "max_attribute"), False)
    max_attribute = params.get("max_attribute", _default(spec, "max_attribute"))
    return _table(spec, int(max_attribute), bool(params.get("god_mode", False)))  # type: ignore[call-overload]


@lru_cache
def _default(spec: GameSpec, name: str) -> int:
    return int(next((param.default for param in spec.params if param.name == name), 0))


@lru_cache
def _table(spec: GameSpec, max_attribute: int, god_mode: bool) -> _Table:
    by_name = rules.needs(spec, max_attribute, god_mode)
    needs = tuple([by_name.get(action, ()) for action in spec.actions])
    keys = [
        [(need.fact, need.least, 2**31 - 1 if need.most is None else need.most) for need in group] for group in needs
    ]
    distinct = tuple(dict.fromkeys([key for group in keys for key in group]))
    by_action = tuple([tuple([distinct.index(key) for key in group]) for group in keys])
    return _Table(spec, needs, distinct, by_action, spec.action_index["noop"])
