"""The dialects in which models write tool calls into their text, and the tags in which they mark answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from craftax_text_gym.replies.pairs import Scanner, Token
from craftax_text_gym.replies.refusal import Refused, quoted
from craftax_text_gym.replies.regions import TOP_RANK, Region

_ANSWER = (
    r"(?:(?:(?:next|chosen|selected|final|best|my)_)?(?:actions?|moves?|answer)(?:_(?:list|names?|to_take|sequence))?"
    r"|decision|choice|command|response)"
)
_CALL = r"(?:[\w-]+:)?(?:tool_?calls?|function_?calls?|tool_use|tool_code)"
_FUNCTION = r"(?:[\w-]+:)?(?:function|invoke)"


@dataclass(frozen=True, slots=True)
class Marker:
    """A dialect of what is marked; see `pairs.Pair`.

    Attributes:
        opening: How it opens.
        closing: How it closes; `""` if it runs to the next of its kind or to the end.
        is_call: Whether it marks a tool call.
    """

    opening: str
    closing: str
    is_call: bool = True


_NAMED_CALL = Marker(rf"<({_FUNCTION})(?:[=\s][^<>]*)?>", rf"</({_FUNCTION})\s*>")
MARKERS = (
    Marker(rf"<({_ANSWER})\s*>", rf"</({_ANSWER})\s*>", is_call=False),
    _NAMED_CALL,
    Marker(rf"<({_CALL})\s*>", rf"</({_CALL})\s*>"),
    Marker(r"<\|action\|>", r"<\|end\|>", is_call=False),
    Marker(r"<\|begin_of_box\|>", r"<\|end_of_box\|>", is_call=False),
    Marker(r"<\|tool_calls_begin\|>", r"<\|tool_calls_end\|>"),
    Marker(r"<\|tool_calls_section_begin\|>", r"<\|tool_calls_section_end\|>"),
    Marker(r"<\|tool_call_(?:begin|start)\|>", r"<\|tool_call_end\|>"),
    Marker(r"<\|tool_call>", r"<tool_call\|>"),
    Marker(r"<start_function_call>", r"<end_function_call>"),
    Marker(r"<\|start_action\|>", r"<\|end_action\|>"),
    Marker(r"<\|action_start\|>(?:\s*<\|plugin\|>)?", r"<\|action_end\|>"),
    Marker(r"<\|python_start\|>", r"<\|python_end\|>"),
    Marker(r"<\|tool_call\|>", ""),
    Marker(r"<\|python_tag\|>", ""),
    Marker(r"\[tool_calls\]", ""),
)
_SCANNER = Scanner(MARKERS)

_MAX_SHOWN = 40
_FUNCTION_NAME = re.compile(r"=\s*[\"']?([^\"'<>\s]*)")
_PARAMETER = re.compile(r"<(?:[\w-]+:)?param(?:eter)?(?:=|\s+name\s*=\s*)[\"']?([\w-]+)[^<>]*>")
_PARAMETER_END = re.compile(r"</(?:[\w-]+:)?param(?:eter)?\s*>")
_FENCE = re.compile(r"```(?:\w*[ \t\r]*\n)?")
_HEADED = re.compile(
    r"(?:function\s*<\|tool_sep\|>|call:)?\s*([A-Za-z_][\w.-]*)(?::[0-9]+)?\s*"
    r"(?:<\|tool_sep\|>|<\|tool_call_argument_begin\|>|<tool_sep>|(?:\[CALL_ID\]\w*)?\[ARGS\])?\s*(\{.*|\[.*|)",
    re.DOTALL,
)


def find(text: str) -> Iterator[Region]:
    """The calls and tags of a text.

    Args:
        text: A reply without its thoughts, or the inside of a region.

    Yields:
        The outermost ones, in order.

    Raises:
        Refused: If one is not closed, or closed and not opened.
    """
    opened: Token[Marker] | None = None
    for token in _SCANNER.tokens(text):
        if opened is None:
            if token.closes:
                raise Refused("unfinished", f"The reply closes {_shown(token)} without opening it.")
            opened = token
        elif token.key != opened.key:
            continue
        elif token.closes:
            yield _region(opened, text[opened.end : token.start], token.end)
            opened = None
        elif token.pair.closing:
            break
        else:
            yield _region(opened, text[opened.end : token.start], token.start)
            opened = token
    if opened is None:
        return
    if opened.pair.closing:
        what = "tool call" if opened.pair.is_call else "answer"
        raise Refused("unfinished", f"The reply opens {_shown(opened)} without closing it: its {what} is cut off.")
    yield _region(opened, text[opened.end :], len(text))


def _shown(token: Token[Marker]) -> str:
    return ascii(token.text[:_MAX_SHOWN].replace("</", "<"))[1:-1]


def _region(opened: Token[Marker], body: str, end: int) -> Region:
    value: object = body
    if opened.pair is _NAMED_CALL:
        value = _named_call(opened.text, body)
    elif opened.pair.is_call:
        value = _call(body)
    return Region(opened.name or opened.pair.opening, TOP_RANK, opened.start, end, value)


def _named_call(opening: str, body: str) -> object:
    """`<function=act>` or `<invoke name="act">`, with parameters in tags of their own or in JSON."""
    name = _FUNCTION_NAME.search(opening)
    before, *rest = _PARAMETER.split(body)
    arguments: object = before.strip() or {}
    if rest:
        pairs = []
        for key, value in zip(rest[::2], rest[1::2], strict=True):
            closing = _PARAMETER_END.search(value)
            if closing is None:
                raise Refused("unfinished", f"The tool call does not close its parameter {quoted(key)}.")
            pairs.append((key, value[: closing.start()].strip()))
        arguments = _arguments(pairs)
    return {"name": name[1] if name else "", "arguments": arguments}


def _call(body: str) -> object:
    """What stands between the tokens of a call: a name with arguments in some dialect, or another text."""
    body = _FENCE.sub("", body).strip()
    if "<arg_key>" in body:
        name, *parts = body.split("<arg_key>")
        pairs = []
        for part in parts:
            key, _, value = part.partition("</arg_key>")
            value, closing, _ = value.strip().removeprefix("<arg_value>").partition("</arg_value>")
            if not closing:
                raise Refused("unfinished", f"The tool call does not close its argument {quoted(key.strip())}.")
            pairs.append((key.strip(), value.strip()))
        return {"name": name.strip(), "arguments": _arguments(pairs)}
    if headed := _HEADED.fullmatch(body):
        return {"name": headed[1], "arguments": headed[2] or {}}
    return body


def _arguments(pairs: list[tuple[str, str]]) -> Mapping[str, str]:
    arguments = dict(pairs)
    if len(arguments) < len(pairs):
        raise Refused("ambiguous", "The tool call gives an argument twice.")
    return arguments
