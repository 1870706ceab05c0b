"""Replies of language models, each with its right reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from craftax_text_gym.replies.parsing import MAX_ACTIONS, parse_actions

_FOLDER = Path(__file__).parent
CASES: list[dict[str, Any]] = [
    json.loads(line)
    for name in ("cases.jsonl", "attacks.jsonl")
    for line in (_FOLDER / name).read_text("utf-8").splitlines()
]
"""`cases.jsonl` came with the task; `attacks.jsonl` holds what was tried against the reader afterwards."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}: {case['reply']!r:.50}")
def test_a_reply_is_read_rightly(case: dict[str, Any]) -> None:
    result = parse_actions(case["reply"], case["game"], max_actions=case["max_actions"] or MAX_ACTIONS)
    assert (list(result.names) or None) == case["want"], result.error
    assert result.valid == (case["want"] is not None)
    assert "No action is called '<" not in str(result.error)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("<think>left", "The reply was cut off inside its thought."),
        ("<think>left</think>", "The reply holds nothing but a thought."),
        ("<!-- left -->", "The reply holds nothing but a comment."),
        ("act()", "The tool call has no action: expected the argument 'action' or 'actions'."),
        ('{"name": "search", "arguments": {}}', "The reply calls the tool 'search', not 'act'."),
        ('{"action": "le', "The reply's JSON or call is cut off."),
        ('{"action": null}', "Expected a name or an index, got null."),
        ("left or right", "The reply offers 'left or right' and chooses none of them."),
        ("do not sleep", "The reply says what not to do: 'do not sleep'."),
        ("do sleep", "'do sleep' may be one action or two: put a comma between two."),
        ("1.", "'1.' may be a number of a list or an index: write the index alone."),
        ("LEFT?", "No action is called 'left?'. The closest names: left."),
        ("<", "The reply holds signs where the name of an action should be."),
        ("I will look for a tree first.", "The reply is prose and marks no action: write <action>name</action>."),
        ("<action>name</action>", "The reply repeats the format: write the name of an action in it."),
    ],
)
def test_the_error_names_what_is_wrong_with_the_reply(reply: str, error: str) -> None:
    assert parse_actions(reply, "classic").error == error
