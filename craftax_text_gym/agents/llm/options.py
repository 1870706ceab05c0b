"""What a user can choose about the agent."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.text import TextFormat, resolve
from craftax_text_gym.utils.validation import check_choice

Mode = Literal["text", "tools"]
MODES: tuple[Mode, ...] = ("text", "tools")
Rules = Literal["whole", "short"]
RULES: tuple[Rules, ...] = ("whole", "short")

_LEAST: Mapping[str, float] = {
    "history_tokens": 0,
    "max_actions": 1,
    "max_retries": 0,
    "max_tokens": 1,
    "price_in": 0,
    "price_out": 0,
    "temperature": 0,
    "timeout": 0.001,
}
_WHOLE = ("history_tokens", "max_actions", "max_retries", "max_tokens")
_FLAGS = ("scratchpad", "stream")


@dataclass(kw_only=True, eq=False)
class LLMOptions:
    """What a user can choose. Bad values raise `TypeError` or `ValueError`.

    Attributes:
        model: The model's name at the endpoint.
        base_url: The endpoint, such as `"http://localhost:8000/v1"`; None for `OPENAI_BASE_URL`, else OpenAI's own.
        api_key: The key; None for `OPENAI_API_KEY`.
        game: `"full"`, `"classic"`, an environment id, or a spec.
        text_format: How the observations are written; a `TextFormat` after construction. The environment must be made
            with the same.
        max_actions: How many actions a reply may ask for.
        mode: `"text"`: actions are marked in the reply. `"tools"`: they are arguments of a tool call.
        rules: How much of the manual the model reads: `"whole"` or `"short"`. Of the floors below, only what has been
            reached.
        scratchpad: Whether the model keeps private notes from turn to turn.
        history_tokens: The most tokens of past turns that are shown; whole turns are dropped, the oldest first.
        max_tokens: The most tokens of a reply; None for the endpoint's own limit.
        temperature: None for the endpoint's own.
        stream: Whether replies are streamed, which keeps connections alive while a model thinks for long.
        timeout: How many seconds a reply may take.
        max_retries: How often a request that failed is repeated, after growing waits or as the server asks.
        price_in: US dollars for a million tokens read; None where it is not known.
        price_out: US dollars for a million tokens written; None where it is not known.
        counter: What counts tokens for `history_tokens` and dry runs: `"auto"`, `"o200k"`, `"estimate"`, or a user's
            own `"package.module:function"`; see `tokens`.
        extra_body: Further fields of the request, such as `{"reasoning_effort": "low"}`. They win over ours.
        transcript_file: A file of JSON Lines to which each turn is added; None for none.
    """

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    game: str | GameSpec = "full"
    text_format: str | Mapping[str, object] | TextFormat = "markdown"
    max_actions: int = 1
    mode: Mode = "text"
    rules: Rules = "whole"
    scratchpad: bool = False
    history_tokens: int = 8_000
    max_tokens: int | None = 1_024
    temperature: float | None = None
    stream: bool = False
    timeout: float = 120.0
    max_retries: int = 6
    price_in: float | None = None
    price_out: float | None = None
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
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"Expected {name} as True or False, got {getattr(self, name)!r}.")
        for name, least in _LEAST.items():
            _check_number(name, getattr(self, name), least)

    @property
    def spec(self) -> GameSpec:
        """The game's facts."""
        return games.get(self.game)

    @property
    def format(self) -> TextFormat:
        """The format of the observations."""
        return resolve(self.text_format)

    def cost(self, input_tokens: float, output_tokens: float) -> float | None:
        """The price of some tokens in US dollars; None where a price is not known."""
        if self.price_in is None or self.price_out is None:
            return None
        return (input_tokens * self.price_in + output_tokens * self.price_out) / 1e6


_MAY_BE_NONE = ("max_tokens", "price_in", "price_out", "temperature")


def _check_number(name: str, value: object, least: float) -> None:
    if value is None and name in _MAY_BE_NONE:
        return
    kind = int if name in _WHOLE else int | float
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"Expected {name} as {'an int' if name in _WHOLE else 'a number'}, got {value!r}.")
    if not (math.isfinite(value) and value >= least):
        raise ValueError(f"Expected {name} from {least:g}, got {value!r}.")
