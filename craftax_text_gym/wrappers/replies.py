"""What an agent is told about a reply that names no action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.replies.parsing import ParsedActions, parse_actions
from craftax_text_gym.text.notes import clip

OnInvalid = Literal["raise", "noop", "feedback"]

NOTE = 2048
"""The most characters in a note on a reply."""

NOOP = "noop"
_ENDINGS = {
    "noop": f"{NOOP} was played instead.",
    "feedback": "Nothing was played and no time has passed.",
    "raise": "",
}


def read_reply(reply: Any, game: GameSpec, max_actions: int) -> ParsedActions:
    """Read a reply as `parse_actions` does, with a clearer error where only one action is allowed."""
    parsed = parse_actions(reply, game, max_actions=max_actions)
    if parsed.reason == "too_many" and max_actions == 1:
        return ParsedActions((), (), parsed.reason, "Expected one action in a reply, got several.", parsed.suggestions)
    return parsed


def complaint(parsed: ParsedActions, available: Sequence[str], on_invalid: OnInvalid) -> str:
    """What to tell an agent about an invalid reply.

    Args:
        parsed: The parsed reply.
        available: Names of the actions that are available now, listed if no action resembles the reply.
        on_invalid: How the reply was handled.

    Returns:
        Why it is invalid, what it may have meant or which actions are available, and what was done.
    """
    names = parsed.suggestions
    hint = ""
    if not names and parsed.reason != "too_many":
        hint = f"Actions that can be done now: {', '.join(available)}."
    elif not all(name in (parsed.error or "") for name in names):
        hint = f"You may have meant: {', '.join(names)}."
    parts = ["Your reply is invalid.", parsed.error, hint, _ENDINGS[on_invalid]]
    return clip(" ".join([part for part in parts if part]), NOTE)
