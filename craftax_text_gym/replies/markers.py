"""Where a reply marks its actions: tags, boxes, JSON objects, fenced code, and lines that begin with `Action:`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from craftax_text_gym.replies.json_values import DECODER, check_depth, holds_action
from craftax_text_gym.replies.refusal import Refused

LABEL = "Action:"
_TOP_RANK, _BOX_RANK, _JSON_RANK, _FENCE_RANK, _LABEL_RANK = range(5)
_MAX_BROKEN_OBJECTS = 64
_MAX_MARKERS = 1000
_FLAGS = re.IGNORECASE | re.ASCII

_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|thoughts|reasoning|scratchpad)\s*>", _FLAGS)
_TAG = re.compile(r"<(/?)(actions?|answer|tool_call|function_call)\s*>", _FLAGS)
_BRACE = re.compile(r"(\\boxed\s*)?\{|\}", _FLAGS)
_STYLED = re.compile(r"\s*\\(?:text|texttt|textbf|textit|mathrm|mathbf|mathtt|mathit)\s*\{([^{}]*)\}\s*")
_FENCE = re.compile(r"```(?:[A-Za-z0-9_+-]*[ \t\r]*\n)?(.*?)```", re.DOTALL)
_OBJECT = re.compile(r'\{\s*"')
_LABEL = re.compile(
    r"^[ \t>*_#+-]*(?:(?:my|the|next|final|chosen|best|selected)[ _])?(?:actions?|answer)(?: ?#?[0-9]{1,3})?"
    r"[ \t*_]*[:=][ \t*_]*([^\n]*)$",
    _FLAGS | re.MULTILINE,
)
_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n|\Z")
_LEADING_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Region:
    """A marked part of a text.

    Attributes:
        kind: The marker.
        rank: How formal the marker is; 0 is the most.
        start: Where the marker begins.
        end: Where it ends.
        body: What it marks.
    """

    kind: str
    rank: int
    start: int
    end: int
    body: str


def without_thoughts(text: str) -> str:
    """A text without its `<think>…</think>` blocks, unclosed ones included.

    Args:
        text: A reply.

    Returns:
        What is outside of them; what precedes a `</think>` that nothing opened is a thought as well.
    """
    if "<" not in text:
        return text
    kept: list[str] = []
    start, is_thought = 0, False
    for tag in _THOUGHT.finditer(text):
        if not is_thought and tag[1]:
            kept.clear()
        elif not is_thought:
            kept.append(text[start : tag.start()])
        start, is_thought = tag.end(), not tag[1]
    if not is_thought:
        kept.append(text[start:])
    return "".join(kept)


def find_regions(text: str) -> list[Region]:
    """The marked parts of a text.

    Args:
        text: A reply, or the inside of a marker.

    Returns:
        The outermost ones in order, each as formal as the most formal that it holds.

    Raises:
        Refused: If a marker is not closed, or there are more than anyone could mean.
    """
    marked = chain(_tags(text), _boxes(text), _objects(text), _fences(text), _labels(text))
    found = list(islice(marked, _MAX_MARKERS + 1))
    if len(found) > _MAX_MARKERS:
        raise Refused("ambiguous", f"The reply holds more than {_MAX_MARKERS} markers.")
    outer: list[Region] = []
    for region in sorted(found, key=lambda region: (region.start, -region.end, region.rank)):
        if not outer or region.start >= outer[-1].end:
            outer.append(region)
        elif region.end <= outer[-1].end:
            outer[-1] = replace(outer[-1], rank=min(region.rank, outer[-1].rank))
        elif region.rank < outer[-1].rank:
            outer[-1] = region
    return outer


def _tags(text: str) -> Iterator[Region]:
    if "<" not in text:
        return
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if opened is None:
            if tag[1]:
                raise Refused("unfinished", f"The reply closes <{name}> without opening it.")
            opened = tag
        elif name == opened[2].lower():
            if not tag[1]:
                break
            yield Region(f"<{name}>", _TOP_RANK, opened.start(), tag.end(), text[opened.end() : tag.start()])
            opened = None
    if opened is not None:
        raise Refused("unfinished", f"The reply opens <{opened[2].lower()}> without closing it.")


def _boxes(text: str) -> Iterator[Region]:
    if "\\boxed" not in text.lower():
        return
    opened: re.Match[str] | None = None
    depth = 0
    for brace in _BRACE.finditer(text):
        if opened is None:
            opened, depth = (brace, 1) if brace[1] else (None, 0)
            continue
        depth += -1 if brace[0] == "}" else 1
        if depth == 0:
            body = text[opened.end() : brace.start()].replace("\\_", "_")
            styled = _STYLED.fullmatch(body)
            yield Region("\\boxed", _BOX_RANK, opened.start(), brace.end(), styled[1] if styled else body)
            opened = None
    if opened is not None:
        raise Refused("unfinished", "The reply opens \\boxed{ without closing it.")


def _objects(text: str) -> Iterator[Region]:
    start = _OBJECT.search(text)
    if start is None:
        return
    check_depth(text)
    num_found = num_broken = 0
    while start is not None:
        num_found += 1
        if num_broken > _MAX_BROKEN_OBJECTS or num_found > _MAX_MARKERS:
            raise Refused("malformed", "The reply holds too many JSON objects.")
        try:
            value, end = DECODER.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            num_broken += 1
            end = max(error.pos, start.start() + 1)
        else:
            if holds_action(value):
                yield Region("JSON", _JSON_RANK, start.start(), end, text[start.start() : end])
        start = _OBJECT.search(text, end)


def _fences(text: str) -> Iterator[Region]:
    if "```" not in text:
        return
    end = 0
    for fence in _FENCE.finditer(text):
        yield Region("```", _FENCE_RANK, fence.start(), fence.end(), fence[1])
        end = fence.end()
    if (start := text.find("```", end)) >= 0:
        yield Region("unfinished ```", _FENCE_RANK, start, len(text), "")


def _labels(text: str) -> Iterator[Region]:
    if ":" not in text and "=" not in text:
        return
    labels = list(islice(_LABEL.finditer(text), _MAX_MARKERS + 1))
    limits = [*(label.start() for label in labels[1:]), len(text)]
    for label, limit in zip(labels, limits, strict=False):
        value, end = label[1].strip(" \t\r*_"), label.end()
        if not value:
            start = min(_skip_space(text, end), limit)
            paragraph_end = _PARAGRAPH_END.search(text, start, limit)
            end = paragraph_end.start() if paragraph_end else limit
            value = text[start:end]
        yield Region(LABEL, _LABEL_RANK, label.start(), end, value)


def line_after(text: str, position: int) -> str:
    """The next line of a text that is not blank, from a position on."""
    start = _skip_space(text, position)
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


def _skip_space(text: str, position: int) -> int:
    space = _LEADING_SPACE.match(text, position)
    return space.end() if space else position
