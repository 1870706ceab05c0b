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
    return text if _is_plain(text) else turns.own_turn(thoughts.spoken(tidy.tidied(text)))


def _is_plain(text: str) -> bool:
    """Whether a text has no sign of anything to take off: most replies have none, and these checks are fast."""
    for sign in _SIGNS:
        if sign in text:
            return False
    return text.isascii() and not _OTHER_TAG.search(text) and not _HEADER.match(text)
