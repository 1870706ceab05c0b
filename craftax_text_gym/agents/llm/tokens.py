"""Counting tokens without asking a model.

`"o200k"` is exact for OpenAI's present models and needs the package `bpe-openai`; other models' tokenizers differ from
it by some percent. `"estimate"` needs nothing, counts a token for every two characters, and so is seldom too low.
`"auto"` is the first where it is installed, else the second.
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
"""Tokens that frame a message."""


def choose_counter(name: str) -> str:
    """The counter that a name stands for: what `"auto"` is here, any other name as it is."""
    if name != AUTO:
        return name
    return "o200k" if find_spec("bpe_openai") else "estimate"


def load_counter(name: str) -> CountTokens:
    """A function that counts tokens.

    Args:
        name: `"auto"`, `"o200k"`, `"estimate"`, or a user's own `"package.module:function"`, which takes a text and
            gives an int.

    Returns:
        The function.

    Raises:
        ValueError: If it cannot be loaded.
    """
    counter: CountTokens = load("token counter", choose_counter(name), COUNTERS)
    return counter


def count_o200k(text: str) -> int:
    """Tokens of a text in the encoding `o200k_base`; raises `ImportError` without `bpe-openai`."""
    return len(_encoding().encode(text, disallowed_special=()))


@lru_cache(maxsize=1)
def _encoding() -> Any:
    with require_extra("llm"), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # bpe-openai reads its own data in an old way
        import bpe_openai
    return bpe_openai.get_encoding("o200k_base")


def count_messages(messages: Iterable[Mapping[str, Any]], count: CountTokens) -> int:
    """Tokens of messages as a model reads them, frames included."""
    return sum(_PER_MESSAGE + count(_words(message)) for message in messages)


def count_tools(tools: Iterable[Mapping[str, Any]], count: CountTokens) -> int:
    """Tokens of the description of tools, about: each server words it in its own way."""
    return sum(count(json.dumps(tool)) for tool in tools)


def _words(message: Mapping[str, Any]) -> str:
    calls = message.get("tool_calls")
    return f"{message.get('content') or ''}{json.dumps(calls) if calls else ''}"
