"""Replies of language models, each with its right reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from craftax_text_gym.replies.parsing import MAX_ACTIONS, parse_actions

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}: {case['reply']!r:.50}")
def test_a_reply_is_read_rightly(case: dict[str, Any]) -> None:
    result = parse_actions(case["reply"], case["game"], max_actions=case["max_actions"] or MAX_ACTIONS)
    assert (list(result.names) or None) == case["want"], case["why"]
    assert result.valid == (case["want"] is not None)
    assert "No action is called '<" not in str(result.error)
