from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from craftax_text_gym import games
from craftax_text_gym.replies import tool_schemas
from craftax_text_gym.replies.parsing import parse_actions
from tests.integrations.frameworks import require

KEYS = tuple(spec.key for spec in games.ALL)
Maker = Callable[..., dict[str, Any]]
MAKERS: tuple[Maker, ...] = (
    tool_schemas.openai_chat,
    tool_schemas.openai_responses,
    tool_schemas.anthropic,
    tool_schemas.mcp,
)
all_tools = pytest.mark.parametrize("max_actions", [1, 5])
all_games = pytest.mark.parametrize("game", KEYS)
all_makers = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)


def schema_of(tool: dict[str, Any]) -> Any:
    """The schema of the arguments, wherever the API has it."""
    function = tool.get("function", tool)
    return next(function[key] for key in ("parameters", "input_schema", "inputSchema") if key in function)


@all_games
@all_tools
@all_makers
def test_every_tool_is_plain_json_and_has_the_one_schema(maker: Maker, max_actions: int, game: str) -> None:
    tool = maker(game, max_actions=max_actions)
    assert json.loads(json.dumps(tool)) == tool
    schema = schema_of(tool)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == tool_schemas.parameters(game, max_actions=max_actions)
    # What OpenAI's strict mode asks of every object in a schema.
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"])


@all_games
@all_tools
def test_whatever_the_schema_allows_is_read_as_those_actions(game: str, max_actions: int) -> None:
    spec = games.get(game)
    schema = tool_schemas.parameters(game, max_actions=max_actions)
    for index, name in enumerate(spec.actions):
        arguments: dict[str, Any] = {"action": name} if max_actions == 1 else {"actions": [name] * max_actions}
        jsonschema.validate(arguments, schema)
        for reply in (arguments, json.dumps(arguments)):
            assert parse_actions(reply, game, max_actions=max_actions).actions == (index,) * max_actions


@all_games
@pytest.mark.parametrize(
    "arguments", [{}, {"action": "fly"}, {"action": 1}, {"action": "left", "why": ""}, {"action": ["left"]}, []]
)
def test_the_schema_allows_nothing_else(game: str, arguments: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(arguments, tool_schemas.parameters(game))


@all_makers
def test_bad_arguments_are_refused(maker: Maker) -> None:
    with pytest.raises(ValueError, match="at least 1, got 0"):
        maker("classic", max_actions=0)
    with pytest.raises(ValueError, match="'classic'"):
        maker("chess")


@all_games
@all_tools
def test_openais_types_take_the_tools(game: str, max_actions: int) -> None:
    require("sdks", "openai")
    from openai.types.chat import ChatCompletionFunctionToolParam
    from openai.types.responses import FunctionTool, FunctionToolParam
    from pydantic import TypeAdapter

    chat = tool_schemas.openai_chat(game, max_actions=max_actions)
    responses = tool_schemas.openai_responses(game, max_actions=max_actions)
    assert strictly(TypeAdapter(ChatCompletionFunctionToolParam), chat) == chat
    assert strictly(TypeAdapter(FunctionToolParam), responses) == responses
    assert FunctionTool.model_validate(responses, strict=True).to_dict() == responses


@all_games
@all_tools
def test_anthropics_types_take_the_tool(game: str, max_actions: int) -> None:
    require("sdks", "anthropic")
    from anthropic.types import ToolParam
    from pydantic import TypeAdapter

    tool = tool_schemas.anthropic(game, max_actions=max_actions)
    assert strictly(TypeAdapter(ToolParam), tool) == tool


@all_games
@all_tools
def test_mcps_types_take_the_tool(game: str, max_actions: int) -> None:
    types = require("sdks", "mcp_types")
    tool = tool_schemas.mcp(game, max_actions=max_actions)
    assert types.Tool.model_validate(tool).model_dump(by_alias=True, exclude_unset=True) == tool


def strictly(adapter: Any, value: object) -> object:
    """The value as a type reads it, where keys that the type does not know are refused."""
    return json.loads(adapter.dump_json(adapter.validate_python(value, extra="forbid")))


def test_the_types_refuse_what_is_no_tool() -> None:
    require("sdks", "openai", "anthropic")
    from anthropic.types import ToolParam
    from openai.types.responses import FunctionToolParam
    from pydantic import TypeAdapter, ValidationError

    for kind, maker in ((FunctionToolParam, tool_schemas.openai_responses), (ToolParam, tool_schemas.anthropic)):
        tool = maker("classic")
        for broken in ({**tool, "function": {}}, {key: tool[key] for key in tool if key != "name"}):
            with pytest.raises(ValidationError):
                strictly(TypeAdapter(kind), broken)
