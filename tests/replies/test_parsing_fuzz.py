"""No reply raises, hangs, or yields an action that is not written in it."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.replies.aliases import vocabulary_of
from craftax_text_gym.replies.parsing import MAX_ACTIONS, ParsedActions, parse_actions
from tests.proof import count
from tests.replies import dialects
from tests.replies.test_cases import CASES

SPECS = pytest.mark.parametrize("spec", games.ALL, ids=lambda spec: spec.key)
PROPERTY = settings(
    max_examples=count(5_000, 100), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

_LONGEST = 1000
_LISTED = 4
"""From how many actions on a list in the game's order may be taken for a list of what there is."""

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
    is_english = any(first == ("do", 1) and second[0] != "do" for first, second in itertools.pairwise(parts))
    assume(separator != " " or not (is_english or "rest up" in " ".join(name for name, _ in parts)))
    assume(expected != tuple(sorted(set(expected))) or len(expected) < _LISTED)
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


_ANSWERS = st.lists(st.sampled_from(games.CLASSIC.actions), min_size=1, max_size=4).filter(
    lambda names: names[0] != "noop" or len(names) < 3
)
_WRITERS = st.sampled_from([*dialects.CALLS.values(), *dialects.MARKS.values()])
_TEXTS = [case["reply"] for case in CASES if isinstance(case["reply"], str) and len(case["reply"]) < _LONGEST]
_INSIDE = st.one_of(
    st.sampled_from(_TEXTS),
    st.lists(_NAMES | _GLUE | st.text(max_size=4), max_size=8).map("".join),
)
"""What a thought may hold: anything, answers above all."""


def _holds(text: str, sides: tuple[str, str]) -> bool:
    """Whether a text has a token of a dialect, or of one that may be taken for it."""
    return any(side.strip("</>|[]\u25c1\u25b7 \n").lower() in text.lower() for side in sides) or "<|" in text


@SPECS
@PROPERTY
@given(
    sides=st.sampled_from(dialects.THOUGHTS + dialects.ASIDES),
    inside=_INSIDE,
    write=_WRITERS | st.just(", ".join),
    names=_ANSWERS,
    is_last=st.booleans(),
)
def test_what_stands_in_a_thought_or_comment_never_acts(
    spec: GameSpec, sides: tuple[str, str], inside: str, write: dialects.Writer, names: list[str], is_last: bool
) -> None:
    assume(not _holds(inside, sides))
    thought, answer = f"{sides[0]}{inside}{sides[1]}", write(names)
    cut = parse_actions(f"{sides[0]}{inside}", spec)
    assert (cut.valid, cut.reason) == (False, "unfinished")
    assert not parse_actions(thought, spec).valid
    assert parse_actions(f"{answer}\n{sides[0]}{inside}", spec).reason in ("unfinished", "ambiguous")
    is_last = is_last and sides in dialects.ASIDES
    result = parse_actions(f"{answer}\n{thought}" if is_last else f"{thought}\n{answer}", spec)
    assert list(result.names) == names, result.error


@SPECS
@PROPERTY
@given(inside=_INSIDE, names=_ANSWERS, kind=st.sampled_from(["thinking", "reasoning", "thought", "redacted_thinking"]))
def test_what_stands_in_a_part_for_thoughts_never_acts(
    spec: GameSpec, inside: str, names: list[str], kind: str
) -> None:
    thought = {"type": kind, "text": inside, "thinking": inside, "content": [{"type": "text", "text": inside}]}
    assert not parse_actions([thought], spec).valid
    parts = [thought, {"type": "text", "text": ", ".join(names)}]
    message = {"role": "assistant", "content": parts, "reasoning_content": inside}
    for reply in (parts, message, json.dumps(parts), json.dumps(message)):
        assert list(parse_actions(reply, spec).names) == names
    assert not parse_actions({**message, "role": "user"}, spec).valid


@SPECS
@PROPERTY
@given(write=_WRITERS, names=_ANSWERS, data=st.data())
def test_every_dialect_says_the_same_and_cut_off_says_nothing(
    spec: GameSpec, write: dialects.Writer, names: list[str], data: st.DataObject
) -> None:
    text = write(names)
    prose = data.draw(st.sampled_from(["", "I see a tree on the left, so I go up to it.\n\n"]))
    result = parse_actions(f"{prose}{text}{data.draw(st.sampled_from(dialects.ENDINGS))}", spec)
    is_bare = bool(prose) and text.startswith("[") and "act" not in text
    assert list(result.names) == ([] if is_bare else names), result.error
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    assert not parse_actions(f"{prose}{cut}", spec).valid


@SPECS
@PROPERTY
@given(write=st.sampled_from([*dialects.LABELS.values()]), names=_ANSWERS, ending=st.sampled_from(dialects.ENDINGS))
def test_every_label_says_the_same(spec: GameSpec, write: dialects.Writer, names: list[str], ending: str) -> None:
    result = parse_actions(f"{write(names)}{ending}", spec)
    assert list(result.names) == names, result.error


@SPECS
@PROPERTY
@given(reply=st.sampled_from(_TEXTS), data=st.data())
def test_a_changed_reply_names_what_it_asks_for(reply: str, data: st.DataObject, spec: GameSpec) -> None:
    start = data.draw(st.integers(0, len(reply)))
    end = data.draw(st.integers(start, min(len(reply), start + 12)))
    new = data.draw(_GLUE | _NAMES | st.text(max_size=2)) * data.draw(st.integers(0, 2))
    changed = reply[:start] + new + reply[end:]
    _assert_sound(parse_actions(changed, spec), changed, spec)


_LEADS = st.sampled_from(
    [
        "You said: ",
        "For example: ",
        "e.g. ",
        "The format is ",
        "The instructions say ",
        "You asked: Reply with the name of an action, or mark it: ",
        "I will not ",
        "Never ",
        "Instead of ",
        "> ",
        "// ",
        'The prompt says "',
    ]
)


@SPECS
@PROPERTY
@given(lead=_LEADS, names=_ANSWERS, mark=st.sampled_from(["tag", "box", "JSON"]))
def test_what_is_quoted_or_ruled_out_never_acts(spec: GameSpec, lead: str, names: list[str], mark: str) -> None:
    quoted = lead + dialects.MARKS[mark](names) + ('"' if lead[-1] == '"' else "") + "."
    assert not parse_actions(quoted, spec).valid
    result = parse_actions(f"{quoted}\nNow my answer: {dialects.MARKS[mark](names[:1])}", spec)
    assert list(result.names) == names[:1], result.error
