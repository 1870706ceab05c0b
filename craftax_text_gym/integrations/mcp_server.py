"""A server of the Model Context Protocol whose tools play the games; `craftax-text serve mcp` runs it.

A client opens a game with `start_game` and names it in every further call, as the protocol (since 2026-07-28) has no
sessions over HTTP. The names are secret, so that a client can reach only its own games.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Annotated, Any

from gymnasium.error import ResetNeeded

import craftax_text_gym
from craftax_text_gym.handbook import manual
from craftax_text_gym.integrations.pool import SessionPool, TooManyGamesError, UnknownGameError
from craftax_text_gym.session import TextSession
from craftax_text_gym.utils.plugins import require_extra

with require_extra("mcp"):
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import CallToolResult, TextContent
    from pydantic import BaseModel, Field

MAX_REPLY_CHARACTERS = 4_096
"""The maximum length of a tool's argument."""
MAX_REQUEST_BYTES = 65_536
"""The maximum size of an HTTP request."""

_Name = Annotated[str, Field(max_length=64, description="The game's name, from start_game.")]
_Seed = Annotated[int | None, Field(ge=0, lt=2**63, description="Chooses the world; without one it is random.")]
_Action = Annotated[str, Field(max_length=MAX_REPLY_CHARACTERS, description="What to do.")]


class GameTurn(BaseModel):
    """The structured result of a tool, for programs.

    Attributes:
        game: The game's name.
        text: The text for the model.
        reward: The reward of the last call.
        done: Whether the episode is over.
        achievements: Keys of the achievements unlocked in the episode so far.
    """

    game: str
    text: str
    reward: float
    done: bool
    achievements: list[str]


Result = Annotated[CallToolResult, GameTurn]


class GameTools:
    """The tools. Each public method is one, and its docstring is the description that a model reads."""

    def __init__(self, pool: SessionPool) -> None:
        """Make the tools.

        Args:
            pool: The pool of games.
        """
        self._pool = pool

    def start_game(self, seed: _Seed = None) -> Result:
        """Begin a game in a new world. The answer has the game's name, which every other tool asks for."""
        with _client_errors():
            name = self._pool.open()
            with self._pool.use(name) as session:
                text = session.reset(seed)
                return _result(name, session, f"game: {name}\n\n{text}")

    def act(self, game: _Name, action: _Action) -> Result:
        """Carry out an action and see what comes of it."""
        with _client_errors(), self._pool.use(game) as session:
            turn = session.act(action)
            return _result(game, session, turn.text, turn.reward)

    def look(self, game: _Name) -> Result:
        """Read the last observation again. No time passes in the game."""
        with _client_errors(), self._pool.use(game) as session:
            return _result(game, session, session.text)

    def score(self, game: _Name) -> dict[str, float]:
        """The score so far, in numbers."""
        with _client_errors(), self._pool.use(game) as session:
            return session.score()

    def end_game(self, game: _Name) -> dict[str, float]:
        """Give a game up, which makes room for another one. The answer is its score."""
        with _client_errors():
            with self._pool.use(game) as session:
                score = session.score()
            self._pool.close(game)
            return score


def build(pool: SessionPool, example: TextSession) -> MCPServer[Any]:
    """Make the server.

    Args:
        pool: The pool of games.
        example: A session with the pool's settings, for the rules and the actions. It is not played.

    Returns:
        The server, not yet running.
    """
    server: MCPServer[Any] = MCPServer(
        "craftax-text-gym",
        title=example.game.title,
        instructions=example.system_prompt,
        version=craftax_text_gym.__version__,
        log_level="WARNING",
    )
    tools = GameTools(pool)
    server.add_tool(tools.start_game)
    server.add_tool(tools.act, description=f"{GameTools.act.__doc__} {_actions(example)}")
    server.add_tool(tools.look)
    server.add_tool(tools.score)
    server.add_tool(tools.end_game)

    def rules() -> str:
        """The rules of the game, and how to read an observation."""
        return f"{manual(example.game)}\n\n{example.instructions}"

    server.add_tool(rules, structured_output=False)
    return server


def run_stdio(server: MCPServer[Any]) -> None:
    """Serve one client over standard input and output until it disconnects. Nothing else is written to standard output.

    Args:
        server: The server, from `build`.
    """
    server.run("stdio")


def run_http(server: MCPServer[Any], pool: SessionPool, *, host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve clients over streamable HTTP, at `/mcp`, until the process is interrupted.

    Args:
        server: The server, from `build`.
        pool: The server's pool, whose limits also apply to connections.
        host: The address to listen on. There is no authentication: use a loopback address, or a proxy with one.
        port: The port to listen on.
    """
    server.run(
        "streamable-http",
        host=host,
        port=port,
        max_request_body_size=MAX_REQUEST_BYTES,
        max_sessions=4 * pool.max_games,
        session_idle_timeout=pool.idle_seconds,
    )


def _actions(example: TextSession) -> str:
    several = f" Up to {example.max_actions} with commas between: left*3, do." if example.max_actions > 1 else ""
    return f"The actions: {', '.join(example.game.actions)}.{several}"


def _result(name: str, session: TextSession, text: str, reward: float = 0.0) -> CallToolResult:
    achievements = list(session.record().achievements)
    turn = GameTurn(game=name, text=text, reward=reward, done=session.done, achievements=achievements)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=turn.model_dump())


@contextlib.contextmanager
def _client_errors() -> Iterator[None]:
    """Report errors of the client's call to the client."""
    try:
        yield
    except (UnknownGameError, TooManyGamesError, ResetNeeded) as error:
        raise ToolError(str(error)) from error
