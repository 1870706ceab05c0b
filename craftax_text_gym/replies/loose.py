"""Reads what is almost JSON: single or curly quotes, trailing commas, bare words, comments, and Python calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_MAX_DEPTH = 32
_MAX_VALUES = 5000

_SPACE = re.compile(r"(?:\s|//[^\n]*|#[^\n]*)*+")
_STRINGS = {
    quote: re.compile(rf"{quote}((?:[^{end}\\]++|\\.|{end}(?!\s*(?:[,:;=\]}})#]|//|\Z)))*+){end}", re.DOTALL)
    for quote, end in (('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u2018", "\u2019"))
}
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?!\w)")
_WORD = re.compile(r"[A-Za-z_](?:[\w-]|\.(?=\w))*")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}

MakeObject = Callable[[list[tuple[str, Any]]], Mapping[str, Any]]
MakeInt = Callable[[str], "int | float"]


class BrokenError(ValueError):
    """A text that is no value.

    Attributes:
        position: How far it could be read.
        is_cut: Whether it only breaks off too early.
    """

    def __init__(self, position: int, is_cut: bool) -> None:
        """Describe where it breaks."""
        super().__init__("cut off" if is_cut else "no value")
        self.position = position
        self.is_cut = is_cut


def read(text: str, start: int, make_object: MakeObject, make_int: MakeInt) -> tuple[Any, int]:
    """The value that begins somewhere in a text.

    Args:
        text: Any text.
        start: Where the value begins.
        make_object: What makes an object of its pairs.
        make_int: What makes a number of its digits.

    Returns:
        The value, and where it ends. A call, `act(action="left")`, is the mapping of its `"name"` and `"arguments"`;
        arguments without keys are their list, or the value if there is one.

    Raises:
        BrokenError: If there is no whole value, or it is larger than any reply.
    """
    reader = _Reader(text, start, make_object, make_int)
    return reader.value(0), reader.position


class _Reader:
    def __init__(self, text: str, start: int, make_object: MakeObject, make_int: MakeInt) -> None:
        self.text = text
        self.position = start
        self._num_values = 0
        self._make_object = make_object
        self._make_int = make_int

    def value(self, depth: int) -> Any:
        self._num_values += 1
        if depth > _MAX_DEPTH or self._num_values > _MAX_VALUES:
            raise self._broken()
        sign = self._peek()
        if sign == "{":
            return self._make_object(self._pairs("}", depth))
        if sign == "[":
            return [value for _, value in self._items("]", depth)]
        if sign in _STRINGS:
            return self._string(sign)
        if number := _NUMBER.match(self.text, self.position):
            self.position = number.end()
            return self._make_int(number[0]) if number[0].lstrip("-").isdigit() else float(number[0])
        word = self._word()
        if self.text[self.position : self.position + 1] == "(":
            return self._call(word, depth)
        return _CONSTANTS.get(word.lower(), word)

    def _call(self, name: str, depth: int) -> Mapping[str, Any]:
        items = list(self._items(")", depth))
        named = [(key, value) for key, value in items if key is not None]
        bare = [value for key, value in items if key is None]
        if named and bare:
            raise self._broken()
        arguments = self._make_object(named) if not bare else bare[0] if len(bare) == 1 else bare
        return {"name": name, "arguments": arguments}

    def _pairs(self, closing: str, depth: int) -> list[tuple[str, Any]]:
        pairs = []
        for key, value in self._items(closing, depth):
            if key is None:
                raise self._broken()
            pairs.append((key, value))
        return pairs

    def _items(self, closing: str, depth: int) -> list[tuple[str | None, Any]]:
        """What stands between brackets: values, with a key before them or not."""
        self.position += 1
        items: list[tuple[str | None, Any]] = []
        while self._peek() != closing:
            key, value = None, self.value(depth + 1)
            if closing != "]" and self._peek() in (":", "="):
                if not isinstance(value, str):
                    raise self._broken()
                self.position += 1
                key, value = value, self.value(depth + 1)
            items.append((key, value))
            if self._peek() == ",":
                self.position += 1
            elif self._peek() != closing:
                raise self._broken()
        self.position += 1
        return items

    def _string(self, quote: str) -> str:
        string = _STRINGS[quote].match(self.text, self.position)
        if string is None:
            raise BrokenError(self.position, is_cut=True)
        self.position = string.end()
        return _ESCAPE.sub(lambda escape: _CONTROLS.get(escape[1], escape[1]), string[1])

    def _word(self) -> str:
        word = _WORD.match(self.text, self.position)
        if word is None:
            raise self._broken()
        self.position = word.end()
        return word[0]

    def _peek(self) -> str:
        """The next sign that is no space; a text that ends here is cut off."""
        space = _SPACE.match(self.text, self.position)
        self.position = space.end() if space else self.position
        if self.position >= len(self.text):
            raise BrokenError(self.position, is_cut=True)
        return self.text[self.position]

    def _broken(self) -> BrokenError:
        return BrokenError(self.position, is_cut=False)
