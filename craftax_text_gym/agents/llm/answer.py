"""What a model answered, whole or put together from a stream."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from craftax_text_gym.agents.llm.errors import BadAnswerError
from craftax_text_gym.replies.contents import unfold
from craftax_text_gym.replies.refusal import Refused
from craftax_text_gym.replies.tool_schemas import TOOL_NAME

_CUT = "length"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool.

    Attributes:
        id: Its name, for the result.
        name: The tool.
        arguments: JSON, if the model wrote it well.
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
    """What a model answered.

    Attributes:
        text: The words; possibly none.
        calls: Calls of tools.
        is_cut: Whether the limit of tokens ended it.
        tokens: Tokens read and written, as the server counts; None where it does not say.
    """

    text: str
    calls: tuple[Call, ...] = ()
    is_cut: bool = False
    tokens: tuple[int, int] | None = None

    @property
    def reply(self) -> str | list[str]:
        """What `parse_actions` is to read: the arguments of the calls, else the words."""
        if not self.calls:
            return self.text
        calls = [call.reply for call in self.calls]
        return calls[0] if len(calls) == 1 else calls


def read_completion(completion: Any) -> Answer:
    """Read an answer that came whole.

    Args:
        completion: The client's `ChatCompletion`, or whatever it made of what the server sent: it checks no types.

    Returns:
        The answer.

    Raises:
        BadAnswerError: If it is none.
    """
    choices = _list(_get(completion, "choices"))
    message = _get(choices[0], "message") if choices else None
    if message is None or isinstance(message, str):
        raise BadAnswerError(f"it has no message: {_get(completion, 'error') or completion}")
    calls = [
        _to_call(
            index, _get(call, "id"), _get(_get(call, "function"), "name"), _get(_get(call, "function"), "arguments")
        )
        for index, call in enumerate(_list(_get(message, "tool_calls")))
    ]
    return Answer(_said(message), tuple(calls), _get(choices[0], "finish_reason") == _CUT, read_usage(completion))


async def read_stream(chunks: AsyncIterator[Any]) -> Answer:
    """Put an answer together.

    Args:
        chunks: The client's `ChatCompletionChunk`s.

    Returns:
        The answer.

    Raises:
        BadAnswerError: If the stream breaks off.
    """
    parts = _Parts()
    async for chunk in chunks:
        parts.tokens = read_usage(chunk) or parts.tokens
        for choice in _list(_get(chunk, "choices")):
            parts.add(choice)
    if not parts.finish:
        raise BadAnswerError("its stream broke off")
    calls = [_to_call(index, *call) for index, call in enumerate(parts.calls.values())]
    return Answer(_words("".join(parts.words)), tuple(calls), parts.finish == _CUT, parts.tokens)


@dataclass(slots=True)
class _Parts:
    """What of an answer has come so far: words, and id, name and arguments of each call by its number."""

    words: list[str] = field(default_factory=list)
    calls: dict[Any, list[str]] = field(default_factory=dict)
    finish: Any = None
    tokens: tuple[int, int] | None = None

    def add(self, choice: Any) -> None:
        delta = _get(choice, "delta")
        self.finish = _get(choice, "finish_reason") or self.finish
        self.words.append(_said(delta))
        for call in _list(_get(delta, "tool_calls")):
            part = self.calls.setdefault(str(_get(call, "index")), ["", "", ""])
            function = _get(call, "function")
            part[0] = _words(_get(call, "id")) or part[0]
            part[1] += _words(_get(function, "name"))
            part[2] += _words(_get(function, "arguments"))


def read_usage(completion: Any) -> tuple[int, int] | None:
    """Tokens read and written, or None where the server does not say."""
    usage = _get(completion, "usage")
    read, written = _get(usage, "prompt_tokens"), _get(usage, "completion_tokens") or 0
    return (read, written) if isinstance(read, int) and isinstance(written, int) else None


def _to_call(index: int, id: Any, name: Any, arguments: Any) -> Call:
    return Call(_words(id) or f"call_{index}", _words(name) or TOOL_NAME, _words(arguments))


def _said(message: Any) -> str:
    """The words of a message; of content parts, the one that is text."""
    content = _get(message, "content") or _get(message, "refusal")
    try:
        parts = unfold(content) if isinstance(content, list) else None
    except Refused:
        parts = None
    if parts is not None and not parts.calls and len(parts.texts) <= 1:
        content = "".join(parts.texts)
    return _words(content)


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(value: Any) -> str:
    """Text that can be sent again: of what is no text its JSON, and no half of a pair of surrogates."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text.encode("utf-8", "replace").decode()
