"""What the scripted agent reads, against the scene that the text was written from."""

from __future__ import annotations

import json

import numpy as np
import pytest

from craftax_text_gym.agents.scripted.perception import read
from craftax_text_gym.agents.scripted.view import UNSEEN, View
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.observation.layout import DARK
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.text import PRESETS
from craftax_text_gym.text.writer import get_writer
from tests.proof import count
from tests.worlds import GAMES, edited_states, scene_of

TOOLS = ("pickaxe", "sword", "bow")


def text_of(scene: Scene) -> str:
    moment = Moment(scene, np.ones(len(scene.spec.actions), np.int8))
    return get_writer(scene.spec, PRESETS["json"]).write(moment)


def assert_same(view: View, scene: Scene) -> None:
    assert view.spec is scene.spec
    seen = np.frombuffer(view.blocks, np.uint8).reshape(scene.spec.window)
    assert np.array_equal(seen, np.where(scene.blocks == DARK, UNSEEN, scene.blocks))
    assert view.health == pytest.approx(scene.health, abs=0.05)
    assert tuple(view.wants.values()) == (scene.food, scene.drink, scene.energy)
    assert (view.facing, view.floor, view.is_idle) == (scene.direction, scene.floor, scene.sleeping or scene.resting)
    assert view.achievements == set(scene.achievements)
    creatures = [(seen.mob.label, seen.down, seen.right) for seen in view.creatures]
    assert creatures == [(seen.label, seen.down, seen.right) for seen in scene.things if seen.mob]
    shots = [(seen.down, seen.right, seen.heading, seen.is_own) for seen in view.shots]
    expected = [seen for seen in scene.things if not seen.mob]
    assert shots == [(seen.down, seen.right, seen.heading, seen.owner == "player") for seen in expected]
    assert {name: view.counts[name] for name in scene.materials if name not in scene.spec.tools} == {
        name: amount for name, amount in scene.materials.items() if name not in scene.spec.tools
    }
    if scene.is_full:
        assert view.tiers == {tool: scene.materials[tool] for tool in TOOLS}
        assert (view.armour, view.potions) == (scene.armour, scene.potions)
        assert view.experience == scene.attributes[0]


@pytest.mark.parametrize("key", GAMES)
def test_the_view_equals_the_scene(key: str) -> None:
    engine = get_engine(key)
    for state in edited_states(key, count(5_000, 150)):
        scene = scene_of(engine, state)
        assert_same(read(text_of(scene)), scene)


@pytest.mark.parametrize("key", GAMES)
def test_items_are_read_wherever_they_lie(key: str) -> None:
    engine = get_engine(key)
    for state in edited_states(key, count(1_000, 60)):
        scene = scene_of(engine, state)
        rows, columns = scene.spec.window
        read_items = {(down, right): label for down, right, label in read(text_of(scene)).items}
        shown = {
            (int(row) - rows // 2, int(column) - columns // 2): scene.spec.items[scene.items[row, column]].label
            for row, column in np.argwhere(scene.items)
        }
        assert read_items == shown


@pytest.mark.parametrize("text", ["", "You see grass.", "[]", "{}", json.dumps({"achievements": {"total": 3}})])
def test_another_format_is_refused_with_the_cure(text: str) -> None:
    with pytest.raises(ValueError, match="Make the environment with text_format='json'"):
        read(text)
