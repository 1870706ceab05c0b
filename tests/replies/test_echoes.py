"""What this package itself tells a model never acts when a model repeats it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from craftax_text_gym import games, instructions, manual
from craftax_text_gym.agents.llm.options import LLMOptions, Mode
from craftax_text_gym.agents.llm.prompt import system_prompt
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.replies import tool_schemas
from craftax_text_gym.replies.parsing import parse_actions
from craftax_text_gym.text import PRESETS

_GOLDEN = Path(__file__).parents[1] / "golden"
_QUOTES = ("{}", "You asked: {}", "The instructions:\n\n{}", '"{}"', "```\n{}\n```", "<system>\n{}\n</system>")
SPECS = pytest.mark.parametrize("spec", games.ALL, ids=lambda spec: spec.key)


def assert_idle(text: str, spec: GameSpec) -> None:
    """No part of a text acts: not the whole, no paragraph and no line, however it is quoted."""
    parts = {text, *text.split("\n\n"), *text.split("\n")} - {""}
    for part in parts:
        for quote in _QUOTES:
            for max_actions in (1, 100):
                result = parse_actions(quote.format(part), spec, max_actions=max_actions)
                assert not result.valid, (quote, part, result.names)


@SPECS
@pytest.mark.parametrize("text_format", PRESETS)
@pytest.mark.parametrize("max_actions", [None, 1, 5])
def test_the_instructions(spec: GameSpec, text_format: str, max_actions: int | None) -> None:
    assert_idle(instructions(spec, text_format, max_actions=max_actions), spec)


@SPECS
def test_the_manual(spec: GameSpec) -> None:
    assert_idle(manual(spec), spec)


@SPECS
@pytest.mark.parametrize("mode", ["text", "tools"])
def test_the_prompt_of_the_agent(spec: GameSpec, mode: Mode) -> None:
    options = LLMOptions(model="m", game=spec.key, mode=mode, scratchpad=True)
    prompt = system_prompt(options, floor=0)
    assert not parse_actions(prompt, spec).valid
    assert_idle(prompt.split("# How to go on")[1], spec)


def _descriptions(spec: GameSpec) -> Iterator[dict[str, Any]]:
    makers = (
        tool_schemas.openai_chat,
        tool_schemas.openai_responses,
        tool_schemas.anthropic,
        tool_schemas.mcp,
        tool_schemas.parameters,
    )
    for maker in makers:
        for max_actions in (1, 5):
            yield maker(spec, max_actions=max_actions)


@SPECS
def test_the_descriptions_of_the_tool(spec: GameSpec) -> None:
    for tool in _descriptions(spec):
        text = json.dumps(tool)
        texts = (text, str(tool), json.dumps(tool, indent=2), f"```json\n{text}\n```", f"The tool: {text}")
        for quote in (tool, [tool], *texts, f"<tools>{text}</tools>", f"<tool_call>{text}</tool_call>"):
            assert not parse_actions(quote, spec).valid, quote


@SPECS
@pytest.mark.parametrize("text_format", PRESETS)
def test_an_observation(spec: GameSpec, text_format: str) -> None:
    golden = (_GOLDEN / f"{spec.key}_{text_format}.txt").read_text("utf-8")
    for observation in golden.split("\n----\n"):
        result = parse_actions(observation.strip(), spec)
        assert not result.valid, (observation, result.names)
