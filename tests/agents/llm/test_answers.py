"""Whatever JSON an endpoint sends is an answer or a bad one, never a crash, and can be sent back."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
from collections.abc import AsyncIterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from craftax_text_gym import parse_actions
from craftax_text_gym.agents.llm.answer import Answer, Tokens, read_completion, read_stream
from craftax_text_gym.agents.llm.errors import BadAnswerError
from craftax_text_gym.agents.llm.history import to_message
from craftax_text_gym.agents.llm.tokens import count_messages, load_counter
from tests.proof import count

_CALL = {"index": 0, "id": "a", "type": "function", "function": {"name": "act", "arguments": '{"action": "left"}'}}
_SAID = {"role": "assistant", "content": "left", "reasoning_content": "hm", "tool_calls": [_CALL, _CALL]}
_USAGE = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
_WHOLE: dict[str, Any] = {
    "id": "1",
    "choices": [{"index": 0, "message": _SAID, "finish_reason": "stop"}],
    "usage": _USAGE,
}
_CHUNK: dict[str, Any] = {
    "id": "1",
    "choices": [{"index": 0, "delta": _SAID, "finish_reason": "stop"}],
    "usage": _USAGE,
}
_TEXTS = st.text(st.characters(codec=None), max_size=8)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *[place for key, item in inner for place in _places(item, (*path, key))]]


def _put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    value = copy.copy(value)
    value[path[0]] = _put(value[path[0]], path[1:], new)
    return value


def _check(answer: Answer) -> None:
    for is_raw in (False, True):
        message = to_message(answer, is_raw=is_raw)
        json.dumps(message, ensure_ascii=False).encode()
        assert count_messages([message], load_counter("o200k")) > 0
    replies = answer.reply, answer.message
    bare, whole = (parse_actions(reply, "classic") for reply in replies)
    assert bare.actions == whole.actions
    assert answer.tokens is None or all(isinstance(number, int) for number in answer.tokens)


@settings(max_examples=count(4_000, 200), deadline=None)
@given(st.sampled_from(_places(_WHOLE)), _JSON)
def test_a_whole_answer(path: tuple[Any, ...], new: Any) -> None:
    data = _put(_WHOLE, path, new)
    completion = ChatCompletion.construct(**data) if isinstance(data, dict) else data
    try:
        _check(read_completion(completion))
    except BadAnswerError:
        assert not isinstance(data, dict) or path[:1] in ((), ("choices",))


@settings(max_examples=count(4_000, 200), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(_places(_CHUNK)), _JSON), min_size=1, max_size=4))
def test_a_stream(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    async def chunks() -> AsyncIterator[Any]:
        for path, new in changes:
            data = _put(_CHUNK, path, new)
            yield ChatCompletionChunk.construct(**data) if isinstance(data, dict) else data

    async def read() -> Answer:
        return await read_stream(chunks())

    with contextlib.suppress(BadAnswerError):  # where nothing says that it has ended
        _check(asyncio.run(read()))


def test_what_is_not_spoilt_is_read() -> None:
    expected = ['{"action": "left"}', '{"action": "left"}']
    answer = read_completion(ChatCompletion.construct(**_WHOLE))
    assert (answer.text, answer.reply, answer.tokens) == ("left", expected, Tokens(3, 4))


def test_of_content_parts_the_text_is_what_the_model_said() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "right"}]}
    message = {"role": "assistant", "content": [thought, {"type": "text", "text": "left"}]}
    answer = read_completion(ChatCompletion.construct(choices=[{"message": message, "finish_reason": "stop"}]))
    assert (answer.text, answer.reply) == ("left", "left")

    async def chunks() -> AsyncIterator[Any]:
        for content in ([thought], [thought], "le", [{"type": "text", "text": "ft"}]):
            choice = {"index": 0, "delta": {"content": content}, "finish_reason": "stop"}
            yield ChatCompletionChunk.construct(choices=[choice])

    assert asyncio.run(read_stream(chunks())).reply == "left"


def test_a_call_of_a_tool_that_does_not_exist_is_told_from_the_one_that_does() -> None:
    call = {"id": "a", "function": {"name": "search", "arguments": '{"action": "left"}'}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = read_completion(ChatCompletion.construct(choices=[{"message": message, "finish_reason": "stop"}]))
    assert parse_actions(answer.reply, "classic").error == "The reply calls the tool 'search', not 'act'."
