"""A server of the Model Context Protocol whose tools play the games; `craftax-text serve mcp` runs it.

A client opens a game with `start_game` and names it in every further call: over HTTP the protocol (since 2026-07-28)
knows no sessions. The names are secret, so that a client reaches only its own games.
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
"""The longest argument that a tool takes."""
MAX_REQUEST_BYTES = 65_536
"""The largest HTTP request that is read."""

_Name = Annotated[str, Field(max_length=64, description="The game's name, from start_game.")]
_Seed = Annotated[int | None, Field(ge=0, lt=2**63, description="Chooses the world; without one it is random.")]
_Action = Annotated[str, Field(max_length=MAX_REPLY_CHARACTERS, description="What to do.")]


class GameTurn(BaseModel):
    """What a tool says of a game, for programs.

    Attributes:
        game: The game's name.
        text: What is to be read.
        reward: What the last call earned.
        done: Whether the episode is over.
        achievements: Keys of the achievements unlocked in it so far.
    """

    game: str
    text: str
    reward: float
    done: bool
    achievements: list[str]


Result = Annotated[CallToolResult, GameTurn]


class GameTools:
    """The tools. Each public method is one, and its docstring is what a model reads about it."""

    def __init__(self, pool: SessionPool) -> None:
        """Make the tools.

        Args:
            pool: Where the games are kept.
        """
        self._pool = pool

    def start_game(self, seed: _Seed = None) -> Result:
        """Begin a game in a new world. The answer has the game's name, which every other tool asks for."""
        with _explained():
            name = self._pool.open()
            with self._pool.use(name) as session:
                text = session.reset(seed)
                return _result(name, session, f"game: {name}\n\n{text}")

    def act(self, game: _Name, action: _Action) -> Result:
        """Carry out an action and see what comes of it."""
        with _explained(), self._pool.use(game) as session:
            turn = session.act(action)
            return _result(game, session, turn.text, turn.reward)

    def look(self, game: _Name) -> Result:
        """Read the last observation again. No time passes in the game."""
        with _explained(), self._pool.use(game) as session:
            return _result(game, session, session.text)

    def score(self, game: _Name) -> dict[str, float]:
        """The score so far, in numbers."""
        with _explained(), self._pool.use(game) as session:
            return session.score()

    def end_game(self, game: _Name) -> dict[str, float]:
        """Give a game up, which makes room for another one. The answer is its score."""
        with _explained():
            with self._pool.use(game) as session:
                score = session.score()
            self._pool.close(game)
            return score


def build(pool: SessionPool, example: TextSession) -> MCPServer[Any]:
    """Make the server.

    Args:
        pool: Where the games are kept.
        example: A session like the pool's: it knows the rules and the actions. It is not played.

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
    """Serve one client over standard input and output until it is gone. Nothing else is written to standard output.

    Args:
        server: From `build`.
    """
    server.run("stdio")


def run_http(server: MCPServer[Any], pool: SessionPool, *, host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve clients over streamable HTTP, at `/mcp`, until the process is interrupted.

    Args:
        server: From `build`.
        pool: The same as the server's: connections are limited as games are.
        host: Where to listen. There is no authentication: leave it at a loopback address, or put one before it.
        port: Where to listen.
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
def _explained() -> Iterator[None]:
    """Let the client read what is wrong with its call."""
    try:
        yield
    except (UnknownGameError, TooManyGamesError, ResetNeeded) as error:
        raise ToolError(str(error)) from error
