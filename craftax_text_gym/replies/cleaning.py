"""From the raw text of a reply to what it says: thoughts and the tokens of its turn are taken off."""

from __future__ import annotations

import re

from craftax_text_gym.replies import thoughts, tidy, turns

_SIGNS = ("[", "`", "~~", "-->", "/*")
_OTHER_TAG = re.compile(r"<(?!/?action>)")
_HEADER = re.compile(r"\s*(?:analysis|assistant|model)", re.IGNORECASE)


def said(text: str) -> str:
    """What a text says.

    Args:
        text: A reply, or a text within one.

    Returns:
        The text with plain signs, and without thoughts, comments, struck text and the tokens of its turn.

    Raises:
        Refused: If the text breaks off inside of a thought, holds nothing else, or goes on after its end.
    """
    if _is_plain(text):
        return text
    text = thoughts.spoken(tidy.tidied(text))
    return text if _is_plain(text) else turns.own_turn(text)


def _is_plain(text: str) -> bool:
    """Whether a text has no sign of anything to take off: most replies have none, and these checks are fast."""
    if not text.isascii() or _OTHER_TAG.search(text) or _HEADER.match(text):
        return False
    return all(sign not in text for sign in _SIGNS)
