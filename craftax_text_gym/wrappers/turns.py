"""The turns of an episode as one text."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.replies.parsing import parse_actions
from craftax_text_gym.utils.plugins import load

ESTIMATE = "estimate"
_COUNTERS = {ESTIMATE: f"{__name__}:estimate_tokens"}
_CHARACTERS_PER_TOKEN = 2
_MAX_ACTION = 256
FRAME = _MAX_ACTION + 64
"""The most characters in a turn's headings and action."""

INFO_KEYS = ("actions_taken", "executed_action", "invalid_reply")
"""The entries of `info` that `name_actions` reads."""

CountTokens = Callable[[str], int]


def estimate_tokens(text: str) -> int:
    """Estimate a text's tokens without a tokenizer, on the high side: one for every two characters.

    The tokenizers of language models need fewer for these observations; maps take the most per character.

    Args:
        text: The text.

    Returns:
        A number that is rarely too small.
    """
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)


def load_counter(name: str) -> CountTokens:
    """Load a function that counts tokens.

    Args:
        name: `"estimate"`, or a user's own `"package.module:function"`, which takes a text and returns an int.

    Returns:
        The function.

    Raises:
        ValueError: If it cannot be loaded.
    """
    counter: CountTokens = load("token counter", name, _COUNTERS)
    return counter


def name_actions(action: Any, info: Mapping[str, Any], game: GameSpec) -> str:
    """Name the actions that a step played.

    Args:
        action: What was passed to `step`: a number, a name, a list of them, or a reply.
        info: What `step` returned.
        game: The game.

    Returns:
        Names separated by commas, cut to fit, or `"none"`.
    """
    names: tuple[str, ...]
    if "actions_taken" in info:
        names = tuple([game.actions[index] for index in info["actions_taken"]])
    elif info.get("invalid_reply"):
        names = () if info["executed_action"] < 0 else ("noop",)
    else:
        names = _requested(action, game) or (game.actions[info["executed_action"]],)
    words = ", ".join(names) or "none"
    return words if len(words) <= _MAX_ACTION else f"{words[: _MAX_ACTION - 3]}..."


def _requested(action: Any, game: GameSpec) -> tuple[str, ...]:
    """The names of the requested actions; empty if a user's own inner wrapper takes something else."""
    try:
        return parse_actions(action.tolist() if isinstance(action, np.ndarray) else action, game).names
    except TypeError:
        return ()


@dataclass(frozen=True, slots=True)
class _PastTurn:
    observation: str
    action: str
    num_tokens: int


class Turns:
    """The last turns of one episode: each an observation and the action that followed it."""

    def __init__(self, length: int, budget_tokens: int | None, counter: str) -> None:
        """Start without turns.

        Args:
            length: The most past turns to show.
            budget_tokens: The most tokens of the whole text; None for no limit. The newest observation is
                always shown.
            counter: What counts them; see `load_counter`.
        """
        self._budget = budget_tokens
        self._counter = counter
        self._count = load_counter(counter)
        self._past: deque[_PastTurn] = deque(maxlen=length)
        self._newest = ""

    def begin(self, observation: str) -> str:
        """Forget all turns, and begin with an observation.

        Args:
            observation: Its text.

        Returns:
            The text to show.
        """
        self._past.clear()
        self._newest = observation
        return self._write()

    def add(self, action: str, observation: str) -> str:
        """Add an action and the observation that followed it.

        Args:
            action: The names of the actions.
            observation: The text that followed.

        Returns:
            The text to show.
        """
        tokens = 0 if self._budget is None else self._count(_past(self._newest, action, self._past.maxlen or 0))
        self._past.append(_PastTurn(self._newest, action, tokens))
        self._newest = observation
        return self._write()

    def _write(self) -> str:
        newest = f"=== Now ===\n{self._newest}"
        kept = list(self._past)
        if self._budget is not None:
            room = self._budget - self._count(newest)
            kept = []
            for turn in reversed(self._past):
                room -= turn.num_tokens
                if room < 0:
                    break
                kept.insert(0, turn)
        ages = range(len(kept), 0, -1)
        return (
            "".join([_past(turn.observation, turn.action, age) for age, turn in zip(ages, kept, strict=True)]) + newest
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_count": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._count = load_counter(self._counter)


def _past(observation: str, action: str, age: int) -> str:
    return f"=== {age} turn{'s' * (age > 1)} ago ===\n{observation}\nYour action: {action}\n\n"
