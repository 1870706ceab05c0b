"""Why a reply yields no actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

Reason = Literal[
    "empty", "unknown", "unclear", "unmarked", "ambiguous", "too_many", "count", "index", "unfinished", "malformed"
]
"""Why a reply yields no actions.

- `empty`: it holds nothing, or nothing outside its thoughts.
- `unknown`: a name that the game does not have.
- `unclear`: a phrase that may mean several actions, such as "make pickaxe".
- `unmarked`: a sentence, with no marker to tell which of its words are the action.
- `ambiguous`: markers that disagree.
- `too_many`: more actions than `max_actions`.
- `count`: a repeat that is not a whole number from 1.
- `index`: a number that is no action's, or that does not stand alone.
- `unfinished`: a marker that is opened and not closed, as when a reply is cut off.
- `malformed`: JSON that is no action, broken, or nested too deeply.
"""


class Refused(Exception):  # noqa: N818
    """A reply that yields no actions; never leaves `parse_actions`."""

    def __init__(self, reason: Reason, message: str, suggestions: Iterable[str] = (), *, unknown: str = "") -> None:
        """Refuse a reply.

        Args:
            reason: Why.
            message: The same as a sentence.
            suggestions: Names of actions that it may have meant.
            unknown: A phrase that is none of the game's, whose neighbours are to be looked up: that is slow, and most
                refusals inside of a reply come to nothing.
        """
        super().__init__(message)
        self.reason: Reason = reason
        self.message = message
        self.suggestions = tuple(suggestions)
        self.unknown = unknown
