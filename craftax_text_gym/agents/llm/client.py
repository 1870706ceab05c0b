"""Asking a model: one request, repeated where that may help, through the official client."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from typing import Any

from craftax_text_gym.agents.llm.answer import Answer, read_completion, read_stream
from craftax_text_gym.agents.llm.errors import BadAnswerError, LLMError, check_key, explain
from craftax_text_gym.agents.llm.options import LLMOptions
from craftax_text_gym.agents.llm.retrying import is_passing, wait_before
from craftax_text_gym.utils.plugins import require_extra

_OWN_FIELDS = ("model", "messages", "stream")
"""Fields that the client must know of; the others go through it as they are."""
_NEVER_REACHED_RETRIES = 1
"""Retries where no connection has ever come about: the address is wrong more often than the network is down."""


class ChatClient:
    """A connection to an endpoint. It belongs to the event loop that it is first used in.

    Attributes:
        url: The endpoint.
    """

    def __init__(self, options: LLMOptions) -> None:
        """Make the connection; nothing is sent yet.

        Args:
            options: The agent's.

        Raises:
            ImportError: If the client is not installed; the message names the extra.
            LLMError: If there is no key.
        """
        with require_extra("llm"):
            import httpx2
            import openai
        key = check_key(options.api_key or os.environ.get("OPENAI_API_KEY"))
        self._options = options
        self._client: Any = openai.AsyncOpenAI(
            api_key=key, base_url=options.base_url, timeout=options.timeout, max_retries=0
        )
        self._stream: type[Any] = openai.AsyncStream
        self._failures = (openai.APIError, httpx2.HTTPError, TimeoutError, BadAnswerError)
        self._no_connection = httpx2.ConnectError
        self._was_reached = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self.url = str(self._client.base_url).rstrip("/")

    async def ask(self, request: Mapping[str, Any]) -> Answer:
        """Ask the model.

        Args:
            request: The fields of the API's request.

        Returns:
            What it answered.

        Raises:
            LLMError: If that fails for good.
            RuntimeError: If the event loop is not the one of the first request.
        """
        loop = asyncio.get_running_loop()
        if self._loop not in (None, loop):
            raise RuntimeError(
                "Expected the event loop of the first act(), got another one: play within one asyncio.run(…), and "
                "await close() at its end."
            )
        self._loop = loop
        attempt = 0
        while True:
            attempt += 1
            try:
                async with asyncio.timeout(self._options.timeout):
                    answer = await self._ask_once(request)
            except self._failures as error:
                if attempt > self._retries(error) or not is_passing(error):
                    raise self._explained(error, attempt) from error
                await asyncio.sleep(wait_before(attempt, error))
            else:
                self._was_reached = True
                return answer

    async def close(self) -> None:
        """Close the connection; where its event loop is gone, that has gone with it."""
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

    def _retries(self, error: Exception) -> int:
        allowed = self._options.max_retries
        is_nowhere = not self._was_reached and isinstance(error.__cause__, self._no_connection)
        return min(allowed, _NEVER_REACHED_RETRIES) if is_nowhere else allowed

    def _explained(self, error: Exception, attempt: int) -> LLMError:
        return explain(error, self._options, self.url, attempt)
