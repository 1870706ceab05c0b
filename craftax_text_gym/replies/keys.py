"""The keys of JSON objects that matter in a reply: of actions, of tool calls, and of the messages around them."""

from __future__ import annotations

import re
from functools import lru_cache

_CHOSEN = ("", "next_", "chosen_", "selected_", "final_", "best_", "my_")

ACTION_KEYS = frozenset(
    {f"{chosen}{noun}" for chosen in _CHOSEN for noun in ("action", "actions", "move", "moves")}
    | {"action_list", "actions_list", "action_name", "action_names", "action_to_take", "actions_to_take"}
    | {"action_sequence", "next_action_name"}
)
"""Keys whose value is the actions."""

ANSWER_KEYS = frozenset({"answer", "final_answer", "decision", "choice", "command"})
"""Keys whose value is the actions if no key of `ACTION_KEYS` is there."""

COUNT_KEYS = frozenset({"count", "repeat", "repeats", "repetitions", "times", "num_times", "n_times", "repeat_count"})
"""Keys beside an action that say how often."""

NAME_KEYS = frozenset({"name", "tool", "tool_name", "function_name", "recipient_name"})
"""Keys for the name of the tool that a call calls."""

ARGUMENT_KEYS = frozenset(
    {"arguments", "args", "input", "parameters", "params", "kwargs", "tool_input", "action_input", "tool_args"}
)
"""Keys for the arguments of a call."""

CALL_KEYS = frozenset(
    {"tool_calls", "tool_call", "function_calls", "function_call", "function", "tool_uses", "tool_use", "calls"}
)
"""Keys that hold one call, or a list of them."""

MESSAGE_KEYS = ("choices", "candidates", "message", "output", "response", "content", "parts", "text")
"""Keys that lead to what a message says."""

OBSERVATION_KEYS = frozenset({"status", "inventory", "nearby", "map", "achievements"})
"""Keys of an observation in JSON, whose values are objects."""

KEYS_TO_NAME_ONCE = ACTION_KEYS | ANSWER_KEYS | ARGUMENT_KEYS | CALL_KEYS | COUNT_KEYS | NAME_KEYS
"""Keys that make an object unclear if it has them twice."""

TOOL_NAMES = frozenset(
    {"act", "action", "actions", "step", "play", "move", "game_action", "craftax", "tool"}
    | {
        f"{verb}_{noun}"
        for verb in ("take", "perform", "execute", "choose", "select", "submit", "make")
        for noun in ("action", "actions", "move")
    }
)
"""Names under which the one tool is called: its own, and what models make of it."""

ASKING = re.compile(
    r"""["'\u201c{(,\s](?:[a-z]+_)?(?:actions?|moves?|name|tool|function)["'\u201d]?\s*[:=]""", re.IGNORECASE
)
"""The beginning of an object that asks for actions, in a text that breaks off later."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NO_LETTER = re.compile(r"[^a-z0-9]+")


@lru_cache(maxsize=1024)
def normalized(key: str) -> str:
    """A key in lower case with underscores: `nextAction` and `Next action` are `next_action`."""
    return _NO_LETTER.sub("_", _HUMP.sub("_", key[:100]).lower()).strip("_")


def tool_of(name: str) -> str:
    """The tool that a name in a call means, without namespaces and numbers: `functions.act:0` is `act`."""
    parts = [part for part in re.split(r"[.:/]|__", name.strip()) if part and not part.isdigit() and part != "call"]
    return parts[-1] if parts else ""
