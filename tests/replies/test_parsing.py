"""Replies of every kind: what is read, and what is refused and why."""

from __future__ import annotations

import dataclasses
import itertools
import json
import sys
from typing import Any

import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.replies import aliases as aliases_module
from craftax_text_gym.replies.aliases import ALIASES, UNCLEAR, vocabulary_of
from craftax_text_gym.replies.parsing import parse_actions
from tests.replies.replies import READ, READ_IN_FULL, REFUSED

SPECS = pytest.mark.parametrize("spec", games.ALL, ids=lambda spec: spec.key)


@SPECS
@pytest.mark.parametrize("reply", READ, ids=lambda reply: repr(reply[:40]))
def test_a_reply_is_read_as_written(reply: str, spec: GameSpec) -> None:
    result = parse_actions(reply, spec)
    assert result.error is None
    assert " ".join(result.names) == READ[reply]
    assert result.actions == tuple(spec.action_index[name] for name in result.names)
    assert result.valid


@pytest.mark.parametrize("reply", READ_IN_FULL)
def test_the_full_game_reads_its_own_actions_which_classic_refuses(reply: str) -> None:
    assert parse_actions(reply, "full").names == (READ_IN_FULL[reply],)
    assert not parse_actions(reply, "classic").valid


@SPECS
@pytest.mark.parametrize("reply", REFUSED, ids=lambda reply: repr(reply[:40]))
def test_what_is_not_clearly_an_action_is_refused_with_its_reason(reply: str, spec: GameSpec) -> None:
    reason, suggestion = REFUSED[reply]
    result = parse_actions(reply, spec)
    assert (result.reason, result.valid, result.actions, result.names) == (reason, False, (), ())
    assert result.error
    assert result.error.isascii()
    assert len(result.error) < 400
    assert set(result.suggestions) <= set(spec.actions)
    assert not suggestion or suggestion in result.suggestions


def test_an_action_of_the_other_game_is_named_as_such() -> None:
    result = parse_actions("cast a fireball", "classic")
    assert result.reason == "unknown"
    assert "only in Craftax" in str(result.error)


def test_a_phrase_with_one_meaning_in_classic_may_have_two_in_the_full_game() -> None:
    assert parse_actions("go up", "classic").names == ("up",)
    assert parse_actions("go up", "full").suggestions == ("up", "ascend")


@SPECS
def test_every_name_is_read_in_every_written_form(spec: GameSpec) -> None:
    for index, name in enumerate(spec.actions):
        words = name.split("_")
        spellings = {
            sep.join(case(word) for word in words) for sep in "_- " for case in (str.lower, str.upper, str.title)
        }
        forms = {*spellings, "".join(map(str.title, words)), str(index)}
        frames = (
            "{}",
            '"{}"',
            "<action>{}</action>",
            "\\boxed{{{}}}",
            "```\n{}\n```",
            '{{"action": "{}"}}',
            "x\nAction: {}",
        )
        for form, frame in itertools.product(forms, frames):
            assert parse_actions(frame.format(form), spec).actions == (index,), frame.format(form)
        for form in spellings:
            assert parse_actions(f"{form}*3", spec).actions == (index,) * 3
            assert parse_actions(f"left, 2x {form}; {form}", spec).actions == (1, index, index, index)


@SPECS
def test_every_alias_means_its_action_and_every_unclear_phrase_is_refused(spec: GameSpec) -> None:
    phrases = vocabulary_of(spec).phrases
    assert {means[0] for means in phrases.values() if len(means) == 1} == set(range(len(spec.actions)))
    for phrase, means in phrases.items():
        result = parse_actions(phrase.upper(), spec)
        assert result.actions == (means if len(means) == 1 else ()), phrase
        assert result.valid or result.suggestions == tuple(spec.actions[index] for index in means)


def test_the_tables_name_no_action_that_does_not_exist() -> None:
    assert set(ALIASES) <= set(games.FULL.actions)
    for template in UNCLEAR:
        for phrase in aliases_module._expanded(template):
            assert phrase in vocabulary_of(games.FULL).phrases, phrase


def test_an_alias_that_means_two_actions_is_an_error_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aliases_module, "ALIASES", {**ALIASES, "left": ("go east",)})
    with pytest.raises(ValueError, match="go east"):
        aliases_module._phrases(games.FULL)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"action": "left"}, "left"),
        ({"actions": ("left", {"action": "do", "repeat": 2})}, "left do do"),
        ({"arguments": json.dumps({"action": "left*2"})}, "left left"),
        (["left", 5, np.int64(3)], "left do up"),
        (5, "do"),
        (np.uint8(5), "do"),
    ],
)
def test_the_arguments_of_a_tool_call_are_read(arguments: Any, names: str) -> None:
    assert " ".join(parse_actions(arguments, "full").names) == names


@pytest.mark.parametrize(
    "reply", [None, True, 5.0, b"left", bytearray(b"left"), {"left"}, object(), np.array([1]), np.bool_(1)]
)
def test_a_reply_of_another_type_is_a_type_error(reply: Any) -> None:
    with pytest.raises(TypeError, match="Expected a reply"):
        parse_actions(reply, "full")


def test_wrong_parameters_are_errors() -> None:
    with pytest.raises(ValueError, match="max_actions"):
        parse_actions("left", "full", max_actions=0)
    for wrong in (True, 1.0, "1"):
        with pytest.raises(TypeError, match="max_actions"):
            parse_actions("left", "full", max_actions=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Unknown game"):
        parse_actions("left", "chess")


@pytest.mark.parametrize(
    "reply", ["do*{}", "do " * 7, ["do"] * 7, {"action": "do", "count": 7}, "<action>do</action>" * 7]
)
def test_the_cap_is_exact_and_nothing_is_cut_off(reply: Any) -> None:
    reply = reply.format(7) if isinstance(reply, str) else reply
    assert parse_actions(reply, "full", max_actions=7).names == ("do",) * 7
    assert parse_actions(reply, "full", max_actions=6) == dataclasses.replace(
        parse_actions("do*7", "full", max_actions=6), actions=(), names=()
    )


def test_endless_and_circular_arguments_end() -> None:
    circular: list[Any] = ["left"]
    circular.append(circular)
    assert parse_actions(circular, "full").reason == "malformed"
    mapping: dict[str, Any] = {}
    mapping["action"] = mapping
    assert parse_actions(mapping, "full").reason == "malformed"
    message: dict[str, Any] = {"role": "assistant", "content": []}
    message["content"] += [message, message]
    assert parse_actions(message, "full").reason == "malformed"
    numbered: Any = {10**5000: "left"}
    assert parse_actions(numbered, "full").reason == "malformed"
    assert parse_actions([0] * 1_000_000, "full").reason == "too_many"
    assert parse_actions(range(10**9), "full").reason == "index"
    assert parse_actions({"action": {"action": "left", "count": 100}, "count": 10**12}, "full").reason == "too_many"


def test_deep_json_is_refused_whatever_the_recursion_limit() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        for deep in ("[" * 500_000, '{"action":' * 100_000, 'x {"action":[' * 50_000):
            assert parse_actions(deep, "full").reason == "malformed"
    finally:
        sys.setrecursionlimit(limit)
