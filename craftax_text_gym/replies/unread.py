"""Says in words why a text is no action."""

from __future__ import annotations

import re

from craftax_text_gym.replies.aliases import Vocabulary
from craftax_text_gym.replies.refusal import Refused, quoted

_NUMBER = re.compile(r"[+-]?[0-9][0-9.e+-]*")
_WORD = re.compile(r"[a-z_]+")
_ALTERNATIVES = re.compile(r" ?[|/] ?| or ")
_NEGATIONS = frozenset({"not", "never", "don't", "dont", "cannot", "can't", "no", "avoid"})
HOW_TO_MARK = "write <action>name</action>"
"""How to mark an action, within a sentence."""
_FEW_WORDS = 2
_SENTENCE = 5
_LONGEST = 2000


def explain(entry: str, phrase: str, vocabulary: Vocabulary) -> Refused:
    """Why an entry is no action.

    Args:
        entry: In lower case, with single spaces.
        phrase: The same without underscores, quotes and the like.
        vocabulary: The game's.

    Returns:
        The refusal.
    """
    if title := vocabulary.home_of(phrase):
        return Refused("unknown", f"{quoted(phrase)} exists only in {title}, not in this game.", unknown=phrase)
    if _NUMBER.fullmatch(phrase.partition("*")[0].strip()):
        return Refused("index", f"An index must stand alone, got {quoted(entry)}.")
    if not any(map(str.isalnum, phrase)):
        return Refused("unknown", "The reply holds signs where the name of an action should be.")
    words = _WORD.findall(entry[:_LONGEST])
    contained = [name for name in vocabulary.names if name in words]
    parts = _ALTERNATIVES.split(entry[:_LONGEST])
    if len(parts) > 1 and all(vocabulary.meanings(part.strip()) for part in parts):
        return Refused("unmarked", f"The reply offers {quoted(entry)} and chooses none of them.", contained)
    if contained and not _NEGATIONS.isdisjoint(entry.split(" ", 3)[:3]):
        return Refused("unmarked", f"The reply says what not to do: {quoted(entry)}.", contained)
    if contained and entry.count(" ") >= _FEW_WORDS:
        return Refused("unmarked", f"Which action {quoted(entry)} asks for is not marked: {HOW_TO_MARK}.", contained)
    if len(words) >= _SENTENCE:
        return Refused("unknown", f"The reply is prose and marks no action: {HOW_TO_MARK}.")
    if not _WORD.fullmatch(phrase.replace(" ", "")) and "<" in phrase:
        return Refused("unknown", f"The reply holds a tag that marks no action: {quoted(entry)}.")
    return Refused("unknown", f"No action is called {quoted(phrase)}.", unknown=phrase)
