"""Decodes the JSON of replies, and what models write for JSON, whatever it holds."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from craftax_text_gym.replies import keys, loose
from craftax_text_gym.replies.loose import BrokenError
from craftax_text_gym.replies.refusal import Refused

_MAX_BRACKETS = 64
_MAX_DIGITS = 9
_MAX_VALUES = 1000
_BRACKET = re.compile(r'"[^"\\]*(?:\\.?[^"\\]*)*(?:"|\Z)|([\[{])|[\]}]', re.DOTALL)
_BETWEEN = re.compile(r"[\s;,]*")


def decode(text: str) -> Any:
    """What a text says that is a JSON value, almost one, or a Python call, or several of them in a row.

    Args:
        text: Any text.

    Returns:
        Its value; numbers that are no short integers are floats. Of several values their list.

    Raises:
        BrokenError: If it is none.
        Refused: If it is nested too deeply, or names a key twice that matters.
    """
    check_depth(text)
    try:
        return decode_strictly(text)
    except json.JSONDecodeError:
        pass
    values, end = [], _skip(text, 0)
    while end < len(text):
        value, end = loose.read(text, end, _to_object, _to_int)
        values.append(value)
        if len(values) > _MAX_VALUES:
            raise BrokenError(end, is_cut=False)
        end = _skip(text, end)
    if not values:
        raise BrokenError(0, is_cut=True)
    return values[0] if len(values) == 1 else values


def decode_strictly(text: str) -> Any:
    """What a text says that is JSON to the letter; as `decode`, with a `ValueError` for all that is not."""
    return _DECODER.decode(text)


def decode_at(text: str, start: int, *, is_strict: bool = False) -> tuple[Any, int]:
    """The value that begins somewhere in a text; `check_depth` has passed the text.

    Args:
        text: Any text.
        start: Where the value begins.
        is_strict: Whether to read nothing but JSON.

    Returns:
        The value, and where it ends.

    Raises:
        BrokenError: If there is no whole value. What was scanned for it lies before its `position`, or the text is cut.
    """
    try:
        value: tuple[Any, int] = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        if is_strict:
            is_cut = error.msg.startswith("Unterminated")
            raise BrokenError(error.pos, is_cut) from None
        return loose.read(text, start, _to_object, _to_int)
    return value


def check_depth(text: str) -> None:
    """Refuse before the decoder's recursion does: its limit is the interpreter's, which anyone may have raised."""
    if text.count("[") + text.count("{") <= _MAX_BRACKETS:
        return
    depth = 0
    for bracket in _BRACKET.finditer(text):
        if bracket[0] in "[]{}":
            depth += 1 if bracket[1] else -1
        if depth > _MAX_BRACKETS:
            raise Refused("malformed", "The reply is nested too deeply.")


def _skip(text: str, position: int) -> int:
    between = _BETWEEN.match(text, position)
    return between.end() if between else position


def _to_object(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    known = dict(pairs)
    if len(known) < len(pairs):
        names = [keys.normalized(key) for key, _ in pairs]
        for name in names:
            if name in keys.KEYS_TO_NAME_ONCE and names.count(name) > 1:
                raise Refused("ambiguous", f"The reply gives the key {name!r} twice.")
    return known


def _to_int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=_to_object, parse_int=_to_int)
