"""The body of a request to the Chat Completions API."""

from __future__ import annotations

from typing import Any

from craftax_text_gym.agents.llm.endpoints import LIMITS, OLD_LIMIT
from craftax_text_gym.agents.llm.options import LLMOptions
from craftax_text_gym.replies.tool_schemas import openai_chat


def build_request(options: LLMOptions, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Build the body of a request; `Endpoint.fit` makes it one that an endpoint takes.

    Args:
        options: The agent's options.
        messages: The conversation.

    Returns:
        JSON-able; options left to the endpoint are not in it.
    """
    body: dict[str, Any] = {"model": options.model, "messages": messages}
    if options.max_tokens is not None and not any(name in options.extra_body for name in LIMITS):
        body[OLD_LIMIT] = options.max_tokens
    if options.temperature is not None:
        body["temperature"] = options.temperature
    if options.mode == "tools":
        body["tools"] = [openai_chat(options.spec, max_actions=options.max_actions)]
        body["tool_choice"] = "required"
    if options.stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return {**body, **options.extra_body}
