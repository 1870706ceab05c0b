"""A whole episode through a real server, and what a dry run says of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from craftax_text_gym.agents.llm import DryRun, LLMAgent, dry_run
from craftax_text_gym.agents.llm.cost_estimate import past_turns
from craftax_text_gym.agents.llm.history import History
from craftax_text_gym.agents.llm.tokens import count_messages
from tests.agents.llm.playing import game_for, make, play
from tests.agents.llm.server import MODEL, Say, Server, serve

_TURNS = 20


def _scripted(body: dict[str, Any]) -> Say:
    """A model that walks left, and now and again talks nonsense."""
    turn = sum(message["role"] == "assistant" for message in body["messages"])
    action = ("left", "do", "fly", "noop*2")[turn % 4]
    if "tools" not in body:
        return Say(f"Turn {turn}. <scratchpad>I have seen {turn}.</scratchpad> <action>{action}</action>")
    names = [action] if action != "noop*2" else ["noop", "noop"]
    return Say(None, (f'{{"actions": {str(names).replace(chr(39), chr(34))}}}',))


@pytest.mark.parametrize("options", [{}, {"mode": "tools"}, {"stream": True}], ids=["text", "tools", "streamed"])
def test_a_whole_episode_is_played(options: dict[str, Any]) -> None:
    with serve(_scripted) as server:
        agent = make(server, max_actions=2, scratchpad=True, history_tokens=200_000, **options)
        with game_for(agent, _TURNS) as env:
            infos = asyncio.run(play(agent, env, seed=3))
    assert len(server.requests) == _TURNS
    assert infos[-1]["end_reason"] == "decision_cap"
    assert infos[-1]["invalid_replies"] == _TURNS // 4
    assert infos[-1]["timestep"] == sum(len(info["actions_taken"]) for info in infos[1:]) == 25
    assert (agent.usage.input_tokens, agent.usage.output_tokens) == (server.prompt_tokens, server.completion_tokens)
    assert len(agent.transcript) == 1 + 2 * _TURNS
    assert "Your reply is invalid." in server.requests[3]["messages"][-1]["content"]
    assert "Your reply is invalid." not in server.requests[2]["messages"][-1]["content"]


def _first_request(options: dict[str, Any], seed: int) -> tuple[DryRun, Server]:
    with serve(_scripted) as server:
        agent = make(server, **options)
        with game_for(agent, 1) as env:
            asyncio.run(play(agent, env, seed))
        planned = dry_run("classic", {**options, "model": MODEL, "base_url": server.url}, seed=seed)
    return planned, server


@pytest.mark.parametrize(
    "options",
    [{}, {"mode": "tools", "max_actions": 3}, {"scratchpad": True, "text_format": "compact", "temperature": 0.0}],
    ids=["text", "tools", "scratchpad"],
)
def test_a_dry_run_is_what_is_sent_first(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    planned, server = _first_request(options, seed=5)
    assert planned.request == server.requests[0]
    for message in server.requests[0]["messages"]:
        assert message["content"] in str(planned)


def test_the_estimate_is_what_turns_of_that_length_cost() -> None:
    options = {"model": MODEL, "history_tokens": 5_000, "price_in": 3.0, "price_out": 15.0, "counter": "estimate"}
    planned = dry_run("classic", options, episodes=4, turns=50)
    system, newest = planned.message_tokens
    turn = newest + planned.reply_tokens
    read = 50 * (system + newest) + past_turns(50, 5_000, turn) * turn
    assert planned.input_tokens == 4 * read
    assert planned.output_tokens == 4 * 50 * planned.reply_tokens
    assert planned.cost == pytest.approx((3 * planned.input_tokens + 15 * planned.output_tokens) / 1e6)
    assert f"${planned.cost:,.2f}" in str(planned)
    tokens, written, cost = planned.with_reasoning
    assert written == 4 * 50 * tokens > 10 * planned.output_tokens
    assert cost == pytest.approx((3 * planned.input_tokens + 15 * written) / 1e6)
    without, reasoning = str(planned).splitlines()[-2:]
    assert "without reasoning, 150 tokens a reply" in without
    assert f"that reasons, {tokens:,} tokens a reply" in reasoning
    assert f"${cost:,.2f}" in reasoning
    assert "price_in=…" in str(dry_run("classic", {"model": MODEL}))


@pytest.mark.parametrize("turns", [1, 2, 5, 30, 77])
@pytest.mark.parametrize("budget", [0, 9, 10, 19, 20, 45, 100, 305, 10_000])
def test_past_turns_add_up_to_what_a_history_sends(turns: int, budget: int) -> None:
    history = History(budget, len)
    sent = 0
    for _ in range(turns):
        sent += len(history.exchanges)
        history.add("", {"content": ""})
    assert past_turns(turns, budget, count_messages([{}, {}], len)) == sent


def test_a_dry_run_refuses_what_the_agent_would() -> None:
    with pytest.raises(TypeError, match="modle"):
        dry_run("classic", {"modle": "x"})
    with pytest.raises(ValueError, match="mode"):
        dry_run("classic", {"model": MODEL, "mode": "telepathy"})


def test_agents_do_not_share_what_they_count() -> None:
    first, second = LLMAgent(model=MODEL), LLMAgent(model=MODEL)
    assert first.extra_body is not second.extra_body
    assert first._episode.history is not second._episode.history
