"""Notes leave every markup whole, and every text within its space."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence

import gymnasium as gym
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from craftax_text_gym.spaces import CHARSET
from craftax_text_gym.text import Body, WordMarkup
from craftax_text_gym.text.notes import add_notes, clip, put_first, room_for
from craftax_text_gym.wrappers.step_cap import StepCap
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
    noted = add_notes(add_notes(text, first, name), second, name)
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


@pytest.mark.parametrize("name", TEXTS)
@given(first=st.text(st.characters(codec="utf-8"), max_size=60), notes=NOTES)
@settings(max_examples=proof.count(500, 40), deadline=None)
def test_what_must_be_read_first_stands_first(name: str, first: str, notes: list[str]) -> None:
    first, notes = clip(first, 40), [clip(note, 40) for note in notes]
    text = add_notes(put_first(TEXTS[name], first, name), notes, name)
    assert text == put_first(add_notes(TEXTS[name], notes, name), first, name)
    assert len(text) <= len(TEXTS[name]) + room_for(len(notes), 40) + room_for(1, 40)
    if name == "json":
        whole = json.loads(text)
        assert next(iter(whole.items())) == ("error", first)
        assert whole == {"error": first, **json.loads(TEXTS[name]), **({"notes": notes} if notes else {})}
    elif name == "xml":
        assert (ET.fromstring(text)[0].tag, (ET.fromstring(text)[0].text or "").strip()) == ("error", first.strip())
    else:
        assert text == f"{first}\n\n{add_notes(TEXTS[name], notes, name)}"


def test_what_must_be_read_first_in_a_longer_or_an_empty_text() -> None:
    assert put_first("=== Now ===\n{}", "Wrong.", "json") == "Wrong.\n\n=== Now ===\n{}"
    assert json.loads(put_first("{}", "Wrong.", "json")) == {"error": "Wrong."}
    assert put_first("nothing to report", "Wrong.", "xml") == "Wrong.\n\nnothing to report"


def test_a_list_of_notes_within_a_section_is_left_alone() -> None:
    for section in ('{"a":1,"notes":["x"]}', '{"notes":["x"]}', '["notes",["x"]]', r'",\"notes\":[\"x\"]"', '["x"]'):
        text = f'{{"own:Section":{section}}}'
        noted = add_notes(add_notes(text, ["One."], "json"), ["Two."], "json")
        assert json.loads(noted) == {**json.loads(text), "notes": ["One.", "Two."]}


@pytest.mark.parametrize("markup", ["json", "xml", "markdown"])
def test_a_text_that_a_wrapper_put_around_another_gets_lines(markup: str) -> None:
    assert add_notes("=== Now ===\n{}", ["Note."], "json") == "=== Now ===\n{}\n\nNote."
    assert add_notes("nothing to report", ["One.", "Two."], markup) == "nothing to report\n\nOne.\nTwo."


class Braces(WordMarkup):
    """A user's own markup that looks like JSON."""

    structured = False

    def __init__(self, titles: Mapping[str, str]) -> None:
        self.titles = titles

    def write(self, bodies: Mapping[str, Body]) -> str:
        return f"{{{', '.join(bodies)}}}"


class Footnotes(Braces):
    """A user's own markup that places notes itself."""

    @staticmethod
    def add_notes(text: str, notes: Sequence[str]) -> str:
        return f"{text} [{' '.join(notes)}]"


@pytest.mark.parametrize(("name", "expected"), [("Braces", "{status}\n\n{}"), ("Footnotes", "{status} [{}]")])
def test_a_users_own_markup_places_notes_or_gets_lines(name: str, expected: str) -> None:
    text_format = {"markup": f"{__name__}:{name}", "sections": ["status"]}
    env = StepCap(gym.make(CLASSIC_ID, text_format=text_format), 9, announce=True)
    assert env.reset(seed=0)[0] == expected.replace("{}", "Steps left in this episode: 9.")


def test_a_note_is_clipped_to_characters_of_an_observation() -> None:
    assert clip("wei\u00df", 10) == "wei?"
    assert clip("x" * 11, 10) == "xxxxxxx..."
