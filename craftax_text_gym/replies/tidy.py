"""Writes full-width signs, and the signs of a few dialects of tool calls, as plain ones."""

from __future__ import annotations

SIGNS = str.maketrans(
    {
        "\uff1a": ":",
        "\uff0c": ",",
        "\u3001": ",",
        "\uff1b": ";",
        "\u3002": ".",
        "\uff01": "!",
        "\uff1f": "?",
        "\uff08": "(",
        "\uff09": ")",
        "\uff1c": "<",
        "\uff1e": ">",
        "\uff1d": "=",
        "\uff0f": "/",
        "\uff5c": "|",
        "\u2581": "_",
    }
)
_DIALECTS = {'<|"|>': '"', "<escape>": '"', "<|DSML|": "<", "</|DSML|": "</"}


def tidied(text: str) -> str:
    """A reply with ASCII for full-width signs, Gemma's quotes and DeepSeek's tags; typographic quotes stay."""
    if not text.isascii():
        text = text.translate(SIGNS)
    if "<|" in text or "</|" in text or "<escape>" in text:
        for foreign, plain in _DIALECTS.items():
            text = text.replace(foreign, plain)
    return text
