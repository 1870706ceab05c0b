"""The errors of an endpoint, each explained in one line that says what to do."""

from __future__ import annotations

import json
import re
from typing import Any

from craftax_text_gym.agents.agent import AgentError, EndpointError
from craftax_text_gym.agents.llm.options import LLMOptions

_MAX_QUOTE = 300
_OVERFLOW = re.compile(
    r"context[ _-]?(?:length|size|window|limit)|maximum context|(?:prompt|input|request|message)s? (?:is|are) too long"
    r"|too many (?:input |prompt )?tokens|reduce the length|(?:input|prompt) tokens? .{0,60}exceed"
    r"|exceeds the maximum number of (?:input )?tokens|maximum (?:prompt|input) length",
    re.IGNORECASE,
)


class LLMError(AgentError):
    """The agent itself cannot continue; the message is one line with the cause and the cure."""


class ContextOverflowError(LLMError):
    """A request is too long for the model's context."""


class BadAnswerError(Exception):
    """An endpoint's answer does not follow the API."""


def check_key(key: str | None) -> str:
    """Strip whitespace from an API key and check it.

    Args:
        key: The key from the user.

    Returns:
        The key.

    Raises:
        EndpointError: If it is missing or malformed; the message does not repeat it.
    """
    key = (key or "").strip()
    if not key:
        raise EndpointError(
            "No API key: set OPENAI_API_KEY, or pass api_key=… (any text for a server that asks for none, such as a "
            "local one)."
        )
    if not (key.isascii() and key.isprintable()):
        raise EndpointError("The API key holds characters that no key has: copy it again.")
    return key


def explain(error: Exception, options: LLMOptions, url: str, attempts: int) -> LLMError | EndpointError:
    """Turn an error of the client into one that says what it means and what to do.

    Args:
        error: The last error of the client.
        options: The agent's options.
        url: The URL of the endpoint.
        attempts: How often the request was sent.

    Returns:
        The error to raise: a `ContextOverflowError`, else an `EndpointError`.
    """
    if is_overflow(error):
        return ContextOverflowError(
            f"The request is too long for {options.model!r}, without any past turn ({_quote(error)}): lower "
            f'max_tokens=…, or pass rules="short".'
        )
    return EndpointError(_message(error, options, url, attempts))


def _message(error: Exception, options: LLMOptions, url: str, attempts: int) -> str:
    status: int | None = getattr(error, "status_code", None)
    if status is not None and status >= 400:
        return _status_message(status, error, options, url, attempts)
    if isinstance(error, TimeoutError) or type(error).__name__ == "APITimeoutError":
        return (
            f"{url} did not answer within {options.timeout:g} s, {_asked(attempts)}: raise timeout=… or max_retries=…, "
            f"or lower max_tokens=…."
        )
    if isinstance(error, BadAnswerError):
        return (
            f"{url} does not answer as the Chat Completions API does, {_asked(attempts)} ({_quote(error)}): "
            f"check base_url=…, which usually ends in /v1."
        )
    return (
        f"Cannot reach {url}, {_asked(attempts)} ({_quote(error.__cause__ or error)}): check base_url=…, and that the "
        f"server runs."
    )


def is_overflow(error: Exception) -> bool:
    """Whether a request was refused for being too long for the model's context."""
    status: int | None = getattr(error, "status_code", None)
    if status is None or status < 400 or status in (401, 403, 404, 429):
        return False
    words = f"{error} {json.dumps(getattr(error, 'body', None), default=str)}"
    return status == 413 or _OVERFLOW.search(words) is not None


def is_out_of_credit(error: Exception) -> bool:
    """Whether the account is out of credit, so that waiting does not help."""
    return getattr(error, "code", None) == "insufficient_quota"


def _status_message(status: int, error: Exception, options: LLMOptions, url: str, attempts: int) -> str:
    said = _quote(error)
    if status == 401:
        return f"{url} refuses the key (401, {said}): check OPENAI_API_KEY or api_key=…."
    if status == 403:
        return f"{url} does not let this key use {options.model!r} (403, {said}): choose another model=…."
    if status == 404:
        return _not_found_message(error, options, url, said)
    if status == 429 and is_out_of_credit(error):
        return f"The account at {url} has no credit left (429, {said}): add some, or use another api_key=…."
    if status == 429:
        return (
            f"{url} still limits the rate, {_asked(attempts)} (429, {said}): run fewer episodes at once, or raise "
            f"max_retries=…."
        )
    if status >= 500 or status in (408, 409):
        return f"{url} fails, {_asked(attempts)} ({status}, {said}): try again later, or raise max_retries=…."
    return (
        f"{url} refuses the request ({status}, {said}): change the option that it names, or pass extra_body=… for it."
    )


def _not_found_message(error: Exception, options: LLMOptions, url: str, said: str) -> str:
    if getattr(error, "code", None) == "model_not_found" or "model" in said.lower():
        return f"{url} has no model {options.model!r} (404, {said}): choose one that it lists, with model=…."
    return f"There is no Chat Completions API at {url} (404, {said}): check base_url=…, which usually ends in /v1."


def _asked(attempts: int) -> str:
    return "asked once" if attempts == 1 else f"asked {attempts} times"


def _quote(error: BaseException) -> str:
    """The message of the server or the system, as one line of limited length."""
    body: Any = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    words = " ".join(str(said or error or type(error).__name__).split())
    return words if len(words) <= _MAX_QUOTE else f"{words[: _MAX_QUOTE - 3]}..."
