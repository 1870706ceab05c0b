"""JSON in replies: which objects ask for actions, and a decoder that nothing breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from craftax_text_gym.replies.refusal import Refused

ACTION_KEYS = frozenset({"action", "actions", "action_list", "actions_list", "action_name", "action_names"})
"""Keys of a JSON object whose value is the actions."""

CALL_KEYS = frozenset(
    {"arguments", "args", "function", "input", "parameters", "tool_call", "tool_calls", "function_call"}
)
"""Keys of a tool call that lead to its arguments."""

COUNT_KEYS = frozenset({"count", "repeat", "repeats", "repetitions", "times"})
"""Keys beside an action that say how often."""

MAX_DEPTH = 6
"""How deep markers and JSON may be nested around an action."""

_MAX_BRACKETS = 64
_BRACKET = re.compile(r'"[^"\\]*(?:\\.?[^"\\]*)*(?:"|\Z)|([\[{])|[\]}]', re.DOTALL)


def decode(text: str) -> Any:
    """What a JSON text says.

    Args:
        text: Any text.

    Returns:
        Its value; numbers that are no short integers are floats.

    Raises:
        ValueError: If it is not JSON.
        Refused: If it is nested too deeply, or gives a key that matters twice.
    """
    check_depth(text)
    return DECODER.decode(text)


def holds_action(value: object, depth: int = 0) -> bool:
    """Whether a decoded JSON value says, on its face, which actions to do."""
    if depth > MAX_DEPTH:
        return False
    if isinstance(value, Mapping):
        keys = {key: str(key).lower() for key in value}
        if ACTION_KEYS.intersection(keys.values()):
            return True
        return any(holds_action(value[key], depth + 1) for key, name in keys.items() if name in CALL_KEYS)
    if isinstance(value, str):
        return depth > 0 and any(f'"{key}"' in value for key in ACTION_KEYS)
    return isinstance(value, list) and any(holds_action(item, depth + 1) for item in value)


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


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    known = dict(pairs)
    if len(known) < len(pairs):
        keys = [key.lower() for key, _ in pairs]
        for key in ACTION_KEYS | CALL_KEYS | COUNT_KEYS:
            if keys.count(key) > 1:
                raise Refused("ambiguous", f"The reply gives the key {key!r} twice.")
    return known


def _int(digits: str) -> int | float:
    return int(digits) if len(digits) < 10 else float(digits)


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_int)
