"""Notes leave every markup whole, and every text within its space."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict
from hypothesis import given, settings
from hypothesis import strategies as st

from craftax_text_gym.spaces import CHARSET, ObservationText
from craftax_text_gym.text.notes import add_notes, clip, find_text, get_text, grow_space, put_text, room_for
from tests import proof
from tests.subprocesses import CLASSIC_ID

NOTES = st.lists(st.text(st.characters(codec="utf-8"), max_size=60), max_size=4)
TEXTS = {
    name: str(gym.make(CLASSIC_ID, text_format=name).reset(seed=0)[0]) for name in ("markdown", "json", "xml", "plain")
}


@pytest.mark.parametrize("name", TEXTS)
@given(first=NOTES, second=NOTES)
@settings(max_examples=proof.count(500, 40), deadline=None)
def test_notes_are_added_in_order_and_fit(name: str, first: list[str], second: list[str]) -> None:
    text = TEXTS[name]
    first, second = ([clip(note, 40) for note in notes] for notes in (first, second))
    noted = add_notes(add_notes(text, first), second)
    assert len(noted) <= len(text) + room_for(len(first), 40) + room_for(len(second), 40)
    assert set(noted) <= set(CHARSET)
    if not first + second:
        assert noted == text
    elif name == "json":
        assert json.loads(noted) == {**json.loads(text), "notes": first + second}
    elif name == "xml":
        assert (ET.fromstring(noted).findtext("notes") or "").strip() == "\n".join(first + second).strip()
        assert len(ET.fromstring(noted)) == len(ET.fromstring(text)) + 1
    else:
        assert noted.startswith(text)
        assert all(note in noted for note in first + second)


def test_what_only_looks_like_json_gets_lines() -> None:
    assert add_notes("{map}", ["Told."]) == "{map}\n\nTold."
    assert add_notes("{}", ["Told."]) == '{"notes":["Told."]}'


def test_a_note_is_clipped_to_characters_of_an_observation() -> None:
    assert clip("wei\u00df", 10) == "wei?"
    assert clip("x" * 11, 10) == "xxxxxxx..."


def test_the_text_is_found_at_any_depth() -> None:
    box = Box(0, 1, (2,), np.float32)
    both = Dict({"text": ObservationText(10), "symbolic": box})
    nested = Dict({"pixels": box, "state": both})
    assert [find_text(space) for space in (ObservationText(), both, nested, box)] == [
        (),
        ("text",),
        ("state", "text"),
        None,
    ]
    assert find_text(Dict({"a": ObservationText(), "b": ObservationText()})) is None
    grown = grow_space(nested, ("state", "text"), 5, times=2)
    assert grown["state"]["text"].max_length == 25  # type: ignore[index]
    assert grown["pixels"] == box  # type: ignore[index]
    observation = {"pixels": 0, "state": {"text": "a", "symbolic": 1}}
    changed = put_text(observation, ("state", "text"), "b")
    assert (get_text(observation, ("state", "text")), get_text(changed, ("state", "text"))) == ("a", "b")
    assert changed == {"pixels": 0, "state": {"text": "b", "symbolic": 1}}
