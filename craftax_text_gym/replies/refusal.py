"""Why a reply yields no actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

Reason = Literal[
    "empty", "unknown", "unclear", "unmarked", "ambiguous", "too_many", "count", "index", "unfinished", "malformed"
]
"""Why a reply yields no actions.

- `empty`: it holds nothing, or nothing outside its thoughts.
- `unknown`: a name that the game does not have, or a call of another tool.
- `unclear`: a phrase that may mean several actions, such as "make pickaxe" or "do sleep".
- `unmarked`: a sentence, alternatives, or a quotation: nothing tells which action it asks for.
- `ambiguous`: answers that disagree, that are taken back, or that list all actions.
- `too_many`: more actions than `max_actions`.
- `count`: a repeat that is not a whole number from 1.
- `index`: a number that is no action's, or that does not stand alone.
- `unfinished`: a thought, call, tag or JSON that is opened and not closed, as when a reply is cut off.
- `malformed`: a call or JSON without an action, broken, or nested too deeply.
"""


_MAX_SHOWN = 60


def quoted(text: str) -> str:
    """The beginning of a text, in quotes and printable."""
    return ascii(text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "...")


class Refused(Exception):  # noqa: N818
    """A reply that yields no actions. `parse_actions` turns it into a result."""

    def __init__(self, reason: Reason, message: str, suggestions: Iterable[str] = (), *, unknown: str = "") -> None:
        """Refuse a reply.

        Args:
            reason: Why.
            message: The same as a sentence.
            suggestions: Names of actions that it may have meant.
            unknown: A phrase that no action of the game has. The closest names are looked up only if the refusal
                reaches the user, for that is slow and most refusals within a reply do not.
        """
        super().__init__(message)
        self.reason: Reason = reason
        self.message = message
        self.suggestions = tuple(suggestions)
        self.unknown = unknown
