"""Count tokens locally.

`"o200k"` is exact for OpenAI's current models and needs the package `bpe-openai`; other models' tokenizers differ by
some percent. `"estimate"` needs nothing; it counts one token per two characters, and is rarely too low. `"auto"` is the
first if it is installed, else the second.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from craftax_text_gym.utils.plugins import load, require_extra
from craftax_text_gym.wrappers.turns import CountTokens

AUTO = "auto"
COUNTERS: Mapping[str, str] = {
    "estimate": "craftax_text_gym.wrappers.turns:estimate_tokens",
    "o200k": f"{__name__}:count_o200k",
}
_PER_MESSAGE = 4
"""Tokens of the frame around a message."""


def resolve_counter(name: str) -> str:
    """Replace `"auto"` by the counter that is available; other names stay."""
    if name != AUTO:
        return name
    return "o200k" if find_spec("bpe_openai") else "estimate"


def load_counter(name: str) -> CountTokens:
    """Load a function that counts tokens.

    Args:
        name: `"auto"`, `"o200k"`, `"estimate"`, or a user's own `"package.module:function"`, which takes a text and
            returns an int.

    Returns:
        The function.

    Raises:
        ValueError: If the counter cannot be loaded.
    """
    counter: CountTokens = load("token counter", resolve_counter(name), COUNTERS)
    return counter


def count_o200k(text: str) -> int:
    """Count tokens in the encoding `o200k_base`; raises `ImportError` without `bpe-openai`."""
    return len(_encoding().encode(text, disallowed_special=()))


@lru_cache(maxsize=1)
def _encoding() -> Any:
    with require_extra("llm"), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # bpe-openai loads its data by a deprecated function
        import bpe_openai
    return bpe_openai.get_encoding("o200k_base")


def count_messages(messages: Iterable[Mapping[str, Any]], count: CountTokens) -> int:
    """Count the tokens of messages as a model reads them, with their frames."""
    return sum(_PER_MESSAGE + count(_text_of(message)) for message in messages)


def count_tools(tools: Iterable[Mapping[str, Any]], count: CountTokens) -> int:
    """Approximate the tokens of tool descriptions: each server formats them in its own way."""
    return sum(count(json.dumps(tool)) for tool in tools)


def _text_of(message: Mapping[str, Any]) -> str:
    calls = message.get("tool_calls")
    return f"{message.get('content') or ''}{json.dumps(calls) if calls else ''}"
