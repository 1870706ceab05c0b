"""The examples that ask a model, with a scripted one on loopback."""

from __future__ import annotations

import runpy
import sys
from typing import Any

import pytest

from craftax_text_gym.replies import tool_schemas
from craftax_text_gym.session import TextSession
from tests.agents.llm.server import KEY, MODEL, in_turn, serve
from tests.examples import anthropic_server
from tests.subprocesses import ROOT

_TURNS = 15
_MOVES = (["left", "left"], ["do"], ["fly"])


def _run(name: str, monkeypatch: pytest.MonkeyPatch, **environ: str) -> None:
    for key, value in environ.items():
        monkeypatch.setenv(key, value)
    monkeypatch.setattr(sys, "argv", [name, MODEL, str(_TURNS)])
    runpy.run_path(str(ROOT / "examples" / "models" / name), run_name="__main__")


def _expected(replies: list[Any]) -> tuple[list[str], str]:
    """What a session of the same moves tells, and what the example prints at its end."""
    with TextSession("classic", max_decisions=_TURNS, max_actions=5) as game:
        texts = [game.reset(seed=0), *[game.act(reply).text for reply in replies]]
        return texts, f"{texts[-1]}\n{len(game.record().achievements)}\nachievements\n"


def test_the_loop_with_openais_client(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    replies = ["I go left. <action>left*2</action>", "do", "", "fly"] * 4
    with serve(in_turn(*replies)) as server:
        _run("openai_loop.py", monkeypatch, OPENAI_API_KEY=KEY, OPENAI_BASE_URL=server.url)
    texts, output = _expected(replies[:_TURNS])
    assert capsys.readouterr().out == output
    assert [request["messages"][-1]["content"] for request in server.requests] == texts[:-1]
    assert max(len(request["messages"]) for request in server.requests) == 22
    for request in server.requests:
        roles = [message["role"] for message in request["messages"]]
        assert roles == ["system", "user", *["assistant", "user"] * (len(roles) // 2 - 1)]


def test_tool_use_with_anthropics_client(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    replies = [{"actions": _MOVES[number % 3]} for number in range(_TURNS)]
    with anthropic_server.serve(lambda number: replies[number]) as (url, requests):
        _run("anthropic_tool_use.py", monkeypatch, ANTHROPIC_API_KEY=anthropic_server.KEY, ANTHROPIC_BASE_URL=url)
    texts, output = _expected(replies)
    assert capsys.readouterr().out == output
    assert len(requests) == _TURNS
    assert [message["content"][0]["content"] for message in requests[-1]["messages"][2::2]] == texts[1:-1]
    assert requests[0]["tools"] == [tool_schemas.anthropic("classic", max_actions=5)]


def test_tool_use_says_so_where_no_tool_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    with anthropic_server.serve(lambda _: None) as (url, _), pytest.raises(SystemExit, match="raise max_tokens"):
        _run("anthropic_tool_use.py", monkeypatch, ANTHROPIC_API_KEY=anthropic_server.KEY, ANTHROPIC_BASE_URL=url)
