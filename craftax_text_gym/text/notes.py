"""Notes at the end of a text, such as goals, caps and reports of batches; and at its beginning, what was wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from craftax_text_gym.spaces import CHARSET
from craftax_text_gym.text.loading import load_markup
from craftax_text_gym.text.location import Path, get_text, put_text
from craftax_text_gym.text.markup import LedMarkup, NotedMarkup, add_lines, put_line_first

_WORST_ESCAPE = len("&amp;")
_NOTES_FRAME = 64
_NOTE_FRAME = 8


def add_notes(text: str, notes: Sequence[str], markup: str) -> str:
    """Add notes at the end of a text, so that JSON stays JSON and XML stays XML.

    Args:
        text: An observation, with notes or without.
        notes: Sentences.
        markup: The name of the text's markup, from the environment's `text_format`.

    Returns:
        The text with the notes; those of several calls stand in order. Markups without `add_notes` get lines after an
        empty one.
    """
    if not notes:
        return text
    loaded: object = load_markup(markup)
    return loaded.add_notes(text, notes) if isinstance(loaded, NotedMarkup) else add_lines(text, notes)


def put_first(text: str, note: str, markup: str) -> str:
    """Put a sentence at the beginning of a text, so that JSON stays JSON and XML stays XML.

    Args:
        text: An observation.
        note: The sentence.
        markup: As for `add_notes`.

    Returns:
        The text. Markups without `put_first` get a line with an empty one after it.
    """
    loaded: object = load_markup(markup)
    return loaded.put_first(text, note) if isinstance(loaded, LedMarkup) else put_line_first(text, note)


def put_notes(observation: Any, path: Path | None, notes: Sequence[str], markup: str, first: str = "") -> Any:
    """Add notes to the text within an observation.

    Args:
        observation: The observation.
        path: Where its text stands; None where it has none, and is left as it is.
        notes: Sentences for its end.
        markup: As for `add_notes`.
        first: A sentence for its beginning; `""` for none.

    Returns:
        A copy of the observation with the notes.
    """
    if path is None:
        return observation
    text = add_notes(get_text(observation, path), notes, markup)
    return put_text(observation, path, put_first(text, first, markup) if first else text)


def room_for(num_notes: int, num_characters: int) -> int:
    """How many characters notes may add to a text, in any markup of this package.

    Args:
        num_notes: The number of notes.
        num_characters: The most characters in each; see `clip`.

    Returns:
        A number of characters.
    """
    return num_notes * (_WORST_ESCAPE * num_characters + _NOTE_FRAME) + _NOTES_FRAME


def clip(note: str, num_characters: int) -> str:
    """A note cut to a length, with `?` for each character that no observation may hold."""
    note = "".join([character if character in CHARSET else "?" for character in note])
    return note if len(note) <= num_characters else f"{note[: num_characters - 3]}..."
