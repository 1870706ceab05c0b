"""The body of a request to the Chat Completions API."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from craftax_text_gym.agents.llm.options import LLMOptions
from craftax_text_gym.replies.tool_schemas import openai_chat

_OPENAI = "api.openai.com"


def build_request(options: LLMOptions, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Build the body of a request.

    Args:
        options: The agent's options.
        messages: The conversation.

    Returns:
        JSON-able; options left to the endpoint are not in it.
    """
    body: dict[str, Any] = {"model": options.model, "messages": messages}
    if options.max_tokens is not None:
        body[_limit_name(options)] = options.max_tokens
    if options.temperature is not None:
        body["temperature"] = options.temperature
    if options.mode == "tools":
        body["tools"] = [openai_chat(options.spec, max_actions=options.max_actions)]
        body["tool_choice"] = "required"
    if options.stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return {**body, **options.extra_body}


def _limit_name(options: LLMOptions) -> str:
    """The field for the token limit: OpenAI's reasoning models reject the old name, most other servers need it."""
    url = options.base_url or os.environ.get("OPENAI_BASE_URL") or f"https://{_OPENAI}"
    return "max_completion_tokens" if urlsplit(url).hostname == _OPENAI else "max_tokens"
