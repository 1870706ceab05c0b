"""A model's answer, complete or assembled from a stream."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from craftax_text_gym.agents.llm.errors import BadAnswerError
from craftax_text_gym.replies.contents import unfold
from craftax_text_gym.replies.refusal import Refused
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


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer.

    Attributes:
        text: The text; possibly empty.
        calls: The tool calls.
        is_truncated: Whether the token limit ended it.
        tokens: Tokens read and written, as the server reports them; None if it does not.
    """

    text: str
    calls: tuple[Call, ...] = ()
    is_truncated: bool = False
    tokens: tuple[int, int] | None = None

    @property
    def reply(self) -> str | list[str]:
        """What `parse_actions` will read: the arguments of the tool calls, else the text."""
        if not self.calls:
            return self.text
        calls = [call.reply for call in self.calls]
        return calls[0] if len(calls) == 1 else calls


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
        _message_text(message), tuple(calls), _get(choices[0], "finish_reason") == _TRUNCATED, read_usage(completion)
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
    return Answer(_to_text("".join(parts.words)), tuple(calls), parts.finish == _TRUNCATED, parts.tokens)


@dataclass(slots=True)
class _PartialAnswer:
    """The part of an answer received so far; `calls` maps an index to a call's id, name and arguments."""

    words: list[str] = field(default_factory=list)
    calls: dict[Any, list[str]] = field(default_factory=dict)
    finish: Any = None
    tokens: tuple[int, int] | None = None

    def add(self, choice: Any) -> None:
        delta = _get(choice, "delta")
        self.finish = _get(choice, "finish_reason") or self.finish
        self.words.append(_message_text(delta))
        for call in _to_list(_get(delta, "tool_calls")):
            part = self.calls.setdefault(str(_get(call, "index")), ["", "", ""])
            function = _get(call, "function")
            part[0] = _to_text(_get(call, "id")) or part[0]
            part[1] += _to_text(_get(function, "name"))
            part[2] += _to_text(_get(function, "arguments"))


def read_usage(completion: Any) -> tuple[int, int] | None:
    """Tokens read and written, or None if the server does not report them."""
    usage = _get(completion, "usage")
    read, written = _get(usage, "prompt_tokens"), _get(usage, "completion_tokens") or 0
    return (read, written) if isinstance(read, int) and isinstance(written, int) else None


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
