"""The mask and the reasons, held to the engine: unavailable is as good as noop, available can differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from craftax_text_gym.actions.availability import action_mask, caveat, explain
from craftax_text_gym.games import get
from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.scene import Scene
from tests.actions.cases import border_cases, chance_states, played_cases
from tests.actions.oracle import KEYS, Oracle, get_oracle
from tests.proof import count
from tests.worlds import GAMES, floor_of

_ROUNDS = 32  # of KEYS keys, before an available action is given up
_SHOTS = ("shoot_arrow", "cast_fireball", "cast_iceball")


def _row(oracle: Oracle, state: Any) -> Any:
    engine = oracle.engine
    return engine.read(engine.look(engine.from_state(state)))


def _check(oracle: Oracle, state: Any, tally: Counter[str], params: dict[str, Any] | None = None) -> None:
    """Compare mask, reasons and engine in one state."""
    spec = oracle.spec
    rows = _row(oracle, state)
    scene = Scene(spec, rows[0].tobytes())
    mask = action_mask(spec, rows, params=params or {})[0]
    assert mask.dtype == np.int8
    assert mask[spec.action_index["noop"]] == 1
    changed, health = oracle.judge(state, params=params)
    stubborn = []
    for action, name in enumerate(spec.actions):
        reason = explain(scene, action, params=params or {})
        assert (reason is None) == (mask[action] == 1), (name, reason)
        tally["unavailable" if reason else "available"] += 1
        if reason:
            wrong = changed[:, action]
            if name == "rest" and reason == "your health is full":
                wrong = wrong & ~(health < scene.maximum("health") if hasattr(scene, "maximum") else health < scene.maxima["health"])
                tally["rest after a hit"] += int(changed[:, action].any())
            if wrong.any() and _walks_through(oracle, state, name):
                tally["through an unmarked creature"] += 1
                continue
            assert not wrong.any(), f"{name} is said to be unavailable ({reason}), yet it differs from noop"
        elif name != "noop" and not changed[:, action].any():
            stubborn.append(action)
    for action in [action for action in stubborn if not _is_hidden(oracle, state, scene, action, params)]:
        name = spec.actions[action]
        differs = any(oracle.judge(state, KEYS * turn, params)[0][:, action].any() for turn in range(1, _ROUNDS))
        assert differs, f"{name} is said to be available, yet it never differs from noop"
        tally["available by chance"] += 1
    tally["states"] += 1


def _is_hidden(oracle: Oracle, state: Any, scene: Scene, action: int, params: dict[str, Any] | None) -> bool:
    """Whether an action may be no better than noop because of something that the player cannot see."""
    name = oracle.spec.actions[action]
    if caveat(scene, action, params=params or {}) is not None:
        return True
    if name in _SHOTS:
        visible = sum(thing.owner == "player" for thing in scene.things)
        return bool(state.player_projectiles.mask[int(state.player_level)].sum() > visible)
    return name == "do" and scene.faced.block in ("water", "fountain") and float(state.player_thirst) == 0


def _walks_through(oracle: Oracle, state: Any, name: str) -> bool:
    """Classic: a creature that shares the faced tile with one that left it is unmarked for a step."""
    if oracle.spec.key != "classic" or not (name in ("left", "right", "up", "down") or name.startswith("place_")):
        return False
    row, column = state.player_position + OFFSETS[state.player_direction]
    here = [mobs for mobs in (state.zombies, state.cows, state.skeletons)]
    stands = any((mobs.mask & (mobs.position == (row, column)).all(axis=1)).any() for mobs in here)
    return stands and not state.mob_map[floor_of(oracle.spec, state)][row, column]


def _check_all(oracle: Oracle, states: Iterable[Any]) -> Counter[str]:
    tally: Counter[str] = Counter()
    for state in states:
        _check(oracle, state, tally)
    print(oracle.spec.key, dict(tally))
    return tally


@pytest.mark.parametrize("key", GAMES)
def test_mask_equals_the_engine_at_every_border(key: str) -> None:
    oracle = get_oracle(key)
    cases = border_cases(oracle.spec)
    chosen = np.random.default_rng(0).permutation(len(cases))[: count(len(cases), 120)]
    _check_all(oracle, (cases[index]() for index in chosen))


@pytest.mark.parametrize("key", GAMES)
def test_mask_equals_the_engine_in_states_of_chance(key: str) -> None:
    oracle = get_oracle(key)
    _check_all(oracle, chance_states(oracle.spec, count(3000, 120)))


@pytest.mark.parametrize("key", GAMES)
def test_mask_equals_the_engine_in_play(key: str) -> None:
    oracle = get_oracle(key)
    _check_all(oracle, played_cases(oracle.spec, count(1500, 60)))
