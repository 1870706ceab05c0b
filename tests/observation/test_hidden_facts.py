"""What the player cannot see changes nothing that it reads."""

from __future__ import annotations

import numpy as np
import pytest

from craftax_text_gym import TextFormat
from craftax_text_gym.availability import reasons
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.observation.layout import DARK
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.writer import get_writer
from tests import proof
from tests.observation.hiding import change_hidden_facts
from tests.worlds import GAMES, SLOTS, edited_states, played_states, scene_of, to_numpy


@pytest.mark.parametrize("key", GAMES)
def test_hidden_facts_change_neither_text_nor_mask_nor_reason(key: str) -> None:
    engine = get_engine(key)
    rng = np.random.default_rng(0)
    writers = [get_writer(engine.spec, TextFormat(map=way)) for way in ("both", "list")]
    changed = 0
    for state in edited_states(key, proof.count(3_000, 120), seed=3):
        first, second = scene_of(engine, state), scene_of(engine, change_hidden_facts(engine.spec, state, rng))
        assert first.data == second.data
        masks = [scene.action_mask for scene in (first, second)]
        assert masks[0].tolist() == masks[1].tolist()
        for action in range(len(engine.spec.actions)):
            assert reasons.explain(first, action) == reasons.explain(second, action)
        for writer in writers:
            texts = [writer.write(Moment(scene, mask)) for scene, mask in zip((first, second), masks, strict=True)]
            assert texts[0] == texts[1]
        changed += bool((np.asarray(state.map) != change_hidden_facts(engine.spec, state, rng).map).any())
    assert changed == proof.count(3_000, 120)


@pytest.mark.parametrize("key", GAMES)
def test_the_changed_facts_are_hidden_from_upstreams_observation_too(key: str) -> None:
    engine = get_engine(key)
    rng = np.random.default_rng(1)
    for state in edited_states(key, 30, seed=4):
        other = change_hidden_facts(engine.spec, state, rng)
        # Upstream lets one that is out of view, or gone, erase a creature in view.
        mobs = {slots.field: getattr(state, slots.field) for slots in SLOTS[key]}
        first, second = (engine.symbolic(engine.from_state(facts)) for facts in (state, other.replace(**mobs)))
        np.testing.assert_array_equal(first, second)


def test_dark_tiles_are_told_as_dark() -> None:
    engine = get_engine("full")
    state = to_numpy(played_states("full")[0])
    state.light_map[:] = 0
    scene = scene_of(engine, state)
    assert (scene.blocks == DARK).all()
    assert scene.things == ()
