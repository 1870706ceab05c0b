"""What a run has learned of an endpoint: one memory for all agents of the process."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from craftax_text_gym.agents.llm.options import LLMOptions

OLD_LIMIT = "max_tokens"
NEW_LIMIT = "max_completion_tokens"
LIMITS = (OLD_LIMIT, NEW_LIMIT)
"""The names of the token limit: most servers know the older one, OpenAI's reasoning models only the newer one."""

_OPENAI = "https://api.openai.com/v1"
_NEW_HOSTS = re.compile(r"(?:[a-z0-9-]+\.)*api\.openai\.com|(?:[a-z0-9-]+\.)+(?:openai|cognitiveservices)\.azure\.com")
_REFUSING = re.compile(
    r"unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra_forbidden|not permitted|not allowed"
    r"|additional properties|invalid param|use 'max_|deprecated",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"(?:at most|up to|maximum(?: allowed)?(?: value)?(?: of| is)?|less than or equal to|<=|>|\[\s*1\s*,)"
    r"\s*`?([0-9][0-9,]*)",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(r"too (?:large|big|high)|invalid|must be|exceed|greater|maximum", re.IGNORECASE)
_CONTEXT = re.compile(r"context (?:length|size|window)[^0-9.]{0,40}?([0-9][0-9,]*)", re.IGNORECASE)
_BAD_REQUEST = (400, 422)


@dataclass(slots=True)
class Endpoint:
    """A model at a URL, and what its answers have told.

    Attributes:
        was_reached: Whether it has ever answered.
        limit_name: The name of the token limit that it takes.
        most_tokens: The highest token limit that it takes; None if any.
        takes_choice: Whether it lets a request demand the call of a tool.
    """

    was_reached: bool = False
    limit_name: str = OLD_LIMIT
    most_tokens: int | None = None
    takes_choice: bool = True
    _refused: tuple[str, ...] = ()

    def fit(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """A request as the endpoint takes it."""
        fitted = {self.limit_name if name in LIMITS else name: value for name, value in request.items()}
        limit = fitted.get(self.limit_name)
        if self.most_tokens is not None and isinstance(limit, int):
            fitted[self.limit_name] = min(limit, self.most_tokens)
        if not self.takes_choice and "tool_choice" in fitted:
            fitted["tool_choice"] = "auto"
        return fitted

    def learn(self, error: Exception, request: Mapping[str, Any]) -> None:
        """Learn from an error which request the endpoint takes, if it says so.

        Args:
            error: The client's.
            request: The body that was sent.
        """
        if getattr(error, "status_code", None) not in _BAD_REQUEST:
            return
        said = _words(error)
        limit = next((name for name in LIMITS if name in request), None)
        if limit is not None and isinstance(request[limit], int):
            self._learn_limit(said, limit, request[limit])
        if "tool_choice" in request and "tool_choice" in said.replace("tool choice", "tool_choice"):
            self.takes_choice = False

    def _learn_limit(self, said: str, name: str, value: int) -> None:
        if context := _CONTEXT.search(said):  # a reply may take a quarter of it
            self._lower(_number(context[1]) // 4, value)
        elif not any(limit in said for limit in LIMITS):
            return
        elif (most := _MOST.search(said)) and _number(most[1]) < value and _TOO_LARGE.search(said):
            self._lower(_number(most[1]), value)
        elif name in said and _REFUSING.search(said):
            other = LIMITS[name == OLD_LIMIT]
            self._refused = (*self._refused, name)
            self.limit_name = self.limit_name if other in self._refused else other

    def _lower(self, most: int, value: int) -> None:
        if 0 < most < value:
            self.most_tokens = min(most, self.most_tokens or most)


def _number(digits: str) -> int:
    return int(digits.replace(",", ""))


_KNOWN: dict[tuple[str, str], Endpoint] = {}


def endpoint_of(options: LLMOptions) -> Endpoint:
    """The process's one memory of the endpoint and model that an agent asks."""
    url = options.base_url or os.environ.get("OPENAI_BASE_URL") or _OPENAI
    key = (url.rstrip("/"), options.model)
    if key not in _KNOWN:
        host = urlsplit(url).hostname or ""
        _KNOWN[key] = Endpoint(limit_name=NEW_LIMIT if _NEW_HOSTS.fullmatch(host) else OLD_LIMIT)
    return _KNOWN[key]


def forget() -> None:
    """Forget all endpoints."""
    _KNOWN.clear()


def _words(error: Exception) -> str:
    body: Any = getattr(error, "body", None)
    return f"{error} {json.dumps(body, default=str)}"
