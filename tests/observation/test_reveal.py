"""`reveal` shows the facts that it names, and these alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.observation.layout import REVEALABLE
from tests import proof
from tests.observation.hiding import unseen
from tests.playing import make, same
from tests.subprocesses import IDS, actions_of
from tests.worlds import GAMES, SLOTS, edited_states, floor_of, scene_of


@pytest.mark.parametrize("key", GAMES)
def test_reveal_shows_exactly_the_named_facts_and_truly(key: str) -> None:
    engine = get_engine(key)
    spec = engine.spec
    fields = {fact: fact for fact in REVEALABLE}
    seen = set()
    rng = np.random.default_rng(0)
    for state in edited_states(key, proof.count(1_000, 60), seed=6):
        state = with_plants(spec, state, rng)
        hidden = scene_of(engine, state)
        for bit, fact in enumerate(REVEALABLE):
            scene = scene_of(engine, state, reveal=1 << bit)
            names = {name for name in scene.row.dtype.names or () if scene.field(name) != hidden.field(name)}
            assert names <= {fields[fact]}
            seen |= names
            assert (scene.position is not None) is (fact == "position")
            assert (scene.kills is not None) is (fact == "kills" and key == "full")
            assert (scene.potion_effects is not None) is (fact == "potion_effects" and key == "full")
            if fact not in ("plant_age", "mob_health"):
                assert scene.plant_ages == {}
                assert all(thing.health is None for thing in scene.things)
        assert_true(spec, state, scene_of(engine, state, reveal=31))
    assert seen == set(REVEALABLE) - ({"kills", "potion_effects"} if key == "classic" else set())


def with_plants(spec: games.GameSpec, state: Any, rng: np.random.Generator) -> Any:
    """Some plants of every age in and out of view; the full game's grow on its first floor only."""
    if spec.key == "full" and rng.random() < 0.5:
        state = state.replace(player_level=np.int32(0))
    positions = state.player_position + rng.integers(-6, 7, size=state.growing_plants_positions.shape)
    state.growing_plants_positions[:] = np.clip(positions, 0, np.array(spec.map_size) - 1)
    state.growing_plants_age[:] = rng.integers(900, size=state.growing_plants_age.shape)
    _, first = np.unique(state.growing_plants_positions, axis=0, return_index=True)
    state.growing_plants_mask[:] = np.isin(np.arange(len(positions)), first) & (rng.random(len(positions)) < 0.8)
    floor = 0 if spec.key == "full" else ...
    for row, column in state.growing_plants_positions:
        kinds = ("plant", "ripe_plant", "grass")
        state.map[floor][row, column] = spec.block_index[kinds[rng.integers(3)]]
    return state


def assert_true(spec: games.GameSpec, state: Any, scene: Any) -> None:
    floor, (row, column) = floor_of(spec, state), state.player_position
    assert scene.position == (row, column)
    mobs = [
        (getattr(state, slots.field), slot)
        for slots in SLOTS[spec.key]
        if not slots.headings
        for slot in range(state_slots(spec, state, slots))
    ]
    seen = []
    for group, slot in mobs:
        position = group.position[floor][slot]
        down, right = position - state.player_position
        inside = abs(down) <= spec.window[0] // 2 and abs(right) <= spec.window[1] // 2
        if group.mask[floor][slot] and inside and not unseen(spec, state)[floor][tuple(position)]:
            seen.append((int(down), int(right), float(group.health[floor][slot])))
    creatures = {(thing.down, thing.right, thing.health) for thing in scene.things if thing.mob}
    assert creatures == set(seen)
    if spec.key == "full":
        assert scene.kills == state.monsters_killed[floor]
        effects = (("health", 8), ("health", -3), ("mana", 8), ("mana", -3), ("energy", 8), ("energy", -3))
        assert list(scene.potion_effects.items()) == [
            (colour, effects[number]) for colour, number in zip(spec.potions, state.potion_mapping, strict=True)
        ]
    plants = {spec.block_index["plant"], spec.block_index["ripe_plant"]}
    ages = {}
    if floor in (..., 0):
        for (r, c), age, alive in zip(
            state.growing_plants_positions, state.growing_plants_age, state.growing_plants_mask, strict=True
        ):
            down, right = int(r - row), int(c - column)
            inside = abs(down) <= spec.window[0] // 2 and abs(right) <= spec.window[1] // 2
            if alive and inside and not unseen(spec, state)[floor][r, c] and state.map[floor][r, c] in plants:
                ages[down, right] = int(age)
    assert scene.plant_ages == ages


def state_slots(spec: games.GameSpec, state: Any, slots: Any) -> int:
    return len(getattr(state, slots.field).mask[floor_of(spec, state)])


@pytest.mark.parametrize("env_id", IDS)
def test_revealed_facts_are_given_by_the_environment_and_by_default_none(env_id: str) -> None:
    hidden, shown = make(env_id), make(env_id, reveal=reversed(REVEALABLE))
    assert (hidden.reveal, shown.reveal) == ((), REVEALABLE)
    hidden.reset(seed=0)
    shown.reset(seed=0)
    for action in actions_of(hidden, 10):
        assert hidden.scene.position is None
        assert hidden.scene.kills is None
        assert all(thing.health is None for thing in hidden.scene.things)
        assert shown.scene.position == tuple(shown.state.player_position.tolist())
        assert same(hidden.step(action)[1:], shown.step(action)[1:])
