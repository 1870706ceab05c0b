"""Unfolds messages and lists of content parts, as APIs give them, into the tool calls and texts that they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeGuard

from craftax_text_gym.replies import keys
from craftax_text_gym.replies.refusal import Refused

_MAX_DEPTH = 32
_MAX_PARTS = 10_000
_NUM_PEEKED = 64

_SILENT_TYPES = frozenset(
    {"thinking", "redacted_thinking", "thought", "thoughts", "reasoning", "reasoning_text", "reasoning_content"}
    | {"analysis", "summary_text", "tool_result", "function_call_output", "tool_call_output", "input_text"}
    | {"image", "image_url", "input_image", "output_image", "audio", "input_audio", "file", "document"}
)
_PART_TYPES = _SILENT_TYPES | {"text", "output_text", "refusal", "message", "tool_use", "function_call", "tool_call"}
_OWN_ROLES = frozenset({"assistant", "model", "ai"})
_ALTERNATIVES = ("choices", "candidates")
_NAMED_BY_ACTION = keys.ARGUMENT_KEYS - {"input"}
_NAMING = (*sorted(keys.NAME_KEYS), "function")
_OF_CALLS = keys.ARGUMENT_KEYS | keys.NAME_KEYS | {"function"}
_OF_MESSAGES = _OF_CALLS | keys.CALL_KEYS | {"role", "type", *keys.MESSAGE_KEYS}
_BESIDE_NAME = keys.NAME_KEYS | {"function", "type", "id", "call_id", "index", "tool_call_id"}


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool.

    Attributes:
        name: The tool; `""` if it is not named.
        arguments: Its arguments: a mapping, or the text of one.
    """

    name: str
    arguments: object


@dataclass(slots=True)
class Contents:
    """What messages and parts hold, in order.

    Attributes:
        calls: The calls of tools.
        texts: The texts; thoughts and what others said are left out.
        has_silent: Whether anything was left out.
    """

    calls: list[Call] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    has_silent: bool = False


def unfold(value: Mapping[object, object] | Sequence[object]) -> Contents | None:
    """The contents of a message or a part, or of a list of them.

    Args:
        value: A mapping or a list.

    Returns:
        What it holds; None if it is neither.

    Raises:
        Refused: If it is nested too deeply, or offers several replies.
    """
    contents = Contents()
    if isinstance(value, Mapping):
        known = _normalized(value)
        if known.keys().isdisjoint(_OF_MESSAGES) or not _is_message(known):
            return None
    elif not _holds_parts(value):
        return None
    _Unfolder(contents).add(value, 0)
    return contents


def _is_message(known: Mapping[str, object]) -> bool:
    """Whether an object is a message, a part of one, or a call; not if it gives an action by its key."""
    if to_call(known) or _filled(known, keys.CALL_KEYS):
        return True
    if _asks_by_key(known):
        return False
    return "role" in known or _word(known, "type") in _PART_TYPES or any(key in known for key in keys.MESSAGE_KEYS)


def asks(value: object, depth: int = 0) -> bool:
    """Whether a value says, on its face, which actions to do: by a key, or by calls of tools."""
    if depth > _MAX_DEPTH:
        return False
    if is_list(value):
        return any(asks(item, depth + 1) for item in islice(value, _NUM_PEEKED))
    if not isinstance(value, Mapping):
        return False
    known = _normalized(value)
    if _asks_by_key(known) or to_call(known) or _filled(known, keys.CALL_KEYS):
        return True
    return any(asks(known[key], depth + 1) for key in keys.MESSAGE_KEYS if key in known)


def to_call(known: Mapping[str, object]) -> Call | None:
    """The call of a tool that an object is.

    Args:
        known: The object with normalized keys.

    Returns:
        The call, or None. An object with nothing but a name is a call without arguments.
    """
    if known.keys().isdisjoint(_OF_CALLS):
        return None
    names = [known[key] for key in _NAMING if isinstance(known.get(key), str)]
    arguments = [key for key in known if key in keys.ARGUMENT_KEYS]
    if not names and isinstance(known.get("action"), str) and _NAMED_BY_ACTION.intersection(arguments):
        names = [known["action"]]
    elif _asks_by_key(known) or len(arguments) > 1 or len(names) > 1:
        return None
    if arguments and not (known.keys() & keys.CALL_KEYS - {"function", "tool_call"}):
        return Call(str(names[0]) if names else "", known[arguments[0]])
    if names and known.keys() <= _BESIDE_NAME:
        return Call(str(names[0]), {})
    return None


class _Unfolder:
    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._num_parts = 0

    def add(self, value: object, depth: int) -> None:
        self._num_parts += 1
        if depth > _MAX_DEPTH or self._num_parts > _MAX_PARTS:
            raise Refused("malformed", "The reply is nested too deeply.")
        if isinstance(value, str):
            self._contents.texts.append(value)
        elif isinstance(value, Mapping):
            self._add_object(value, depth)
        elif is_list(value):
            for item in value:
                self.add(item, depth + 1)

    def _add_object(self, value: Mapping[object, object], depth: int) -> None:
        known = _normalized(value)
        is_other = "role" in known and _word(known, "role") not in _OWN_ROLES
        if is_other or _word(known, "type") in _SILENT_TYPES or known.get("thought") is True:
            self._contents.has_silent = True
        elif call := to_call(known):
            self._contents.calls.append(call)
        elif calls := _filled(known, keys.CALL_KEYS):
            if _asks_by_key(known):
                raise Refused("ambiguous", "The object gives both an action and a tool call.")
            for key in calls:
                inner = known[key]
                is_name = key == "function" and isinstance(inner, str)
                self._add_calls(Call(str(inner), {}) if is_name else inner, depth + 1)
        elif _asks_by_key(known):
            self._contents.calls.append(Call("", value))
        else:
            self._add_message(known, depth)

    def _add_calls(self, value: object, depth: int) -> None:
        for item in value if is_list(value) else [value]:
            if isinstance(item, str | Call):
                self._contents.calls.append(item if isinstance(item, Call) else Call("", item))
            else:
                self.add(item, depth)

    def _add_message(self, known: Mapping[str, object], depth: int) -> None:
        for key in _filled(known, keys.MESSAGE_KEYS):
            inner = known[key]
            if key in _ALTERNATIVES and is_list(inner) and len(inner) > 1:
                raise Refused("ambiguous", f"The reply holds several replies, under {key!r}.")
            self.add(inner, depth + 1)


def _holds_parts(values: Sequence[object]) -> bool:
    """Whether a list is one of messages and parts, not of actions."""
    objects = [item for item in islice(values, _NUM_PEEKED) if isinstance(item, Mapping)]
    return any(_is_message(_normalized(item)) for item in objects)


def _normalized(value: Mapping[object, object]) -> dict[str, object]:
    return {keys.normalized(key) if isinstance(key, str) else "": item for key, item in value.items()}


def _asks_by_key(known: Mapping[str, object]) -> bool:
    return not (keys.ACTION_KEYS.isdisjoint(known) and keys.ANSWER_KEYS.isdisjoint(known))


def _filled(known: Mapping[str, object], wanted: Iterable[str]) -> list[str]:
    """The keys of a kind that hold something."""
    return [key for key in wanted if key in known and _is_filled(known[key])]


def _is_filled(value: object) -> bool:
    return bool(len(value)) if isinstance(value, str | Mapping) or is_list(value) else value is not None


def _word(known: Mapping[str, object], key: str) -> str:
    value = known.get(key)
    return value.lower() if isinstance(value, str) else ""


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Whether a value is a list of any type."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview)
