"""Where a reply marks its actions: calls and tags, boxes, JSON, fenced code, and labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice

from craftax_text_gym.replies import calls, contents, json_values, keys, labels
from craftax_text_gym.replies.loose import BrokenError
from craftax_text_gym.replies.refusal import Refused
from craftax_text_gym.replies.regions import BOX_RANK, FENCE_RANK, JSON_RANK, Region

_MAX_MARKERS = 1000

_BRACE = re.compile(r"(\\boxed\s*)?\{|\}", re.IGNORECASE | re.ASCII)
_STYLED = re.compile(r"\s*\\(?:text|texttt|textbf|textit|mathrm|mathbf|mathtt|mathit)\s*\{([^{}]*)\}\s*")
_FENCE = re.compile(r"```(?:[A-Za-z0-9_+-]*[ \t\r]*\n)?(.*?)```", re.DOTALL)
_OBJECT = re.compile(r"\{\s*[\"'\u201c\w]")
_CALL = re.compile(rf"^[ \t]*(?=\[?(?:\w+\.)*(?:{'|'.join(sorted(keys.TOOL_NAMES))})\()", re.MULTILINE)
_CALL_END = re.compile(r"[ \t\r;]*(?:\n|\Z)")


def find_regions(text: str) -> list[Region]:
    """The marked parts of a text.

    Args:
        text: A reply without its thoughts, or the inside of a marker.

    Returns:
        The outermost ones in order, each as formal as the most formal that it holds.

    Raises:
        Refused: If a marker is not closed, or there are more than anyone could mean.
    """
    found = list(islice(calls.find(text), _MAX_MARKERS + 1)) if "<" in text or "[" in text else []
    if not _cover(found, text):
        finders = [find for sign, find in _FINDERS.items() if sign in text]
        found += islice(chain.from_iterable(find(text) for find in (*finders, labels.find)), _MAX_MARKERS + 1)
    if len(found) > _MAX_MARKERS:
        raise Refused("ambiguous", f"The reply holds more than {_MAX_MARKERS} markers.")
    if len(found) <= 1:
        return found
    outer: list[Region] = []
    for region in sorted(found, key=lambda region: (region.start, -region.end, region.rank)):
        if not outer or region.start >= outer[-1].end:
            outer.append(region)
        elif region.end <= outer[-1].end:
            outer[-1] = outer[-1]._replace(rank=min(region.rank, outer[-1].rank))
        elif region.rank < outer[-1].rank:
            outer[-1] = region
    return outer


def _cover(regions: list[Region], text: str) -> bool:
    """Whether there is nothing outside of the regions."""
    ends = [0, *(region.end for region in regions)]
    starts = [*(region.start for region in regions), len(text)]
    return bool(regions) and not any(text[end:start].strip() for end, start in zip(ends, starts, strict=True))


def _boxes(text: str) -> Iterator[Region]:
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
            yield Region("\\boxed", BOX_RANK, opened.start(), brace.end(), styled[1] if styled else body)
            opened = None
    if opened is not None:
        raise Refused("unfinished", "The reply opens \\boxed{ without closing it.")


def _objects(text: str) -> Iterator[Region]:
    found = _OBJECT.search(text)
    if found is None:
        return
    json_values.check_depth(text)
    is_strict = False
    num_found = 0
    while found is not None:
        num_found += 1
        if num_found > _MAX_MARKERS:
            raise Refused("malformed", "The reply holds too many JSON objects.")
        start = found.start()
        try:
            value, end = json_values.decode_at(text, start, is_strict=is_strict)
        except BrokenError as broken:
            if broken.is_cut and keys.ASKING.search(text, start):
                raise Refused("unfinished", "The reply's JSON is cut off.") from None
            if broken.is_cut and is_strict:
                return
            is_strict = is_strict or broken.is_cut
            end = max(broken.position, start + 1)
        else:
            if contents.asks(value):
                yield Region("JSON", JSON_RANK, start, end, value)
        found = _OBJECT.search(text, end)


def _calls(text: str) -> Iterator[Region]:
    """Python calls of the tool, on lines of their own."""
    end = 0
    for call in _CALL.finditer(text):
        if call.end() < end:
            continue
        try:
            value, end = json_values.decode_at(text, call.end())
        except BrokenError as broken:
            if broken.is_cut:
                raise Refused("unfinished", "The reply's tool call is cut off.") from None
            end = max(broken.position, call.end() + 1)
        else:
            if _CALL_END.match(text, end):
                yield Region("call", JSON_RANK, call.end(), end, value)


def _fences(text: str) -> Iterator[Region]:
    end = 0
    for fence in _FENCE.finditer(text):
        yield Region("```", FENCE_RANK, fence.start(), fence.end(), fence[1])
        end = fence.end()
    if (start := text.find("```", end)) >= 0:
        yield Region("unfinished ```", FENCE_RANK, start, len(text), "", is_cut=True)


_FINDERS: dict[str, Callable[[str], Iterator[Region]]] = {"\\": _boxes, "{": _objects, "(": _calls, "```": _fences}
"""What finds each kind of marker, and a sign without which there is none."""
