"""Answers that words mark: `Action: left`, a heading, `The answer is left`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from craftax_text_gym.replies.regions import LABEL_RANK, PHRASE_RANK, Region

LABEL, PHRASE = "Action:", "The answer is"
_MAX_LABELS = 1001

_FLAGS = re.IGNORECASE | re.ASCII
_WHICH = r"(?:(?:my|the|next|final|chosen|best|selected)[ _]){0,3}"
_ACTION = r"(?:actions?|answer)(?: ?#?[0-9]{1,3}| to (?:take|perform|do|play))?"
_OTHER = r"(?:moves?|decision|choice|command|response)"
_LABEL = re.compile(
    r"\n(?P<prefix>[ \t*_#+-]*+)(?=[abcdfhmnrst,])(?:"
    rf"(?P<label>{_WHICH}{_ACTION})[ \t*_]*[:=]"
    rf"|(?P<phrase>(?:so|thus|therefore|hence)?,?[ \t]?{_WHICH}(?:{_ACTION}|{_OTHER})[ \t]+is\b:?"
    rf"|{_WHICH}{_OTHER}[*_]*:)"
    rf"|(?P<heading>{_WHICH}{_ACTION})[ \t*_#]*(?![^\n])"
    r")(?:[*_]+(?=\s|\Z))?[ \t]*(?P<value>[^\n]*)",
    _FLAGS,
)
_INPUT = re.compile(r"[*_]*action[ _]input[ \t*_]*:[*_]*", _FLAGS)
_OBSERVATION = re.compile(r"\n[ \t*_]*observation[ \t*_]*:", _FLAGS)
_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n|\Z")
_SPACE = re.compile(r"\s*")


def find(text: str) -> Iterator[Region]:
    """The labelled answers of a text.

    Args:
        text: A reply without its thoughts, or the inside of a region.

    Yields:
        Each with its line; or with the paragraph below, if the label has a line of its own.
    """
    if ":" not in text and "=" not in text and "#" not in text and "*" not in text and " is" not in text:
        return
    found = list(islice(_LABEL.finditer(f"\n{text}"), _MAX_LABELS))  # `re` skips fast to a line end
    limits = [*(label.start() for label in found[1:]), len(text)]
    for label, limit in zip(found, limits, strict=False):
        value, end = _without_emphasis(label["value"]), label.end() - 1
        if label["heading"] and not any(sign in label["prefix"] for sign in ("#", "**")):
            continue
        if not value and label["phrase"] and not label["phrase"].endswith(":"):
            continue
        if not value:
            start = min(skip_space(text, end), limit)
            paragraph_end = _PARAGRAPH_END.search(text, start, limit)
            end = paragraph_end.start() if paragraph_end else limit
            value = text[start:end]
        elif given := _INPUT.match(text, skip_space(text, end)):
            end = limit if (stop := _OBSERVATION.search(text, given.end(), limit)) is None else stop.start()
            call = {"name": value, "arguments": text[given.end() : end].strip()}
            yield Region("Action Input:", LABEL_RANK, label.start(), end, call)
            continue
        kind, rank = (PHRASE, PHRASE_RANK) if label["phrase"] else (LABEL, LABEL_RANK)
        yield Region(kind, rank, label.start(), end, value)


def line_after(text: str, position: int) -> str:
    """The next line of a text that is not blank, from a position on."""
    start = skip_space(text, position)
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


def skip_space(text: str, position: int) -> int:
    """Where white space that begins at a position ends."""
    space = _SPACE.match(text, position)
    return space.end() if space else position


def _without_emphasis(value: str) -> str:
    """A value without the end of an emphasis that began before its label."""
    value = value.strip(" \t\r")
    bare = value.rstrip("*_")
    return value if value[:1] in ("*", "_") else bare
