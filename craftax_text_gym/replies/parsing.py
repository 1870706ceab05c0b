r"""From a language model's reply to actions. It never guesses: what is not clearly an action is refused with a reason.

A reply is read in this order:

1. `<think>…</think>` blocks are removed, unclosed ones included.
2. A reply that is JSON as a whole is read as JSON.
3. Where there are markers, what they mark is read and the prose around them is not. From the most formal to the least:
   `<action>…</action>` (also `<actions>`, `<answer>`, `<tool_call>`), `\boxed{…}`, a JSON object with the key
   `"action"` or `"actions"` (or a tool call around one), fenced code, a line `Action: …`. All markers of the most
   formal kind present must be readable, and every readable marker must say the same. Markers of one kind with nothing
   but white space, commas or semicolons between them are a sequence.
4. Without a marker, or inside of one, there may be nothing but actions. A sentence is refused even if it holds a single
   name: `do`, `left` and `rest` are plain English.

Actions are names in any case with spaces, hyphens, underscores or quotes, the aliases of `actions.aliases`, or an index
that stands alone (or is an element of a JSON list). Between them stand commas, semicolons, `|`, `->`, `then` or line
ends; one-word names (`place_stone left do`) need only spaces. `left*3`, `left x3`, `3x left` and `left 3 times` repeat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TypeGuard

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.replies import json_values, markers
from craftax_text_gym.replies.aliases import Vocabulary, vocabulary_of
from craftax_text_gym.replies.entries import check_count, index_of, quoted, read_entries
from craftax_text_gym.replies.markers import Region
from craftax_text_gym.replies.refusal import Reason, Refused
from craftax_text_gym.utils import validation as checks

MAX_ACTIONS = 100
"""The most actions that one reply may ask for, unless told otherwise."""

_BETWEEN = re.compile(r"[\s,;]*")
_HINT = re.compile(r"[<\\{\[`:=]")


@dataclass(frozen=True, slots=True)
class ParsedActions:
    """What a reply asks for: actions, or the reason why there are none.

    Attributes:
        actions: The numbers of the actions in order, repeats kept; empty if the reply is refused.
        names: Their names.
        reason: None if the reply was read, else why not, as one of the words of `Reason`.
        error: None if the reply was read, else a sentence that a model can be shown.
        suggestions: Names of actions that a refused reply may have meant, likeliest first; possibly none.
    """

    actions: tuple[int, ...]
    names: tuple[str, ...]
    reason: Reason | None = None
    error: str | None = None
    suggestions: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the reply was read; then there is at least one action."""
        return self.reason is None


def parse_actions(
    reply: str | int | Mapping[str, object] | Sequence[object],
    game: str | GameSpec,
    *,
    max_actions: int = MAX_ACTIONS,
) -> ParsedActions:
    """Read the actions that a language model's reply asks for.

    Args:
        reply: The text of a reply, or the arguments of a tool call: a mapping with the key `"action"` or `"actions"`,
            a list of names and indices, or an index.
        game: `"full"`, `"classic"`, an environment id, or a spec.
        max_actions: The most actions that the reply may ask for. More are refused, never cut off.

    Returns:
        The actions, or the reason why there are none. Whatever a reply of the right type holds, nothing is raised.

    Raises:
        TypeError: If the reply is of another type, or `max_actions` is no int.
        ValueError: If there is no such game, or `max_actions` is below 1.
    """
    checks.check_count("max_actions", max_actions)
    if not (isinstance(reply, str | Mapping) or _is_index(reply) or _is_list(reply)):
        raise TypeError(
            f"Expected a reply as a str, or a tool call's arguments as a mapping, list or int, "
            f"got a {type(reply).__name__}."
        )
    vocabulary = vocabulary_of(games.get(game))
    try:
        if isinstance(reply, str):
            reply = markers.without_thoughts(reply)
        actions = _Reader(vocabulary, max_actions).read_value(reply)
    except Refused as refusal:
        return _refused(refusal, vocabulary)
    return ParsedActions(tuple(actions), tuple([vocabulary.names[action] for action in actions]))


def _refused(refusal: Refused, vocabulary: Vocabulary) -> ParsedActions:
    error, suggestions = refusal.message, refusal.suggestions
    if refusal.unknown and (suggestions := vocabulary.nearest(refusal.unknown)):
        error = f"{error} The closest names: {', '.join(suggestions)}."
    return ParsedActions((), (), refusal.reason, error, suggestions)


@dataclass(frozen=True, slots=True)
class _Reader:
    vocabulary: Vocabulary
    max_actions: int

    def read_value(self, value: object, depth: int = 0) -> list[int]:
        if depth > json_values.MAX_DEPTH:
            raise Refused("malformed", "The reply is nested too deeply.")
        if isinstance(value, str):
            return self._read_text(value, depth)
        if isinstance(value, Mapping):
            return self._read_mapping(value, depth)
        if _is_list(value):
            actions: list[int] = []
            for item in value:
                actions += self.read_value(item, depth + 1)
                check_count(len(actions), self.max_actions)
            return _some(actions)
        if _is_index(value):
            return [index_of(int(value), self.vocabulary)]
        raise Refused("malformed", f"Expected a name or an index, got a {type(value).__name__}.")

    def _read_mapping(self, mapping: Mapping[object, object], depth: int) -> list[int]:
        keys = {key: key.lower() for key in mapping if isinstance(key, str)}
        asking = [key for key, name in keys.items() if name in json_values.ACTION_KEYS]
        asking = asking or [key for key, name in keys.items() if name in json_values.CALL_KEYS]
        if len(asking) != 1:
            found = ", ".join(map(quoted, asking[:5]))
            reason: Reason = "ambiguous" if asking else "malformed"
            raise Refused(reason, f"Expected one key 'action' or 'actions', got {found or 'none'}.")
        actions = self.read_value(mapping[asking[0]], depth + 1)
        for count in (mapping[key] for key, name in keys.items() if name in json_values.COUNT_KEYS):
            if not _is_index(count) or count < 1:
                raise Refused("count", "Expected a whole number of times from 1.")
            check_count(len(actions) * int(count), self.max_actions)
            actions = actions * int(count)
        return actions

    def _read_text(self, text: str, depth: int) -> list[int]:
        if not _HINT.search(text):
            return read_entries(text, self.vocabulary, self.max_actions)
        if text.lstrip()[:1] in ("{", "["):
            try:
                value = json_values.decode(text)
            except ValueError:
                pass
            else:
                return self.read_value(value, depth + 1)
        regions = markers.find_regions(text)
        if not regions:
            return read_entries(text, self.vocabulary, self.max_actions)
        return self._read_regions(regions, text, depth)

    def _read_regions(self, regions: list[Region], text: str, depth: int) -> list[int]:
        top = min(region.rank for region in regions)
        answers: list[list[int]] = []
        for run in _runs(regions, text):
            is_binding = min(region.rank for region in run) == top
            try:
                answers.append(self._read_run(run, text, depth))
            except Refused:
                if is_binding:
                    raise
        if any(answer != answers[0] for answer in answers):
            raise Refused("ambiguous", "The reply marks different actions in several places.")
        return answers[0]

    def _read_run(self, run: list[Region], text: str, depth: int) -> list[int]:
        actions: list[int] = []
        for region in run:
            if region.kind.startswith("unfinished"):
                raise Refused("unfinished", "The reply opens ``` without closing it.")
            actions += self.read_value(region.body, depth + 1)
            check_count(len(actions), self.max_actions)
        if run[-1].kind == markers.LABEL and self._is_readable(markers.line_after(text, run[-1].end)):
            raise Refused("ambiguous", "More actions follow the line that is marked.")
        return actions

    def _is_readable(self, line: str) -> bool:
        try:
            return bool(read_entries(line, self.vocabulary, self.max_actions))
        except Refused:
            return False


def _runs(regions: list[Region], text: str) -> Iterator[list[Region]]:
    """The regions in groups of one kind with nothing between them."""
    run: list[Region] = []
    for region in regions:
        if run and (region.kind != run[-1].kind or not _BETWEEN.fullmatch(text, run[-1].end, region.start)):
            yield run
            run = []
        run.append(region)
    yield run


def _some(actions: list[int]) -> list[int]:
    if not actions:
        raise Refused("empty", "The reply holds no action.")
    return actions


def _is_index(value: object) -> TypeGuard[Integral]:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview)
