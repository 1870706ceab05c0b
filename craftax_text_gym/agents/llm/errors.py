"""What can go wrong with an endpoint, each in one line that says what to do."""

from __future__ import annotations

from typing import Any

from craftax_text_gym.agents.agent import AgentError
from craftax_text_gym.agents.llm.options import LLMOptions

_MAX_QUOTE = 300


class LLMError(AgentError):
    """The model cannot be asked; the message is one line with the cause and the cure."""


class BadAnswerError(Exception):
    """An endpoint's answer is not what the API promises."""


def check_key(key: str | None) -> str:
    """A key without white space around it.

    Args:
        key: What the user gives.

    Raises:
        LLMError: If there is none, or it cannot be one; it is not repeated.
    """
    key = (key or "").strip()
    if not key:
        raise LLMError(
            "No API key: set OPENAI_API_KEY, or pass api_key=… (any text for a server that asks for none, such as a "
            "local one)."
        )
    if not (key.isascii() and key.isprintable()):
        raise LLMError("The API key holds characters that no key has: copy it again.")
    return key


def explain(error: Exception, options: LLMOptions, url: str, attempts: int) -> LLMError:
    """Say what an error of the client means and what to do.

    Args:
        error: What asking the model raised last.
        options: What it was asked with.
        url: The endpoint.
        attempts: How often it was asked.

    Returns:
        The error to raise.
    """
    status: int | None = getattr(error, "status_code", None)
    if status is not None and status >= 400:
        return LLMError(_of_status(status, error, options, url, attempts))
    if isinstance(error, TimeoutError) or type(error).__name__ == "APITimeoutError":
        return LLMError(
            f"{url} did not answer within {options.timeout:g} s, {_tries(attempts)}: raise timeout=… or max_retries=…, "
            f"or lower max_tokens=…."
        )
    if isinstance(error, BadAnswerError):
        return LLMError(
            f"{url} does not answer as the Chat Completions API does, {_tries(attempts)} ({_quote(error)}): "
            f"check base_url=…, which usually ends in /v1."
        )
    return LLMError(
        f"Cannot reach {url}, {_tries(attempts)} ({_quote(error.__cause__ or error)}): check base_url=…, and that the "
        f"server runs."
    )


def is_out_of_credit(error: Exception) -> bool:
    """Whether waiting will not help against a rate limit: the account is empty."""
    return getattr(error, "code", None) == "insufficient_quota"


def _of_status(status: int, error: Exception, options: LLMOptions, url: str, attempts: int) -> str:
    said = _quote(error)
    if status == 401:
        return f"{url} refuses the key (401, {said}): check OPENAI_API_KEY or api_key=…."
    if status == 403:
        return f"{url} does not let this key use {options.model!r} (403, {said}): choose another model=…."
    if status == 404:
        return _of_missing(error, options, url, said)
    if status == 429 and is_out_of_credit(error):
        return f"The account at {url} has no credit left (429, {said}): add some, or use another api_key=…."
    if status == 429:
        return (
            f"{url} still limits the rate, {_tries(attempts)} (429, {said}): run fewer episodes at once, or raise "
            f"max_retries=…."
        )
    if status >= 500 or status in (408, 409):
        return f"{url} fails, {_tries(attempts)} ({status}, {said}): try again later, or raise max_retries=…."
    if "context" in said.lower():
        return (
            f"The request is too long for {options.model!r} ({status}, {said}): lower history_tokens=… or "
            f'max_tokens=…, or pass rules="short".'
        )
    return (
        f"{url} refuses the request ({status}, {said}): change the option that it names, or pass extra_body=… for it."
    )


def _of_missing(error: Exception, options: LLMOptions, url: str, said: str) -> str:
    if getattr(error, "code", None) == "model_not_found" or "model" in said.lower():
        return f"{url} has no model {options.model!r} (404, {said}): choose one that it lists, with model=…."
    return f"There is no Chat Completions API at {url} (404, {said}): check base_url=…, which usually ends in /v1."


def _tries(attempts: int) -> str:
    return "asked once" if attempts == 1 else f"asked {attempts} times"


def _quote(error: BaseException) -> str:
    """What the server or the system says, in one line of some length."""
    body: Any = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    words = " ".join(str(said or error or type(error).__name__).split())
    return words if len(words) <= _MAX_QUOTE else f"{words[: _MAX_QUOTE - 3]}..."
