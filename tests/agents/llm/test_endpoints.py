"""What an endpoint may do, and what the agent makes of it."""

from __future__ import annotations

import asyncio
import copy
import gc
import pickle
import re
import sys
import time
from email.utils import formatdate
from types import SimpleNamespace
from typing import Any

import pytest

from craftax_text_gym.agents import AgentError, EndpointError
from craftax_text_gym.agents.llm import LLMAgent, retrying
from tests.agents.llm.playing import ask, converse, info_of, make
from tests.agents.llm.playing import quick as quick
from tests.agents.llm.server import KEY, MODEL, Fail, Hang, Reset, Say, dead_url, in_turn, serve

pytestmark = pytest.mark.usefixtures("quick")

OUT_OF_CREDIT = Fail(429, {"error": {"message": "You exceeded your quota.", "code": "insufficient_quota"}})
TOO_LONG = Fail(400, {"error": {"message": "maximum context length is 8192", "code": "context_length_exceeded"}})
PASSING: dict[str, Any] = {
    "500": Fail(500),
    "503 without words": Fail(503, ""),
    "408": Fail(408),
    "rate limit": Fail(429, headers=(("Retry-After", "0.01"),)),
    "broken connection": Reset(),
    "broken JSON": Fail(200, '{"choices": [{'),
    "a web page": Fail(200, "<html>hello</html>", (("Content-Type", "text/html"),)),
    "no choices": Fail(200, {"id": "1", "object": "chat.completion", "created": 1, "model": MODEL, "choices": []}),
    "null": Fail(200, "null"),
    "a message that is none": Fail(200, {"choices": [{"message": "left"}]}),
    "bytes that are no text": Fail(200, "\udcff"),
    "a list": Fail(200, "[]"),
    "a choice of nothing": Fail(200, {"choices": [{"index": 0, "message": None, "finish_reason": "stop"}]}),
    "an error with status 200": Fail(200, {"error": {"message": "upstream is busy"}}),
}
FINAL: dict[str, tuple[Any, dict[str, Any], str]] = {
    "wrong key": ("left", {"api_key": "wrong"}, "OPENAI_API_KEY"),
    "forbidden": (Fail(403), {}, "another model="),
    "unknown model": ("left", {"model": "gpt-0"}, "no model 'gpt-0'"),
    "bad option": (Fail(400, {"error": {"message": "Unknown parameter: top_q"}}), {}, "top_q"),
    "no credit": (OUT_OF_CREDIT, {}, "no credit"),
    "far too long a wait": (Fail(429, headers=(("Retry-After", "86400"),)), {}, "fewer episodes at once"),
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING)
def test_a_failure_that_passes_is_tried_again(failure: Any, stream: bool) -> None:
    replies, agent, server = ask(in_turn(failure, failure, "left"), ["a tree"], stream=stream)
    assert replies == ["left"]
    assert len(server.requests) == 3
    assert server.requests[0] == server.requests[2]
    assert (agent.usage.input_tokens, agent.usage.output_tokens) == (server.prompt_tokens, server.completion_tokens)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING)
def test_a_failure_that_stays_is_one_line_with_a_cure(failure: Any, stream: bool) -> None:
    with serve(in_turn(failure)) as server:
        agent = make(server, max_retries=2, stream=stream)
        with pytest.raises(EndpointError) as caught:
            asyncio.run(converse(agent, ["a tree"]))
    assert len(server.requests) == 3
    message = str(caught.value)
    assert "\n" not in message
    assert "asked 3 times" in message
    assert server.url in message
    assert any(cure in message for cure in ("max_retries=…", "base_url=…"))
    assert agent.usage.input_tokens == 0
    assert agent.transcript == []


@pytest.mark.parametrize(("answer", "options", "words"), FINAL.values(), ids=FINAL)
def test_a_failure_that_cannot_pass_is_not_tried_again(answer: Any, options: dict[str, Any], words: str) -> None:
    with serve(in_turn(answer)) as server, pytest.raises(EndpointError, match=words) as caught:
        asyncio.run(converse(make(server, **options), ["a tree"]))
    assert len(server.requests) <= 1
    assert "\n" not in str(caught.value)


def test_a_wrong_path_names_the_usual_one() -> None:
    with serve(in_turn("left")) as server, pytest.raises(EndpointError, match="usually ends in /v1"):
        asyncio.run(converse(make(server, base_url=server.url.removesuffix("/v1")), ["a tree"]))


def test_an_address_where_nobody_listens_is_tried_twice_only() -> None:
    agent = LLMAgent(game="classic", model=MODEL, base_url=dead_url(), api_key=KEY, max_retries=50)
    with pytest.raises(EndpointError, match="asked 2 times .*check base_url=…, and that the server runs"):
        asyncio.run(converse(agent, ["a tree"]))


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_reply_that_takes_too_long_is_given_up_and_asked_for_again(stream: bool) -> None:
    with serve(in_turn(Hang(), "left")) as server:
        assert asyncio.run(converse(make(server, timeout=0.3, stream=stream), ["a tree"])) == ["left"]
    with (
        serve(in_turn(Hang())) as server,
        pytest.raises(EndpointError, match="within 0.2 s, asked 2 times: raise timeout"),
    ):
        asyncio.run(converse(make(server, timeout=0.2, max_retries=1, stream=stream), ["a tree"]))


def test_a_stream_that_breaks_off_is_asked_for_again() -> None:
    replies, agent, server = ask(in_turn(Reset(Say("left, rig")), "right"), ["a tree"], stream=True)
    assert replies == ["right"]
    assert len(server.requests) == 2
    assert agent.transcript[-1]["content"] == "right"


def test_the_wait_that_a_server_asks_for_is_kept() -> None:
    start = time.monotonic()
    ask(in_turn(Fail(429, headers=(("Retry-After", "0.25"),)), "left"), ["a tree"])
    assert 0.25 <= time.monotonic() - start < 5


def test_waits_double_up_to_a_limit_and_dates_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrying, "FIRST_WAIT", 1.0)
    waits = [retrying.retry_delay(attempt, TimeoutError()) for attempt in range(1, 100)]
    for attempt, wait in enumerate(waits):
        longest = min(2.0 ** min(attempt, 30), retrying.MAX_WAIT)
        assert 0.75 * longest <= wait <= longest
    error = Exception()
    error.response = SimpleNamespace(headers={"retry-after": formatdate(time.time() + 50, usegmt=True)})  # type: ignore[attr-defined]
    assert 45 < (retrying.retry_after(error) or 0) <= 51


def test_without_a_key_the_agent_says_so_before_the_first_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EndpointError, match="set OPENAI_API_KEY, or pass api_key=…"):
        LLMAgent(model=MODEL).reset(0)
    assert not issubclass(EndpointError, AgentError)


@pytest.mark.parametrize("key", ["sk-“quoted”", "sk-\x00", "a\nb"])
def test_a_key_that_can_be_none_is_not_sent_and_not_repeated(key: str) -> None:
    with pytest.raises(EndpointError, match="copy it again") as caught:
        LLMAgent(model=MODEL, api_key=key).reset(0)
    assert key not in str(caught.value)


def test_white_space_around_a_key_is_dropped() -> None:
    assert ask(in_turn("left"), ["a tree"], api_key=f" {KEY}\n")[0] == ["left"]


def test_without_the_client_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    agent = LLMAgent(game="classic", model=MODEL, api_key=KEY)
    with pytest.raises(ImportError, match=re.escape('pip install "craftax-text-gym[llm]"')):
        agent.reset(0)


def test_the_key_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    replies, agent, _ = ask(in_turn("left"), ["a tree"], api_key=None)
    assert replies == ["left"]
    assert KEY not in repr(agent)


def test_an_agent_may_be_closed_and_used_again_in_another_event_loop() -> None:
    with serve(in_turn("left")) as server:
        agent = make(server)
        for _ in range(2):
            assert asyncio.run(converse(agent, ["a tree", "a cow"])) == ["left", "left"]


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_connection_is_not_taken_to_another_event_loop() -> None:
    with serve(in_turn("left")) as server:
        agent = make(server)
        agent.reset(0)
        asyncio.run(agent.act("a tree", info_of()))
        with pytest.raises(RuntimeError, match="within one asyncio.run"):
            asyncio.run(agent.act("a cow", info_of()))
        asyncio.run(agent.close())
        del agent
        gc.collect()


def test_a_copy_has_a_connection_of_its_own() -> None:
    with serve(in_turn("left")) as server:

        async def play() -> list[Any]:
            agent = make(server)
            agent.reset(0)
            await agent.act("a tree", info_of())
            copies = [copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))]
            replies = [await converse(each, ["a cow"]) for each in copies]
            await agent.act("a cow", info_of())
            await agent.close()
            return replies

        assert asyncio.run(play()) == [["left"], ["left"]]
