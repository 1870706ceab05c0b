"""Approved texts: what people read changes only when somebody has looked. `APPROVE=1` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text import PRESETS
from craftax_text_gym.text.writer import get_writer
from tests.worlds import GAMES, edited_states, played_states, scene_of, to_numpy

GOLDEN = Path(__file__).parent.parent / "golden"


def moments(key: str) -> list[Moment]:
    """A first sight, one of play, and a few that hold much at once."""
    engine = get_engine(key)
    played = played_states(key)
    states = [played[0], played[2], *edited_states(key, 4, seed=7)]
    scenes = [scene_of(engine, to_numpy(state)) for state in states]
    masks = [scene.action_mask for scene in scenes]
    return [Moment(scene, mask) for scene, mask in zip(scenes, masks, strict=True)]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("name", PRESETS)
def test_the_texts_are_the_approved_ones(key: str, name: str) -> None:
    writer = get_writer(get_engine(key).spec, PRESETS[name])
    text = "\n\n----\n\n".join(writer.write(moment) for moment in moments(key)) + "\n"
    path = GOLDEN / f"{key}_{name}.txt"
    if os.environ.get("APPROVE"):
        path.write_text(text)
    assert text == path.read_text()
