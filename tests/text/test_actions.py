"""What is available and what only may be: apart in the text, together in the mask."""

from __future__ import annotations

import json

import numpy as np
import pytest

from craftax_text_gym.availability.reasons import caveat, explain, perhaps
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text import TextFormat
from craftax_text_gym.text.writer import get_writer
from tests import proof
from tests.worlds import GAMES, edited_states, played_states, scene_of, to_numpy


@pytest.mark.parametrize("key", GAMES)
def test_what_only_may_be_available_is_listed_apart(key: str) -> None:
    engine = get_engine(key)
    spec, doubts = engine.spec, 0
    written = {
        markup: get_writer(spec, TextFormat(markup=markup, sections=("actions",))) for markup in ("json", "plain")
    }
    for state in edited_states(key, proof.count(3_000, 150), seed=13):
        scene = scene_of(engine, state)
        moment = Moment(scene, scene.action_mask)
        told = json.loads(written["json"].write(moment))["actions"]
        doubtful = [spec.actions[action] for action in perhaps(scene)]
        assert told["perhaps"] == doubtful
        union = {*told["available"], *told["perhaps"]}
        assert union == {name for name, flag in zip(spec.actions, scene.action_mask, strict=True) if flag}
        assert not set(told["available"]) & set(told["perhaps"])
        for action, name in enumerate(spec.actions):
            has_caveat = explain(scene, action) is None and caveat(scene, action) is not None
            assert has_caveat == (name in doubtful), name
        lines = written["plain"].write(moment).split("\n")
        assert ("perhaps: " + ", ".join(doubtful) in lines) == bool(doubtful)
        doubts += len(doubtful)
    assert doubts


def test_by_day_in_the_open_nothing_is_doubtful() -> None:
    for key in GAMES:
        for state in played_states(key):
            if key == "full" or int(np.min(state.player_position)) > 1:
                assert perhaps(scene_of(get_engine(key), state)) == ()


def test_god_mode_needs_no_sight_of_the_way() -> None:
    engine = get_engine("full")
    state = to_numpy(played_states("full")[0])
    state.light_map[0][:] = 0.0
    scene = scene_of(engine, state)
    names = [engine.spec.actions[action] for action in perhaps(scene)]
    mighty = [engine.spec.actions[action] for action in perhaps(scene, params={"god_mode": True})]
    assert {scene.direction, "descend"} <= set(names)
    assert not {scene.direction, "ascend", "descend"} & set(mighty)
    assert "place_stone" not in mighty or "place_stone" in names
