"""What the model reads, what it may answer, and what is remembered."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from craftax_text_gym import games, instructions, manual, parse_actions
from craftax_text_gym.agents.llm import LLMAgent
from craftax_text_gym.agents.llm.tokens import count_messages, load_counter
from tests.agents.llm.playing import ask, info_of, make, told
from tests.agents.llm.server import MODEL, Say, Server, in_turn

NONSENSE = [
    "",
    "<|endoftext|>",
    "I would rather not.",
    "{",
    "<action>",
    "\u2603 \x00",
    "fly to the moon",
    '{"action": "fly"}',
]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("reply", NONSENSE)
def test_nonsense_is_passed_on_as_it_is(reply: str, stream: bool) -> None:
    replies, _, server = ask(in_turn(reply, "left"), ["a tree", "a cow"], stream=stream)
    assert replies == [reply, "left"]
    assert all(message["content"] for message in server.requests[1]["messages"])


def test_an_answer_of_nothing_at_all_is_an_empty_reply() -> None:
    assert ask(in_turn(Say(None)), ["a tree"])[0] == [""]


def test_the_system_prompt_has_the_rules_and_the_instructions() -> None:
    _, _, server = ask(in_turn("left"), ["a tree"], text_format="plain", max_actions=3)
    system, newest = server.requests[0]["messages"]
    assert system["role"] == "system"
    assert manual("classic") in system["content"]
    assert instructions("classic", "plain", max_actions=3, answer="marked") in system["content"]
    assert newest == {"role": "user", "content": told("a tree")}
    assert "nothing else" not in system["content"]  # one way to answer, not two


@pytest.mark.parametrize("rules", ["whole", "short"])
def test_rules_are_told_as_floors_are_reached_and_never_taken_back(rules: Any) -> None:
    agent = LLMAgent(game="full", model=MODEL, rules=rules)
    spec = games.FULL
    seen: list[str] = []
    for unlocked in ([], [1], [1, 3], [1]):
        keys = [str(spec.floors[number].achievement) for number in unlocked]
        seen.append(agent.prepare("a tree", info_of("full", *keys))["messages"][0]["content"])
    for content, floor in zip(seen, (0, 1, 3, 3), strict=True):
        assert manual("full", detail=rules, floor=floor) in content
    assert len(set(seen)) == 3


def test_tool_calls_give_their_arguments_and_observations_answer_them() -> None:
    script = in_turn(
        Say("A tree.", ('{"action": "left"}',)), Say(None, ('{"action": ', '"x"')), Say("do"), Say(None, ("",))
    )
    replies, _, server = ask(script, ["one", "two", "three", "four"], mode="tools")
    assert replies == ['{"action": "left"}', ['{"action": ', '"x"'], "do", ""]
    assert parse_actions(replies[0], "classic").names == ("left",)
    assert not parse_actions(replies[1], "classic").valid
    (tool,) = server.requests[0]["tools"]
    assert tool["function"]["parameters"]["properties"]["action"]["enum"] == list(games.CLASSIC.actions)
    messages = server.requests[3]["messages"][1:]
    roles = ["user", "assistant", "tool", "assistant", "tool", "tool", "assistant", "user"]
    assert [message["role"] for message in messages] == roles
    shown = [messages[index]["content"] for index in (0, 2, 5, 7)]
    assert shown[:3] == [told(text) for text in ("one", "two", "three")]
    assert shown[3] == f"Your last reply called no tool: call the tool act.\n\n{told('four')}"
    assert server.requests[3]["tool_choice"] == "required"
    assert "<action>" not in server.requests[3]["messages"][0]["content"]
    assert messages[1]["content"] == "A tree."
    for message in messages:
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)  # servers fail on others
    asked = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    assert [message["tool_call_id"] for message in messages if message["role"] == "tool"] == asked


def test_several_actions_in_a_call() -> None:
    script = in_turn(Say(None, ('{"actions": ["left", "do"]}',)))
    replies, _, server = ask(script, ["a tree"], mode="tools", max_actions=5, stream=True)
    assert parse_actions(replies[0], "classic", max_actions=5).names == ("left", "do")
    assert server.requests[0]["tools"][0]["function"]["parameters"]["properties"]["actions"]["type"] == "array"


@pytest.mark.parametrize("mode", ["text", "tools"])
@pytest.mark.parametrize("budget", [0, 300, 900, 2_000, 100_000])
def test_the_history_is_whole_turns_within_the_budget_and_half_of_it_is_emptied_at_once(mode: Any, budget: int) -> None:
    observations = [f"turn {number}: " + "grass " * (number % 7) for number in range(30)]
    answer = Say("I walk.", ('{"action": "left"}',)) if mode == "tools" else Say("I walk. <action>left</action>")
    options: dict[str, Any] = {"mode": mode, "history_tokens": budget, "counter": "estimate", "scratchpad": False}
    _, _, server = ask(in_turn(answer), observations, **options)
    count = load_counter("estimate")
    lengths = []
    for number in range(30):
        messages = _history(server, number)
        past, newest = messages[:-1], messages[-1]
        assert newest["content"] == told(observations[number])
        assert len(past) % 2 == 0
        shown = [message["content"] for message in past[::2]]
        assert shown == [told(text) for text in observations[number - len(shown) : number]]
        assert messages[0]["role"] == "user"
        assert count_messages(past, count) <= budget
        lengths.append(len(shown))
        if number and lengths[-1] <= lengths[-2]:  # cut: whatever was there had no more room
            assert count_messages(past, count) <= budget // 2 or len(shown) <= 1
            everything = [*_history(server, number - 1), _reply(answer)]
            assert count_messages(everything, count) > budget
    assert budget != 100_000 or lengths == list(range(30))
    assert budget != 0 or lengths == [0] * 30


def _history(server: Server, number: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = server.requests[number]["messages"][1:]
    return messages


def _reply(say: Say) -> dict[str, Any]:
    calls = [
        {"id": "call_0", "type": "function", "function": {"name": "act", "arguments": arguments}}
        for arguments in say.calls
    ]
    return {"content": say.text, "tool_calls": calls}


def test_thoughts_are_not_shown_again_but_kept_in_the_transcript() -> None:
    reply = "<think>secret</think>I walk. <action>left</action>"
    replies, agent, server = ask(in_turn(reply), ["a tree", "a cow"])
    assert replies == [reply, reply]
    assert server.requests[1]["messages"][2]["content"] == "I walk. <action>left</action>"
    assert agent.transcript[2]["content"] == reply


@pytest.mark.parametrize("history_tokens", [0, 10_000])
def test_private_notes_are_carried_from_turn_to_turn(history_tokens: int) -> None:
    script = in_turn(
        "<scratchpad>\ncoal: 3 up\n</scratchpad> <action>left</action>",
        "left",
        "<scratchpad>a</scratchpad><scratchpad>b</scratchpad>left",
        "<scratchpad>never closed",
        "<SCRATCHPAD></SCRATCHPAD>left",
        "left",
    )
    replies, _, server = ask(script, ["a tree"] * 6, scratchpad=True, history_tokens=history_tokens)
    notes = [
        request["messages"][-1]["content"].partition("<scratchpad>\n")[2].partition("\n</scratchpad>")[0]
        for request in server.requests
    ]
    assert notes == ([""] * 6 if history_tokens else ["", "coal: 3 up", "coal: 3 up", "b", "b", ""])
    past = [message["content"] for message in server.requests[5]["messages"][2::2]]
    expected = ["<scratchpad>\ncoal: 3 up\n</scratchpad>", "left", "<scratchpad>\nb\n</scratchpad>\nleft"]
    expected += ["(no answer)", "<scratchpad>\n(empty)\n</scratchpad>\nleft"]
    assert [text.replace("\n<action>left</action>", "") for text in past] == (expected if history_tokens else [])
    assert parse_actions(replies[0], "classic").names == ("left",)
    assert "private notes" in server.requests[0]["messages"][0]["content"]


def test_notes_are_shown_once_more_where_their_turn_is_dropped() -> None:
    script = in_turn("<scratchpad>coal: 3 up</scratchpad> left", "left")
    _, _, server = ask(script, ["a tree"] * 40, scratchpad=True, history_tokens=1_000)
    for number in range(1, 40):
        said = "".join(message["content"] for message in _history(server, number))
        assert said.count("coal: 3 up") == 1, number


@pytest.mark.parametrize(
    ("options", "has_notes"),
    [({}, True), ({"max_decisions": 20}, False), ({"max_decisions": 21}, True), ({"max_steps": 5}, False)],
)
def test_a_model_has_notes_where_its_history_may_be_cut(options: dict[str, Any], has_notes: bool) -> None:
    agent = LLMAgent(game="classic", model=MODEL, **options)
    assert agent.has_scratchpad is has_notes
    assert ("scratchpad" in agent.prepare("a tree", info_of())["messages"][0]["content"]) is has_notes


def test_without_a_scratchpad_nothing_is_said_of_one() -> None:
    _, _, server = ask(in_turn("<scratchpad>x</scratchpad>left"), ["a tree"] * 2, scratchpad=False)
    assert "scratchpad" not in json.dumps(server.requests)


def test_a_reply_that_was_cut_off_is_told_to_be_brief() -> None:
    _, _, server = ask(in_turn(Say("Let me think", finish="length"), "left"), ["a tree", "a cow", "a zombie"])
    newest = [request["messages"][-1]["content"] for request in server.requests]
    cut = f"Your last reply was cut off after 8192 tokens: be brief.\n\n{told('a cow')}"
    assert newest == [told("a tree"), cut, told("a zombie")]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_the_account_is_the_servers(stream: bool) -> None:
    _, agent, server = ask(in_turn("left", "I go right"), ["a tree", "a cow"], stream=stream, price_in=2, price_out=10)
    assert (agent.usage.input_tokens, agent.usage.output_tokens) == (server.prompt_tokens, server.completion_tokens)
    assert agent.usage.output_tokens > 0
    expected = (2 * server.prompt_tokens + 10 * server.completion_tokens) / 1e6
    assert agent.usage.cost == pytest.approx(expected)
    agent._begin(1)
    assert (agent.usage.input_tokens, agent.usage.output_tokens, agent.usage.cost) == (0, 0, 0)


def test_tokens_are_counted_here_where_the_server_does_not() -> None:
    _, agent, server = ask(in_turn(Say("left", has_usage=False)), ["a tree"], counter="estimate")
    count = load_counter("estimate")
    assert agent.usage.input_tokens == count_messages(server.requests[0]["messages"], count)
    assert agent.usage.output_tokens == count_messages([{"content": "left"}], count)
    assert agent.usage.cost is None


def test_options_reach_the_endpoint() -> None:
    _, _, server = ask(in_turn("left"), ["a tree"])
    assert set(server.requests[0]) == {"model", "messages", "max_tokens"}
    options = {"temperature": 0.5, "max_tokens": None, "extra_body": {"top_p": 0.9, "reasoning_effort": "low"}}
    _, _, server = ask(in_turn("left"), ["a tree"], **options)
    assert {key: server.requests[0][key] for key in ("temperature", "top_p", "reasoning_effort")} == {
        "temperature": 0.5,
        "top_p": 0.9,
        "reasoning_effort": "low",
    }
    assert "max_tokens" not in server.requests[0]


def test_openais_own_endpoint_gets_the_newer_name_of_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    request = LLMAgent(game="classic", model=MODEL).prepare("a tree", info_of())
    assert request["max_completion_tokens"] == 8192
    assert "max_tokens" not in request
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1")
    assert LLMAgent(game="classic", model=MODEL).prepare("a tree", info_of())["max_tokens"] == 8192


def test_the_transcript_has_each_message_once_and_so_has_its_file(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    _, agent, _ = ask(in_turn("left", "right"), ["a tree", "a cow"], transcript_file=path)
    said = [(message["role"], message["content"]) for message in agent.transcript[1:]]
    assert said == [("user", told("a tree")), ("assistant", "left"), ("user", told("a cow")), ("assistant", "right")]
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [message for line in lines for message in line["messages"]] == agent.transcript
    assert [(line["seed"], line["turn"]) for line in lines] == [(0, 0), (0, 1)]
    assert sum(line["input_tokens"] for line in lines) == agent.usage.input_tokens


def test_an_episode_knows_nothing_of_the_last_one() -> None:
    async def twice(agent: LLMAgent) -> None:
        for seed in range(2):
            agent.reset(seed)
            await agent.act("a tree", info_of())
            await agent.act("a cow", info_of())
        await agent.close()

    from tests.agents.llm.server import serve

    with serve(in_turn("<scratchpad>x</scratchpad>left")) as server:
        asyncio.run(twice(make(server, scratchpad=True)))
    assert server.requests[:2] == server.requests[2:]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": ""}, "name of a model"),
        ({"base_url": "localhost:8000"}, "http://… or https://…"),
        ({"mode": "tool"}, "tools"),
        ({"rules": "all"}, "whole"),
        ({"game": "chess"}, "Unknown game"),
        ({"text_format": "markdwn"}, "markdown"),
        ({"max_actions": 0}, "max_actions from 1, got 0"),
        ({"timeout": float("nan")}, "timeout"),
        ({"max_retries": -1}, "max_retries from 0"),
        ({"counter": "nowhere:count"}, "token counter"),
    ],
)
def test_a_wrong_value_is_refused_at_once(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        LLMAgent(**{"model": MODEL, **options})


@pytest.mark.parametrize(
    "options", [{"history_tokens": 1.5}, {"scratchpad": "yes"}, {"price_in": "2"}, {"timeout": None}]
)
def test_a_value_of_the_wrong_type_is_refused_at_once(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=next(iter(options))):
        LLMAgent(model=MODEL, **options)


def test_an_observation_without_text_is_refused() -> None:
    agent = LLMAgent(game="classic", model=MODEL)
    assert agent.prepare({"text": "a tree"}, info_of())["messages"][-1]["content"] == told("a tree")
    with pytest.raises(TypeError, match='obs_mode="text"'):
        agent.prepare([1.0, 0.0], info_of())
