"""Reads the values and texts of a reply, however they are nested, as actions or a refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, TypeGuard

from craftax_text_gym.replies import cleaning, contents, context, keys, labels, markers, values
from craftax_text_gym.replies.aliases import Vocabulary
from craftax_text_gym.replies.contents import Call, Contents, is_list
from craftax_text_gym.replies.entries import check_count, index_of, read_entries, read_name
from craftax_text_gym.replies.refusal import Refused, quoted
from craftax_text_gym.replies.regions import Region
from craftax_text_gym.replies.tool_schemas import TOOL_NAME

_MAX_DEPTH = 8
"""How deep markers and JSON may be nested around an action."""

_HINT = re.compile(r"[\\{\[`:=(#\u25c1\uff1a\uff1c\uff08]|~~|\*\*|/\*|\*/| is |analysis|assistant|model")
_BETWEEN = re.compile(r"[\s,;]*")
_NO_ARGUMENTS = frozenset({"", "none", "null", "n/a", "{}", "no input"})
_NAMES_OF_TYPES: dict[type, str] = {type(None): "null", bool: "a truth value", float: "a fraction"}


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads replies to one game.

    Attributes:
        vocabulary: The game's.
        max_actions: The most actions that a reply may ask for.
    """

    vocabulary: Vocabulary
    max_actions: int

    def read(self, value: object, depth: int = 0) -> list[int]:
        """The actions that a value asks for.

        Args:
            value: A text, a number, or what JSON or a tool call holds.
            depth: How deep it is nested.

        Returns:
            Their numbers, at least one.

        Raises:
            Refused: If it does not clearly ask for actions.
        """
        if depth > _MAX_DEPTH:
            raise Refused("malformed", "The reply is nested too deeply.")
        if isinstance(value, str):
            return self._read_text(value, depth)
        if is_index(value):
            return [index_of(int(value), self.vocabulary)]
        if not isinstance(value, Mapping) and not is_list(value):
            raise Refused(
                "malformed",
                f"Expected a name or an index, got {_NAMES_OF_TYPES.get(type(value), type(value).__name__)}.",
            )
        if unfolded := contents.unfold(value):
            return self._read_contents(unfolded, depth)
        return self._read_mapping(value, depth) if isinstance(value, Mapping) else self._read_list(value, depth)

    def _read_list(self, values: Sequence[object], depth: int) -> list[int]:
        actions: list[int] = []
        for value in values:
            actions += self.read(value, depth + 1)
            check_count(len(actions), self.max_actions)
        if not actions:
            raise Refused("empty", "The reply is an empty list.")
        return actions

    def _read_mapping(self, mapping: Mapping[Any, object], depth: int) -> list[int]:
        known = [(keys.normalized(key), key) for key in mapping if isinstance(key, str)]
        if sum(name in keys.OBSERVATION_KEYS and isinstance(mapping[key], Mapping) for name, key in known) > 1:
            raise Refused("unmarked", "The reply repeats the observation.")
        asking = [key for name, key in known if name in keys.ACTION_KEYS]
        asking = asking or [key for name, key in known if name in keys.ANSWER_KEYS]
        if asking and any(contents.asks(mapping[key]) for name, key in known if name in keys.ARGUMENT_KEYS):
            raise Refused("ambiguous", "The object gives both an action and a tool call.")
        if len(asking) > 1:
            raise Refused("ambiguous", f"Expected one key for the action, got {', '.join(map(quoted, asking[:5]))}.")
        if not asking:
            if not mapping:
                raise Refused("empty", "The reply is an empty object.")
            found = ", ".join(quoted(key) for key in list(mapping)[:5] if isinstance(key, str)) or "none in words"
            raise Refused("malformed", f"Expected an object with the key 'action' or 'actions', got {found}.")
        return self._repeated(self.read(mapping[asking[0]], depth + 1), mapping)

    def _repeated(self, actions: list[int], mapping: Mapping[Any, object]) -> list[int]:
        for key, count in mapping.items():
            if isinstance(key, str) and keys.normalized(key) in keys.COUNT_KEYS:
                if not is_index(count) or count < 1:
                    raise Refused("count", "Expected a whole number of times from 1.")
                check_count(len(actions) * int(count), self.max_actions)
                actions = actions * int(count)
        return actions

    def _read_contents(self, unfolded: Contents, depth: int) -> list[int]:
        if unfolded.calls:
            actions: list[int] = []
            for call in unfolded.calls:
                actions += self._read_call(call, depth + 1)
                check_count(len(actions), self.max_actions)
            return actions
        texts = [text for text in unfolded.texts if text.strip()]
        if not texts:
            what = "nothing but thoughts, or what others say" if unfolded.has_silent else "no text and no tool call"
            raise Refused("empty", f"The message holds {what}.")
        marked = [text for text in texts if len(texts) > 1 and self._is_marked(text)]
        return _agreed([self._read_text(text, depth + 1) for text in marked or texts])

    def _is_marked(self, text: str) -> bool:
        text = cleaning.said(text)
        return values.whole(text) is not values.NOTHING or bool(markers.find_regions(text))

    def _read_call(self, call: Call, depth: int) -> list[int]:
        arguments = call.arguments
        if isinstance(arguments, str):
            is_none = arguments.strip().lower() in _NO_ARGUMENTS
            value = {} if is_none else values.whole(arguments)
            arguments = arguments if value is values.NOTHING else value
        name = keys.tool_of(call.name)
        own = read_name(name, self.vocabulary)
        if own is not None:
            return self._read_own_call(own, arguments, depth)
        if name == "print" and isinstance(arguments, Mapping):
            return self.read(arguments, depth + 1)
        if name and keys.normalized(name) not in keys.TOOL_NAMES:
            raise Refused("unknown", f"The reply calls the tool {quoted(name)}, not {TOOL_NAME!r}.")
        is_plain = isinstance(arguments, Mapping) and not contents.asks(arguments)
        if arguments is None or is_plain or (is_list(arguments) and not arguments):
            raise Refused("malformed", "The tool call has no action: expected the argument 'action' or 'actions'.")
        return self.read(arguments, depth + 1)

    def _read_own_call(self, action: int, arguments: object, depth: int) -> list[int]:
        """A call of a function that is itself an action: its arguments say the same, how often, or nothing."""
        if isinstance(arguments, Mapping):
            if not contents.asks(arguments):
                return self._repeated([action], arguments)
            actions = self.read(arguments, depth + 1)
            if set(actions) != {action}:
                raise Refused("ambiguous", "The tool call's name and its arguments say different actions.")
            return actions
        if arguments is None or (is_list(arguments) and not arguments):
            return [action]
        raise Refused("malformed", f"Expected no arguments for {self.vocabulary.names[action]!r}, got some.")

    def _read_text(self, text: str, depth: int) -> list[int]:
        if "<" not in text and not _HINT.search(text):
            return read_entries(text, self.vocabulary, self.max_actions)
        if (value := values.whole_json(text)) is not values.NOTHING:
            return self.read(value, depth + 1)
        text = cleaning.said(text)
        if (value := values.whole(text)) is not values.NOTHING:
            return self.read(value, depth + 1)
        regions = markers.find_regions(text)
        if not regions:
            return read_entries(text, self.vocabulary, self.max_actions)
        kept = context.without_asides(text, regions)
        if not kept:
            raise Refused("unmarked", "The reply quotes an action or rules it out, and asks for none.")
        kept = [region for region in kept if not context.is_placeholder(region)]
        if not kept:
            raise Refused("unknown", "The reply repeats the format: write the name of an action in it.")
        return self._read_regions(kept, text, depth)

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
                continue
            context.check_kept(text, run[-1])
        return _agreed(answers)

    def _read_run(self, run: list[Region], text: str, depth: int) -> list[int]:
        actions: list[int] = []
        for region in run:
            if region.is_cut:
                raise Refused("unfinished", "The reply opens ``` without closing it.")
            actions += self.read(region.value, depth + 1)
            check_count(len(actions), self.max_actions)
        if run[-1].kind in (labels.LABEL, labels.PHRASE) and self._is_readable(labels.line_after(text, run[-1].end)):
            raise Refused("ambiguous", "More actions follow the line that is marked.")
        return actions

    def _is_readable(self, line: str) -> bool:
        try:
            return bool(read_entries(line, self.vocabulary, self.max_actions))
        except Refused:
            return False


def is_index(value: object) -> TypeGuard[Integral]:
    """Whether a value is a whole number of any type."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _runs(regions: list[Region], text: str) -> Iterator[list[Region]]:
    """The regions in groups of one kind with nothing between them."""
    run: list[Region] = []
    for region in regions:
        if run and (region.kind != run[-1].kind or not _BETWEEN.fullmatch(text, run[-1].end, region.start)):
            yield run
            run = []
        run.append(region)
    yield run


def _agreed(answers: list[list[int]]) -> list[int]:
    if any(answer != answers[0] for answer in answers):
        raise Refused("ambiguous", "The reply marks different actions in several places.")
    return answers[0]
