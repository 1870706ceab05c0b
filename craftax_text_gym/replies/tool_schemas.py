"""The tool by which a model plays, as the APIs of OpenAI, Anthropic and MCP describe tools. Plain dicts, no SDK.

The arguments of a call, as a mapping or as the JSON text that OpenAI's APIs give, are a reply that
`TextSession.act` and `parse_actions` read as they are.
"""

from __future__ import annotations

from typing import Any

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.utils.validation import check_count

TOOL_NAME = "act"
"""The name of the tool."""


def openai_chat(game: str | GameSpec = "full", *, max_actions: int = 1) -> dict[str, Any]:
    """The tool for OpenAI's Chat Completions API, in strict mode.

    Args:
        game: `"full"`, `"classic"`, an environment id, or a spec.
        max_actions: How many actions a call may ask for; above 1 the tool takes a list.

    Returns:
        An entry for the API's `tools`.

    Raises:
        ValueError: If there is no such game, or `max_actions` is below 1.
    """
    function = {**_described(game, max_actions), "parameters": parameters(game, max_actions=max_actions)}
    return {"type": "function", "function": {**function, "strict": True}}


def openai_responses(game: str | GameSpec = "full", *, max_actions: int = 1) -> dict[str, Any]:
    """The tool for OpenAI's Responses API, in strict mode.

    Args:
        game: As in `openai_chat`.
        max_actions: As in `openai_chat`.

    Returns:
        An entry for the API's `tools`.

    Raises:
        ValueError: As in `openai_chat`.
    """
    return {"type": "function", **openai_chat(game, max_actions=max_actions)["function"]}


def anthropic(game: str | GameSpec = "full", *, max_actions: int = 1) -> dict[str, Any]:
    """The tool for Anthropic's Messages API, in strict mode.

    Args:
        game: As in `openai_chat`.
        max_actions: As in `openai_chat`.

    Returns:
        An entry for the API's `tools`.

    Raises:
        ValueError: As in `openai_chat`.
    """
    described = _described(game, max_actions)
    return {**described, "input_schema": parameters(game, max_actions=max_actions), "strict": True}


def mcp(game: str | GameSpec = "full", *, max_actions: int = 1) -> dict[str, Any]:
    """The tool as an MCP server lists it.

    Args:
        game: As in `openai_chat`.
        max_actions: As in `openai_chat`.

    Returns:
        An entry of the result of `tools/list`.

    Raises:
        ValueError: As in `openai_chat`.
    """
    return {**_described(game, max_actions), "inputSchema": parameters(game, max_actions=max_actions)}


def parameters(game: str | GameSpec = "full", *, max_actions: int = 1) -> dict[str, Any]:
    """The JSON schema of the tool's arguments, within what the strict modes allow.

    Args:
        game: As in `openai_chat`.
        max_actions: As in `openai_chat`.

    Returns:
        A schema of an object with the one property `"action"`, or above 1 `"actions"`.

    Raises:
        ValueError: As in `openai_chat`.
    """
    check_count("max_actions", max_actions)
    name: dict[str, Any] = {"type": "string", "enum": list(games.get(game).actions)}
    if max_actions == 1:
        key, value = "action", {**name, "description": "The action to carry out."}
    else:
        text = f"From 1 to {max_actions} actions, carried out in this order."
        key, value = "actions", {"type": "array", "items": name, "description": text}
    return {"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": False}


def _described(game: str | GameSpec, max_actions: int) -> dict[str, Any]:
    what = "the next action" if max_actions == 1 else "the next actions"
    text = f"Carry out {what} in {games.get(game).title} and see what comes of it."
    return {"name": TOOL_NAME, "description": text}
