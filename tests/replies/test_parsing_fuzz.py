"""No reply raises, hangs, or yields an action that is not written in it."""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.replies.aliases import vocabulary_of
from craftax_text_gym.replies.parsing import MAX_ACTIONS, ParsedActions, parse_actions
from tests.proof import count

SPECS = pytest.mark.parametrize("spec", games.ALL, ids=lambda spec: spec.key)
PROPERTY = settings(
    max_examples=count(5_000, 150), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

_UNITS = [
    "a",
    "left ",
    "left,",
    "{",
    "[",
    '{"',
    '{"a":',
    '{"action":',
    '{"action":"left"}x',
    '{"x":1}',
    "<action>",
    "</action>",
    "<action>left</action>",
    "<action>left</action>x",
    "<think>",
    "</think>",
    "<think",
    "\\boxed{",
    "\\boxed{{}",
    "```",
    "```a\n",
    "Action:\n",
    "Action: left\n",
    "Action: left\nx\n",
    "action ",
    " ",
    "\n",
    "\n ",
    "(",
    "**",
    "* ",
    '"',
    '\\"',
    "left*",
    "x 3 ",
    "- ",
    "1. ",
    "İ",
    "\ud800",
    "then ",
    "the ",
    "left x3 ",
    '{"arguments":',
    "]",
    "-1",
    "left*100 ",
    "place stone ",
]


@pytest.mark.parametrize("unit", _UNITS, ids=repr)
def test_the_time_grows_no_faster_than_the_text(unit: str) -> None:
    for prefix in ("", "x ", "left "):
        text = prefix + unit * (count(1_000_000, 100_000) // len(unit))
        start = time.process_time()
        parse_actions(text, "full", max_actions=10**7)
        assert time.process_time() - start < count(5, 1)


_NAMES = st.sampled_from(
    [*games.FULL.actions, "north", "wait", "craft a table", "go up", "rest", "lefft", "5", "-1", "999"]
)
_GLUE = st.sampled_from(
    [
        " ",
        "\n",
        ", ",
        ";",
        "*",
        "*3",
        " x2",
        " then ",
        "<action>",
        "</action>",
        "<think>",
        "</think>",
        "\\boxed{",
        "}",
        "{",
        "```",
        "[",
        "]",
        '"',
        "'",
        '{"action": "',
        '"}',
        "Action: ",
        "\nAction:",
        "- ",
        "1. ",
        "(",
        ")",
        "I go ",
        ".",
        "_",
        "-",
        ":",
        "\\",
        '"count": 2',
        '{"arguments": ',
        "<tool_call>",
        "</tool_call>",
        "**",
        "`",
        "\u200b",
        "\u00a0",
        "\u00d7",
        "9" * 50,
    ]
)
_REPLIES = st.one_of(
    st.text(max_size=80),
    st.lists(_NAMES | _GLUE, max_size=14).map("".join),
    st.lists(_NAMES | _GLUE | st.text(max_size=4), max_size=14).map("".join),
)
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | _NAMES | st.text(max_size=5) | st.binary(max_size=3)
_KEYS = st.sampled_from(["action", "Actions", "arguments", "function", "count", "x"])
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS | st.integers(), inner, max_size=3),
    max_leaves=8,
)


def _plain(text: str) -> str:
    """Letters and digits of a text, in order: what every way of writing a name has in common."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _assert_sound(result: ParsedActions, written: str, spec: GameSpec) -> None:
    assert result.valid == (result.reason is None) == (result.error is None) == bool(result.actions)
    assert all(type(action) is int for action in result.actions)
    assert result.names == tuple(spec.actions[action] for action in result.actions)
    assert len(result.actions) <= MAX_ACTIONS
    assert set(result.suggestions) <= set(spec.actions)
    articles = re.compile(r"\b(?:a|an|the|my|some)\b")
    written = _plain(written) + " " + _plain(articles.sub("", written.lower()))
    for action, name in set(zip(result.actions, result.names, strict=True)):
        phrases = [phrase for phrase, means in vocabulary_of(spec).phrases.items() if means == (action,)]
        assert any(_plain(phrase) in written for phrase in (name, str(action), *phrases)), (name, written)


@SPECS
@PROPERTY
@given(reply=_REPLIES)
def test_no_text_breaks_it_and_every_action_is_in_the_text(reply: str, spec: GameSpec) -> None:
    _assert_sound(parse_actions(reply, spec), reply, spec)


@SPECS
@PROPERTY
@given(value=_VALUES)
def test_no_arguments_break_it_and_json_reads_as_they_do(value: Any, spec: GameSpec) -> None:
    try:
        result = parse_actions(value, spec)
    except TypeError:
        if isinstance(value, str | list | dict):
            raise
        return
    _assert_sound(result, repr(value), spec)
    try:
        text = json.dumps(value)
    except TypeError:
        return
    if isinstance(value, list | dict) and all(isinstance(key, str) for key in getattr(value, "keys", list)()):
        assert parse_actions(text, spec).actions == result.actions


@SPECS
@PROPERTY
@given(data=st.data())
def test_what_is_written_is_read_back_however_it_is_marked(data: st.DataObject, spec: GameSpec) -> None:
    parts = data.draw(st.lists(st.tuples(st.sampled_from(spec.actions), st.integers(1, 4)), min_size=1, max_size=8))
    expected = tuple(spec.action_index[name] for name, times in parts for _ in range(times))
    separator = data.draw(st.sampled_from([", ", " ", "\n", "; ", " then ", " -> "]))
    text = separator.join(name if times == 1 else f"{name}*{times}" for name, times in parts)
    prose = data.draw(st.sampled_from(["", "I see a tree on the left, so I do it.\n", "<think>up</think>\n"]))
    frames: list[Callable[[str], str]] = [
        lambda text: f"{prose}<action>{text}</action>\nDone.",
        lambda text: f"{prose}\\boxed{{{text}}} done",
        lambda text: f"{prose}```\n{text}\n```\nDone.",
        lambda text: prose + json.dumps({"action": text}),
        lambda text: (
            prose + json.dumps({"actions": re.split("[\n,; ]+", text.replace("->", ",").replace("then", ","))})
        ),
        lambda text: f"{prose}Actions:\n{text}\n\nDone.",
    ]
    frame = data.draw(st.sampled_from(frames))
    assert parse_actions(text, spec).actions == expected
    assert parse_actions(frame(text), spec).actions == expected


@SPECS
@PROPERTY
@given(
    words=st.lists(
        st.sampled_from([*games.CLASSIC.actions, "i", "should", "not", "or", "is", "because"]), min_size=2, max_size=12
    )
)
def test_a_sentence_without_a_marker_never_acts(words: list[str], spec: GameSpec) -> None:
    result = parse_actions(" ".join(words), spec)
    is_english = any(first == "do" != second for first, second in itertools.pairwise(words))
    assert not result.valid or (all(word in spec.actions for word in words) and not is_english)
    assert result.valid or is_english or result.reason == "ambiguous" or not all(word in spec.actions for word in words)
