"""Send requests to a model through the official client, with retries."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from craftax_text_gym.agents.llm.answer import Answer, read_completion, read_stream
from craftax_text_gym.agents.llm.endpoints import endpoint_of
from craftax_text_gym.agents.llm.errors import BadAnswerError, check_key, explain, is_overflow
from craftax_text_gym.agents.llm.options import LLMOptions
from craftax_text_gym.agents.llm.retrying import is_away, is_transient, retry_delay
from craftax_text_gym.utils.plugins import require_extra

_OWN_FIELDS = ("model", "messages", "stream")
"""Fields that the client must know; it passes the others on unchanged."""

_NEVER_REACHED_RETRIES = 1
"""Retries while no connection has ever succeeded: a wrong address is more likely than a network failure."""


class ChatClient:
    """A connection to an endpoint, bound to the event loop of its first request.

    Attributes:
        url: The URL of the endpoint.
    """

    def __init__(self, options: LLMOptions) -> None:
        """Make the client. Nothing is sent yet.

        Args:
            options: The agent's options.

        Raises:
            ImportError: If the client is not installed; the message names the extra.
            EndpointError: If there is no API key.
        """
        with require_extra("llm"):
            import openai
        key = check_key(options.api_key or os.environ.get("OPENAI_API_KEY"))
        self._options = options
        self._client: Any = openai.AsyncOpenAI(
            api_key=key, base_url=options.base_url, timeout=options.timeout, max_retries=0
        )
        self._stream: type[Any] = openai.AsyncStream
        http = _http_of(openai.DefaultAsyncHttpxClient)
        self._failures = (openai.APIError, http.HTTPError, TimeoutError, BadAnswerError)
        self._no_connection = http.ConnectError
        self._broken_connection = (http.NetworkError, http.RemoteProtocolError)
        self._endpoint = endpoint_of(options)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.url = str(self._client.base_url).rstrip("/")

    async def ask(self, request: Mapping[str, Any]) -> Answer:
        """Ask the model.

        Args:
            request: The body of the request.

        Returns:
            The answer.

        Raises:
            ContextOverflowError: If the request is too long.
            EndpointError: If the request fails for good.
            RuntimeError: If the event loop differs from that of the first request.
        """
        loop = asyncio.get_running_loop()
        if self._loop not in (None, loop):
            raise RuntimeError(
                "Expected the event loop of the first act(), got another one: play within one asyncio.run(…), and "
                "await close() at its end."
            )
        self._loop = loop
        attempt, since = 0, None
        request = self._endpoint.fit(request)
        while True:
            attempt += 1
            try:
                async with asyncio.timeout(self._options.timeout):
                    answer = await self._ask_once(request)
            except self._failures as error:
                self._endpoint.learn(error, request)
                fitted = self._endpoint.fit(request)
                if fitted != request:
                    request = fitted
                    continue
                since = loop.time() if since is None else since
                if not self._is_worth_retrying(error, attempt, loop.time() - since):
                    raise explain(error, self._options, self.url, attempt) from error
                await asyncio.sleep(retry_delay(attempt, error))
            else:
                self._endpoint.was_reached = True
                return answer

    async def close(self) -> None:
        """Close the connection. If its event loop is gone, so is the connection."""
        if self._loop in (None, asyncio.get_running_loop()):
            await self._client.close()

    async def _ask_once(self, request: Mapping[str, Any]) -> Answer:
        fields = dict(request)
        own = {name: fields.pop(name) for name in _OWN_FIELDS if name in fields}
        try:
            answer = await self._client.chat.completions.create(**own, extra_body=fields)
            if isinstance(answer, self._stream):
                async with answer:
                    return await read_stream(answer)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise BadAnswerError(f"it sends broken JSON: {error}") from error
        return read_completion(answer)

    def _is_worth_retrying(self, error: Exception, attempt: int, seconds: float) -> bool:
        """Whether to ask again, after so many attempts and so many seconds since the first of them failed."""
        if not is_transient(error) or is_overflow(error):
            return False
        retries, is_reached = self._options.max_retries, self._endpoint.was_reached
        if is_reached and (is_away(error) or isinstance(error.__cause__, self._broken_connection)):
            return attempt <= retries or seconds < self._options.max_outage
        is_elsewhere = not is_reached and isinstance(error.__cause__, self._no_connection)
        return attempt <= (min(retries, _NEVER_REACHED_RETRIES) if is_elsewhere else retries)


def _http_of(client: type[Any]) -> Any:
    """The HTTP library of the installed client: `httpx` for version 2, `httpx2` for version 3."""
    names = [base.__module__.partition(".")[0] for base in client.__mro__]
    return sys.modules[next(name for name in names if name.startswith("httpx"))]
