"""Texts that are a value as a whole: JSON, almost JSON, or Python calls."""

from __future__ import annotations

import re
from typing import Any

from craftax_text_gym.replies import json_values
from craftax_text_gym.replies.loose import BrokenError
from craftax_text_gym.replies.refusal import Refused

NOTHING = object()
"""What is returned for a text that is no value, for None is one."""

_VALUE = re.compile(r"\s*(?:\{|\[(?!TOOL_CALLS\])|[A-Za-z_][\w.]*\()")
_QUOTED = re.compile(r"\s*`([^`]*)`\s*")
_KEYED = re.compile(r"\s*[\"'\u201c][\w -]{1,40}[\"'\u201d]\s*:")


def whole_json(text: str) -> Any:
    """The value of a text that is JSON to the letter, or `NOTHING`.

    Raises:
        Refused: If it is nested too deeply, or names a key twice that matters.
    """
    if text.lstrip()[:1] not in ("{", "["):
        return NOTHING
    json_values.check_depth(text)
    try:
        return json_values.decode_strictly(text)
    except ValueError:
        return NOTHING


def whole(text: str) -> Any:
    """The value of a text as `json_values.decode` reads it, braces left out or not, or `NOTHING`.

    Raises:
        Refused: As for `whole_json`; or if it begins as a value and breaks off.
    """
    if quoted := _QUOTED.fullmatch(text):
        text = quoted[1]
    if not _VALUE.match(text):
        if not _KEYED.match(text):
            return NOTHING
        text = f"{{{text}}}"
    try:
        return json_values.decode(text)
    except BrokenError as broken:
        if broken.is_cut:
            raise Refused("unfinished", "The reply's JSON or call is cut off.") from None
        return NOTHING
