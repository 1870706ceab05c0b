"""A model's answer, complete or assembled from a stream."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from craftax_text_gym.agents.llm.errors import BadAnswerError
from craftax_text_gym.recording.trajectory import REASONING
from craftax_text_gym.replies.contents import unfold
from craftax_text_gym.replies.refusal import Refused
from craftax_text_gym.replies.thoughts import without_thoughts
from craftax_text_gym.replies.tool_schemas import TOOL_NAME

_TRUNCATED = "length"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call.

    Attributes:
        id: The id that the result must name.
        name: The name of the tool.
        arguments: JSON text, if the model wrote it correctly.
    """

    id: str
    name: str
    arguments: str

    @property
    def reply(self) -> str:
        """Its arguments; of a tool that the model has made up, the whole call as JSON."""
        if self.name == TOOL_NAME:
            return self.arguments
        return json.dumps({"name": self.name, "arguments": self.arguments})


class Tokens(NamedTuple):
    """The tokens of one or more requests.

    Attributes:
        read: Those read.
        written: Those written, with those of reasoning.
        cached: Those of the ones read that came from a cache.
        reasoning: Those of the ones written that were reasoning.
    """

    read: int = 0
    written: int = 0
    cached: int = 0
    reasoning: int = 0

    def plus(self, other: Tokens) -> Tokens:
        """The sum of each."""
        return Tokens(*map(sum, zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer.

    Attributes:
        text: The text; possibly empty.
        calls: The tool calls.
        is_truncated: Whether the token limit ended it.
        tokens: As the server reports them; None if it does not.
        reasoning: What the model thought, where the server keeps that apart from the text; possibly empty.
    """

    text: str
    calls: tuple[Call, ...] = ()
    is_truncated: bool = False
    tokens: Tokens | None = None
    reasoning: str = ""

    @property
    def reply(self) -> str | list[str]:
        """What `parse_actions` will read: the arguments of the tool calls, else the text."""
        if not self.calls:
            return self.text
        calls = [call.reply for call in self.calls]
        return calls[0] if len(calls) == 1 else calls

    @property
    def is_empty(self) -> bool:
        """Whether it holds nothing outside of reasoning."""
        return not self.calls and not without_thoughts(self.text).strip()

    @property
    def message(self) -> str | list[str] | dict[str, Any]:
        """The reply, in a message with the reasoning if there is any; `parse_actions` reads the reply alone."""
        reply = self.reply
        if not self.reasoning:
            return reply
        said: dict[str, Any] = {"content": reply}
        if not isinstance(reply, str):
            said = {"tool_calls": [{"function": {"name": TOOL_NAME, "arguments": call}} for call in reply]}
        return {"role": "assistant", REASONING: self.reasoning, **said}


def read_completion(completion: Any) -> Answer:
    """Read a complete answer.

    Args:
        completion: The client's `ChatCompletion`, whose fields may have any type: the client does not validate them.

    Returns:
        The answer.

    Raises:
        BadAnswerError: If it has no message.
    """
    choices = _to_list(_get(completion, "choices"))
    message = _get(choices[0], "message") if choices else None
    if message is None or isinstance(message, str):
        raise BadAnswerError(f"it has no message: {_get(completion, 'error') or completion}")
    calls = [
        _to_call(
            index, _get(call, "id"), _get(_get(call, "function"), "name"), _get(_get(call, "function"), "arguments")
        )
        for index, call in enumerate(_to_list(_get(message, "tool_calls")))
    ]
    return Answer(
        _message_text(message),
        tuple(calls),
        _get(choices[0], "finish_reason") == _TRUNCATED,
        read_usage(completion),
        _reasoning(message),
    )


async def read_stream(chunks: AsyncIterator[Any]) -> Answer:
    """Assemble an answer from a stream.

    Args:
        chunks: The client's `ChatCompletionChunk`s.

    Returns:
        The answer.

    Raises:
        BadAnswerError: If the stream breaks off.
    """
    parts = _PartialAnswer()
    async for chunk in chunks:
        parts.tokens = read_usage(chunk) or parts.tokens
        for choice in _to_list(_get(chunk, "choices")):
            parts.add(choice)
    if not parts.finish:
        raise BadAnswerError("its stream broke off")
    calls = [_to_call(index, *call) for index, call in enumerate(parts.calls.values())]
    text, thoughts = _to_text("".join(parts.words)), _to_text("".join(parts.thoughts))
    return Answer(text, tuple(calls), parts.finish == _TRUNCATED, parts.tokens, thoughts)


@dataclass(slots=True)
class _PartialAnswer:
    """The part of an answer received so far; `calls` maps an index to a call's id, name and arguments."""

    words: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: dict[Any, list[str]] = field(default_factory=dict)
    finish: Any = None
    tokens: Tokens | None = None

    def add(self, choice: Any) -> None:
        delta = _get(choice, "delta")
        self.finish = _get(choice, "finish_reason") or self.finish
        self.words.append(_message_text(delta))
        self.thoughts.append(_reasoning(delta))
        for call in _to_list(_get(delta, "tool_calls")):
            part = self.calls.setdefault(str(_get(call, "index")), ["", "", ""])
            function = _get(call, "function")
            part[0] = _to_text(_get(call, "id")) or part[0]
            part[1] += _to_text(_get(function, "name"))
            part[2] += _to_text(_get(function, "arguments"))


def read_usage(completion: Any) -> Tokens | None:
    """The tokens that a server reports, or None if it does not."""
    usage = _get(completion, "usage")
    read, written = _get(usage, "prompt_tokens"), _get(usage, "completion_tokens") or 0
    if not (isinstance(read, int) and isinstance(written, int)):
        return None
    cached = _get(_get(usage, "prompt_tokens_details"), "cached_tokens") or _get(usage, "prompt_cache_hit_tokens")
    reasoning = _count(_get(_get(usage, "completion_tokens_details"), "reasoning_tokens"))
    if reasoning and _get(usage, "total_tokens") == read + written + reasoning:  # some count reasoning apart
        written += reasoning
    return Tokens(read, written, min(_count(cached), max(read, 0)), min(reasoning, max(written, 0)))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _reasoning(message: Any) -> str:
    """What a model thought, under the names that servers give it."""
    for name in (REASONING, "reasoning", "thinking"):
        if value := _get(message, name):
            return _to_text(value)
    parts = [*_to_list(_get(message, "content")), *_to_list(_get(message, "reasoning_details"))]
    return "".join([_part_thoughts(part) for part in parts])


def _part_thoughts(part: Any) -> str:
    """The thoughts of a content part; a summary is one too."""
    if str(_get(part, "type")).partition(".")[0] not in ("thinking", "reasoning"):
        return ""
    for name in ("thinking", "text", "summary", "reasoning"):
        value = _get(part, name)
        if isinstance(value, str):
            return _to_text(value)
        if isinstance(value, list):
            return "".join([_to_text(_get(item, "text")) for item in value])
    return ""


def _to_call(index: int, id: Any, name: Any, arguments: Any) -> Call:
    return Call(_to_text(id) or f"call_{index}", _to_text(name) or TOOL_NAME, _to_text(arguments))


def _message_text(message: Any) -> str:
    """The words of a message; of content parts, the one that is text."""
    content = _get(message, "content") or _get(message, "refusal")
    try:
        parts = unfold(content) if isinstance(content, list) else None
    except Refused:
        parts = None
    if parts is not None and not parts.calls and len(parts.texts) <= 1:
        content = "".join(parts.texts)
    return _to_text(content)


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _to_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _to_text(value: Any) -> str:
    """Text that can be sent back: other values as JSON, and no lone surrogates."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text.encode("utf-8", "replace").decode()
