"""What an agent learns from an endpoint's errors, remembers, and shares with the other agents of the run."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from contextlib import ExitStack
from typing import Any

import pytest

from craftax_text_gym.agents import AgentError, EndpointError
from craftax_text_gym.agents.llm import LLMAgent, LLMError
from tests.agents.llm.playing import ask, converse, info_of, make
from tests.agents.llm.playing import quick as quick
from tests.agents.llm.server import KEY, MODEL, Fail, Say, in_turn, serve

pytestmark = pytest.mark.usefixtures("quick")

OLD, NEW = "max_tokens", "max_completion_tokens"


def _openai(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}}


REFUSALS: dict[str, tuple[str, int, Any]] = {
    "OpenAI": (
        OLD,
        400,
        _openai(
            f"Unsupported parameter: '{OLD}' is not supported with this model. Use '{NEW}' instead.",
            param=OLD,
            code="unsupported_parameter",
        ),
    ),
    "an older server": (NEW, 400, _openai(f"Unrecognized request argument supplied: {NEW}")),
    "a strict schema": (
        NEW,
        422,
        {"detail": [{"type": "extra_forbidden", "loc": ["body", NEW], "msg": "Extra inputs are not permitted"}]},
    ),
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("refused", "status", "body"), REFUSALS.values(), ids=REFUSALS)
def test_the_name_of_the_token_limit_is_found_from_the_error_and_remembered(
    refused: str, status: int, body: Any, stream: bool
) -> None:
    with serve(lambda request: Fail(status, body) if refused in request else "left") as server:
        first = OLD if refused == OLD else NEW
        extra = {} if first == OLD else {"extra_body": {NEW: 99}, "max_tokens": None}
        agents = [make(server, stream=stream, **extra) for _ in range(2)]
        if first == NEW:  # as on a host of OpenAI's own
            from craftax_text_gym.agents.llm.endpoints import endpoint_of

            endpoint_of(agents[0]).limit_name = NEW
        for agent in agents:
            assert asyncio.run(converse(agent, ["a tree", "a cow"])) == ["left", "left"]
    other = OLD if refused == NEW else NEW
    assert [refused in request for request in server.requests] == [True, False, False, False, False]
    assert all(request[other] == (8_192 if first == OLD else 99) for request in server.requests[1:])
    assert other in agents[0].prepare("a tree", info_of())


def test_a_server_that_takes_neither_name_says_so_in_one_line() -> None:
    def script(body: dict[str, Any]) -> Any:
        name = OLD if OLD in body else NEW
        return Fail(400, _openai(f"Unrecognized request argument supplied: {name}"))

    with serve(script) as server, pytest.raises(EndpointError, match="refuses the request"):
        asyncio.run(converse(make(server), ["a tree"]))
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1", NEW),
        ("https://us.api.openai.com/v1", NEW),
        ("https://eu.api.openai.com/v1/", NEW),
        ("https://mine.openai.azure.com/openai/v1/", NEW),
        ("https://mine.cognitiveservices.azure.com/openai/v1/", NEW),
        ("http://localhost:8000/v1", OLD),
        ("https://api.openai.com.example.org/v1", OLD),
    ],
)
def test_a_known_host_gets_its_name_at_once(url: str, name: str) -> None:
    request = LLMAgent(game="classic", model=MODEL, base_url=url).prepare("a tree", info_of())
    assert name in request
    assert len({OLD, NEW} & set(request)) == 1


@pytest.mark.parametrize(
    "message",
    [
        "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.",
        "Invalid max_tokens value, the valid range of max_tokens is [1, 4096]",
        "`max_tokens` must be less than or equal to `4096`, the maximum value for `max_tokens` is less than the "
        "`context_window` for this model",
        "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for this model",
    ],
)
def test_a_limit_that_is_too_high_is_lowered_to_what_the_model_allows(message: str) -> None:
    script = lambda body: Fail(400, _openai(message)) if body[OLD] > 4096 else "left"  # noqa: E731
    with serve(script) as server:
        for _ in range(2):
            assert asyncio.run(converse(make(server), ["a tree"])) == ["left"]
    assert [request[OLD] for request in server.requests] == [8192, 4096, 4096]


def test_a_small_context_leaves_a_quarter_for_the_reply() -> None:
    words = (
        "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 "
        "tokens and your request has 2400 input tokens (8192 > 8192 - 2400)."
    )
    with serve(lambda body: Fail(400, _openai(words)) if body[OLD] > 5000 else "left") as server:
        assert asyncio.run(converse(make(server), ["a tree"])) == ["left"]
    assert [request[OLD] for request in server.requests] == [8192, 2048]


@pytest.mark.parametrize(
    "message",
    ["tool_choice 'required' is not supported", "Thinking may not be enabled when tool_choice forces tool use."],
)
def test_a_server_that_does_not_let_a_tool_be_demanded_is_asked_without(message: str) -> None:
    script = lambda body: Fail(400, _openai(message)) if body["tool_choice"] == "required" else "left"  # noqa: E731
    with serve(script) as server:
        for _ in range(2):
            assert asyncio.run(converse(make(server, mode="tools"), ["a tree"])) == ["left"]
    assert [request["tool_choice"] for request in server.requests] == ["required", "auto", "auto"]


OVERFLOWS: dict[str, Fail] = {
    "OpenAI": Fail(400, _openai("maximum context length is 8192 tokens", code="context_length_exceeded")),
    "llama.cpp": Fail(
        400, {"error": {"code": 400, "message": "the request exceeds the available context size", "type": "exceed"}}
    ),
    "too large a body": Fail(413, "<html>Request Entity Too Large</html>"),
    "Anthropic": Fail(400, _openai("prompt is too long: 213462 tokens > 200000 maximum")),
    "Gemini": Fail(400, _openai("The input token count (9000) exceeds the maximum number of tokens allowed (8192).")),
}


@pytest.mark.parametrize("mode", ["text", "tools"])
@pytest.mark.parametrize("failure", OVERFLOWS.values(), ids=OVERFLOWS)
def test_where_a_request_is_too_long_turns_are_dropped_and_it_is_repeated(failure: Fail, mode: Any) -> None:
    def script(body: dict[str, Any]) -> Any:
        is_long = sum(len(json.dumps(message)) for message in body["messages"][1:]) > 4_000
        return failure if is_long else Say("left", ('{"action": "left"}',) if mode == "tools" else ())

    observations = [f"turn {number}: {'grass ' * 30}" for number in range(60)]
    with serve(script) as server:
        agent = make(server, mode=mode, scratchpad=False, max_tokens=None)
        replies = asyncio.run(converse(agent, observations))
        assert len(replies) == 60
        failures = len(server.requests) - 60
        assert 0 < failures < 6  # the budget is kept below what was too much
        again = len(server.requests)
        asyncio.run(converse(agent, observations))
        assert len(server.requests) - again - 60 <= 1  # and for the next episode
    newest = [request["messages"][-1]["content"] for request in server.requests]
    assert len({text for text in newest if "turn" in text}) == 60
    assert agent.usage.num_invalid == 0


def test_a_request_that_is_too_long_by_itself_is_the_agents_own_error() -> None:
    with (
        serve(in_turn(OVERFLOWS["OpenAI"])) as server,
        pytest.raises(LLMError, match="without any past turn") as caught,
    ):
        asyncio.run(converse(make(server, max_tokens=None), ["a tree"]))
    assert isinstance(caught.value, AgentError)
    assert not isinstance(caught.value, EndpointError)
    assert len(server.requests) == 1


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("while_loading", [False, True], ids=["gone", "loading"])
def test_a_restart_is_waited_for_by_agents_old_and_new(while_loading: bool) -> None:
    port = _free_port()
    with serve(in_turn("left"), port=port) as server:
        old = make(server, max_retries=1)
        old.reset(0)

        async def play() -> list[Any]:
            replies = [await old.act("a tree", info_of())]
            await asyncio.to_thread(stop.wait)
            new = make(server, max_retries=1)  # it has not asked yet; another agent of the run has
            replies += await asyncio.gather(old.act("a cow", info_of()), converse(new, ["a tree"]))
            await old.close()
            return replies

        stop = threading.Event()
        outcome: list[Any] = []
        player = threading.Thread(target=lambda: outcome.extend(asyncio.run(play())))
        player.start()
        while not server.requests:
            time.sleep(0.01)
        time.sleep(0.1)
    with ExitStack() as restarted:
        if while_loading:
            away = serve(in_turn(Fail(503, {"error": {"message": "Loading model"}})), port=port, forgets=False)
            loading = away.__enter__()
            stop.set()
            while len(loading.requests) < 6:
                time.sleep(0.01)
            away.__exit__(None, None, None)
        stop.set()
        time.sleep(0.3)
        assert not outcome
        restarted.enter_context(serve(in_turn("right"), port=port, forgets=False))
        player.join(20)
    assert outcome == ["left", "right", ["right"]]


def test_an_outage_that_lasts_is_an_endpoint_error() -> None:
    with serve(in_turn("left")) as server:
        agent = make(server, max_retries=1, max_outage=0.3)
        agent.reset(0)

        async def play() -> None:
            await agent.act("a tree", info_of())
            await asyncio.to_thread(gone.wait)
            start = time.monotonic()
            with pytest.raises(EndpointError, match="Cannot reach .*check base_url=…, and that the server runs"):
                await agent.act("a cow", info_of())
            assert 0.3 <= time.monotonic() - start < 5
            await agent.close()

        gone = threading.Event()
        errors: list[BaseException] = []

        def run() -> None:
            try:
                asyncio.run(play())
            except BaseException as error:
                errors.append(error)

        player = threading.Thread(target=run)
        player.start()
        while not server.requests:
            time.sleep(0.01)
        time.sleep(0.1)
    gone.set()
    player.join(20)
    assert not errors


def test_broken_replies_are_counted_apart() -> None:
    script = in_turn(
        "left",
        Say("Let me see: I", finish="length"),
        "",
        Say(None, more={"reasoning_content": "I should go left."}),
        "<think>left</think>",
        "I would rather not.",
        Say("<action>left</action>", finish="length"),
    )
    _, agent, _ = ask(script, ["a tree"] * 7)
    assert (agent.usage.num_cut, agent.usage.num_empty, agent.usage.num_invalid) == (2, 3, 5)
    agent._begin(1)
    assert (agent.usage.num_cut, agent.usage.num_empty, agent.usage.num_invalid) == (0, 0, 0)


REASONINGS: dict[str, dict[str, Any]] = {
    "reasoning_content": {"reasoning_content": "Wood comes first."},
    "reasoning": {"reasoning": "Wood comes first."},
    "details": {"reasoning_details": [{"type": "reasoning.text", "text": "Wood comes first."}]},
    "summary": {"reasoning_details": [{"type": "reasoning.summary", "summary": "Wood comes first."}]},
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("more", REASONINGS.values(), ids=REASONINGS)
@pytest.mark.parametrize("calls", [(), ('{"action": "do"}',), ('{"action": "do"}', '{"action": "up"}')])
def test_reasoning_is_kept_and_not_sent_back(more: dict[str, Any], calls: tuple[str, ...], stream: bool) -> None:
    from craftax_text_gym import parse_actions

    mode = "tools" if calls else "text"
    script = in_turn(Say("<action>do</action>", calls, more=more), "left")
    replies, agent, server = ask(script, ["a tree", "a cow"], mode=mode, stream=stream, max_actions=2)
    assert replies[0]["reasoning_content"] == "Wood comes first."
    assert parse_actions(replies[0], "classic").names == (("do", "up") if len(calls) == 2 else ("do",))
    assert agent.transcript[2]["reasoning_content"] == "Wood comes first."
    assert "Wood comes first." not in json.dumps(server.requests[1])
    assert replies[1] == "left"


def test_thoughts_in_content_parts_are_reasoning() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Wood "}, {"type": "text", "text": "first."}]},
        {"type": "text", "text": "<action>do</action>"},
    ]
    replies, agent, _ = ask(in_turn(Say(None, more={"content": parts})), ["a tree"])
    assert replies[0]["reasoning_content"] == "Wood first."
    assert agent.transcript[2] == {
        "role": "assistant",
        "content": "<action>do</action>",
        "reasoning_content": "Wood first.",
    }


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({}, (1_000, 50, 0, 0)),
        ({"prompt_tokens_details": {"cached_tokens": 600}}, (1_000, 50, 600, 0)),
        ({"prompt_cache_hit_tokens": 600, "prompt_cache_miss_tokens": 400}, (1_000, 50, 600, 0)),
        ({"completion_tokens_details": {"reasoning_tokens": 40}}, (1_000, 50, 0, 40)),
        ({"completion_tokens_details": {"reasoning_tokens": 40}, "total_tokens": 1_090}, (1_000, 90, 0, 40)),
        ({"prompt_tokens_details": None, "completion_tokens_details": None}, (1_000, 50, 0, 0)),
    ],
)
def test_cached_and_reasoning_tokens_are_counted_and_priced(
    usage: dict[str, Any], expected: tuple[int, ...], stream: bool
) -> None:
    counted = {"prompt_tokens": 1_000, "completion_tokens": 50, "total_tokens": 1_050, **usage}
    prices = {"price_in": 2.0, "price_out": 10.0, "price_cached": 0.5}
    _, agent, _ = ask(in_turn(Say("left", usage=counted)), ["a tree", "a cow"], stream=stream, **prices)
    seen = agent.usage
    totals = (seen.input_tokens, seen.output_tokens, seen.cached_tokens, seen.reasoning_tokens)
    assert totals == tuple(2 * number for number in expected)
    read, written, cached, _ = totals
    assert seen.cost == pytest.approx(((read - cached) * 2 + cached * 0.5 + written * 10) / 1e6)
    assert LLMAgent(model=MODEL, api_key=KEY, price_in=2, price_out=10).cost(100, 0, 100) == pytest.approx(2e-4)
