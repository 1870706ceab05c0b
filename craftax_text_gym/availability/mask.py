"""The action mask: a formula over arrays, for traced code and the host alike.

An action is *unavailable* where carrying it out leaves the game exactly as `noop` leaves it. What the player cannot see
counts as favourable, so an unavailable action is always as good as `noop`, and an available one may turn out to be.
Three things are beyond it: `rest` at full health still starts when something hits in that very step; Classic's `do`
revives creatures that have wandered off; and Classic lets the player walk through a creature that it revived onto
another's tile (one step long, and not to be seen).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.availability import facts as facts_of
from craftax_text_gym.availability.rules import needs
from craftax_text_gym.games.spec import GameSpec

_NO_LIMIT = 2**31 - 1


def action_mask(spec: GameSpec, fields: Mapping[str, Any], params: Mapping[str, Any], xp: Any) -> Any:
    """Which actions are available.

    Few operations on whole arrays, for in a compiled step every operation costs about as much as any other.

    Args:
        spec: The game.
        fields: Field of `layout.row_dtype(spec)` -> array, of one game.
        params: The values of `facts.rules(spec)`.
        xp: The arrays' own NumPy: `numpy`, or `jax.numpy` in traced code.

    Returns:
        int8 `[num_actions]`, 1 where the action is available.
    """
    table, facts = _table(spec), facts_of.of_fields(spec, fields, params, xp)
    values = xp.stack([facts[name].astype(np.int32) for name in table.facts])[table.which]
    fails = (values < table.least) | (values > table.most)
    is_awake = (facts["sleeping"] | facts["resting"]) == 0
    can = ~(table.wanted & fails).any(-1) & is_awake
    return (can | (np.arange(len(spec.actions)) == spec.action_index["noop"])).astype(np.int8)


class _Table(NamedTuple):
    """The needs of a game as arrays, each of the `N` different ones once.

    Attributes:
        facts: The facts that are needed.
        which: int32 `[N]`: the fact that a need is of.
        least: int32 `[N]`: the lower end of its range.
        most: int32 `[N]`: the upper end.
        wanted: bool `[num_actions, N]`: whether an action has the need.
    """

    facts: tuple[str, ...]
    which: NDArray[np.int32]
    least: NDArray[np.int32]
    most: NDArray[np.int32]
    wanted: NDArray[np.bool_]


@lru_cache
def _table(spec: GameSpec) -> _Table:
    by_action = [
        [(need.fact, need.least, _NO_LIMIT if need.most is None else need.most) for need in needs(spec).get(action, ())]
        for action in spec.actions
    ]
    distinct = list(dict.fromkeys([need for group in by_action for need in group]))
    facts = tuple(dict.fromkeys([fact for fact, _, _ in distinct]))
    which, least, most = np.array([(facts.index(fact), least, most) for fact, least, most in distinct], np.int32).T
    wanted = np.array([[need in group for need in distinct] for group in by_action])
    return _Table(facts, which, least, most, wanted)
