"""The options of the LLM agent."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook import Answer
from craftax_text_gym.text import TextFormat, resolve
from craftax_text_gym.text.progress import Caps
from craftax_text_gym.utils.validation import check_choice

Mode = Literal["text", "tools"]
MODES: tuple[Mode, ...] = ("text", "tools")
Rules = Literal["whole", "short"]
RULES: tuple[Rules, ...] = ("whole", "short")

_MINIMA: Mapping[str, float] = {
    "history_tokens": 0,
    "max_actions": 1,
    "max_decisions": 1,
    "max_outage": 0,
    "max_retries": 0,
    "max_steps": 1,
    "max_tokens": 1,
    "price_cached": 0,
    "price_in": 0,
    "price_out": 0,
    "temperature": 0,
    "timeout": 0.001,
}
_INTEGERS = ("history_tokens", "max_actions", "max_decisions", "max_retries", "max_steps", "max_tokens")
_FLAGS = ("progress", "scratchpad", "strategy", "stream")
_TURN_TOKENS = 600
"""Tokens of a turn: an observation of either game, what is told beside it, and a reply of some sentences."""


@dataclass(kw_only=True, eq=False)
class LLMOptions:
    """The options of the LLM agent. Invalid values raise `TypeError` or `ValueError`.

    Attributes:
        model: The model's name at the endpoint.
        base_url: The endpoint, such as `"http://localhost:8000/v1"`; None for `OPENAI_BASE_URL`, else OpenAI's own.
        api_key: The key; None for `OPENAI_API_KEY`.
        game: `"full"`, `"classic"`, an environment id, or a spec.
        text_format: The format of the observations; a `TextFormat` after construction. The environment must use the
            same.
        max_actions: The maximum number of actions per reply.
        mode: `"text"`: actions are marked in the reply. `"tools"`: they are arguments of a tool call.
        rules: How much of the manual the model reads: `"whole"` or `"short"`, without the rules of floors that it has
            not reached.
        strategy: Whether the prompt has a short opening plan; protocols that forbid it switch it off.
        max_steps: The cap on steps of the episode, which the prompt tells; None if unknown.
        max_decisions: The cap on replies of the episode, which the prompt tells; None if unknown.
        progress: Whether observations say which achievements are done and which remain.
        scratchpad: Whether the model keeps private notes; None for where the history may be cut within an episode.
        history_tokens: The maximum number of tokens of past turns in a request. Where they no longer fit, the oldest
            are dropped until half of it is free, so that between two cuts each request begins as the one before it.
        max_tokens: The maximum number of tokens per reply, those of reasoning included; None for the endpoint's
            default. It is sent under the name that the endpoint takes, and lowered to what it allows.
        temperature: The sampling temperature; None for the endpoint's default.
        stream: Whether to stream replies, which keeps connections alive while a model thinks for long.
        timeout: The maximum number of seconds per reply.
        max_retries: How often to retry a failed request, with growing delays or as the server asks.
        max_outage: For how many seconds at least to wait for a server that was reached before in this process, by any
            agent, and is away, as while it restarts.
        price_in: US dollars per million tokens read; None if unknown.
        price_out: US dollars per million tokens written; None if unknown.
        price_cached: US dollars per million tokens read that the endpoint had in its cache; None for `price_in`.
        counter: The token counter for `history_tokens` and dry runs: `"auto"`, `"o200k"`, `"estimate"`, or a user's
            own `"package.module:function"`; see `tokens`.
        extra_body: Further fields of the request, such as `{"reasoning_effort": "low"}`. They override the agent's.
        transcript_file: A JSON Lines file to which each turn is appended; None for none.
    """

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    game: str | GameSpec = "full"
    text_format: str | Mapping[str, object] | TextFormat = "markdown"
    max_actions: int = 1
    mode: Mode = "text"
    rules: Rules = "whole"
    strategy: bool = True
    max_steps: int | None = None
    max_decisions: int | None = None
    progress: bool = True
    scratchpad: bool | None = None
    history_tokens: int = 12_000
    max_tokens: int | None = 8_192
    temperature: float | None = None
    stream: bool = False
    timeout: float = 300.0
    max_retries: int = 6
    max_outage: float = 600.0
    price_in: float | None = None
    price_out: float | None = None
    price_cached: float | None = None
    counter: str = "auto"
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    transcript_file: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        """Check every option."""
        self.game = games.get(self.game)
        self.text_format = resolve(self.text_format)
        check_choice("mode", self.mode, MODES)
        check_choice("rules", self.rules, RULES)
        if not isinstance(self.model, str) or not self.model:
            raise ValueError(f"Expected model=… as the name of a model at the endpoint, got {self.model!r}.")
        if self.base_url is not None and not str(self.base_url).startswith(("http://", "https://")):
            raise ValueError(f"Expected base_url as http://… or https://…, got {self.base_url!r}.")
        if not isinstance(self.extra_body, Mapping):
            raise TypeError(f"Expected extra_body as a mapping, got {self.extra_body!r}.")
        for name in _FLAGS:
            if not (isinstance(getattr(self, name), bool) or (name == "scratchpad" and self.scratchpad is None)):
                raise TypeError(f"Expected {name} as True or False, got {getattr(self, name)!r}.")
        for name, least in _MINIMA.items():
            _check_number(name, getattr(self, name), least)

    @property
    def spec(self) -> GameSpec:
        """The game's facts."""
        return games.get(self.game)

    @property
    def format(self) -> TextFormat:
        """The format of the observations."""
        return resolve(self.text_format)

    @property
    def answer(self) -> Answer:
        """The one way to answer that the prompt describes."""
        return "tool" if self.mode == "tools" else "marked"

    @property
    def caps(self) -> Caps:
        """The caps that the model is told."""
        return Caps(self.max_steps, self.max_decisions)

    @property
    def has_scratchpad(self) -> bool:
        """Whether the model keeps private notes."""
        if self.scratchpad is not None:
            return self.scratchpad
        turns = min(self.max_steps or self.spec.max_steps, self.max_decisions or self.spec.max_steps)
        return turns * _TURN_TOKENS > self.history_tokens

    def cost(self, input_tokens: float, output_tokens: float, cached_tokens: float = 0) -> float | None:
        """The price of tokens in US dollars; None if a price is unknown.

        Args:
            input_tokens: Tokens read, cached ones included.
            output_tokens: Tokens written.
            cached_tokens: Those of the tokens read that came from a cache.
        """
        if self.price_in is None or self.price_out is None:
            return None
        cached = self.price_in if self.price_cached is None else self.price_cached
        new = input_tokens - cached_tokens
        return (new * self.price_in + cached_tokens * cached + output_tokens * self.price_out) / 1e6


_OPTIONAL = ("max_decisions", "max_steps", "max_tokens", "price_cached", "price_in", "price_out", "temperature")


def _check_number(name: str, value: object, least: float) -> None:
    if value is None and name in _OPTIONAL:
        return
    kind = int if name in _INTEGERS else int | float
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"Expected {name} as {'an int' if name in _INTEGERS else 'a number'}, got {value!r}.")
    if not (math.isfinite(value) and value >= least):
        raise ValueError(f"Expected {name} from {least:g}, got {value!r}.")
