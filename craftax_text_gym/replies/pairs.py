"""Finds paired tokens, such as `<think>` and `</think>`, of many dialects in one pass over a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar


class Pair(Protocol):
    """A dialect: how it opens, and how it closes.

    Attributes:
        opening: A regular expression that begins with a plain character. If it has a group, the text of the group names
            the pair: only a closing token with the same name closes it.
        closing: The same for the closing token; `""` if there is none.
    """

    @property
    def opening(self) -> str:
        """How it opens."""

    @property
    def closing(self) -> str:
        """How it closes."""


_PLAIN = re.compile(r"(?:\\\W|[^\w\\()\[\]*+?.|^${}])+(?![*+?{])")

PairT = TypeVar("PairT", bound=Pair)


class Token(NamedTuple, Generic[PairT]):
    """An opening or closing token in a text.

    Attributes:
        pair: Its dialect.
        name: Its name in lower case; `""` if the dialect has one name only.
        closes: Whether it closes.
        start: Where it begins.
        end: Where it ends.
        text: The token itself.
    """

    pair: PairT
    name: str
    closes: bool
    start: int
    end: int
    text: str

    @property
    def key(self) -> tuple[PairT, str]:
        """What an opening token and the one that closes it have in common."""
        return self.pair, self.name


class Scanner(Generic[PairT]):
    """Finds the tokens of a table of dialects. The time grows with the length of the text alone."""

    def __init__(self, pairs: Sequence[PairT]) -> None:
        """Compile the table."""
        sides = [_Side(pair, False, pair.opening) for pair in pairs]
        sides += [_Side(pair, True, pair.closing) for pair in pairs if pair.closing]
        self._all = _Table(sides)
        self._tags = _Table([side for side in sides if side.beginning[0] == "<"])
        self._others = tuple({side.beginning.replace("\\", "") for side in sides if side.beginning[0] != "<"})

    def tokens(self, text: str) -> Iterator[Token[PairT]]:
        """The tokens of a text in order."""
        for beginning in self._others:
            if beginning in text:
                return self._all.tokens(text)
        return self._tags.tokens(text) if "<" in text else iter(())  # `re` skips fast to a single sign


@dataclass(frozen=True, slots=True)
class _Side(Generic[PairT]):
    pair: PairT
    closes: bool
    pattern: str

    @property
    def beginning(self) -> str:
        """The plain characters that it begins with."""
        plain = _PLAIN.match(self.pattern)
        return plain[0] if plain else ""


class _Table(Generic[PairT]):
    def __init__(self, sides: Sequence[_Side[PairT]]) -> None:
        self._sides: dict[int, tuple[PairT, bool, bool]] = {}
        branches, group = [], 1
        for beginning in dict.fromkeys(side.beginning for side in sides):
            endings = []
            for side in sides:
                if side.beginning == beginning:
                    endings.append(f"({side.pattern[len(beginning) :]})")
                    num_inner = re.compile(side.pattern).groups
                    self._sides[group] = (side.pair, side.closes, num_inner > 0)
                    group += 1 + num_inner
            branches.append(f"{beginning}(?:{'|'.join(endings)})")
        self._pattern = re.compile("|".join(branches), re.IGNORECASE | re.ASCII)

    def tokens(self, text: str) -> Iterator[Token[PairT]]:
        for match in self._pattern.finditer(text):
            group = match.lastindex or 0
            pair, closes, is_named = self._sides[group]
            name = match[group + 1].lower() if is_named else ""
            yield Token(pair, name, closes, match.start(), match.end(), match[0])
