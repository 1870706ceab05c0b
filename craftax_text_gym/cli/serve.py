"""`craftax-text serve`: serve games to other programs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Annotated

import typer

from craftax_text_gym.cli.errors import check_at_least, fail, failing_on
from craftax_text_gym.cli.options import Format, Game, Reveal, split
from craftax_text_gym.session import TextSession

serve = typer.Typer(no_args_is_help=True, help="Serve games to other programs.")

MaxSteps = Annotated[int | None, typer.Option(help="Cap on steps per episode; the game's own by default.")]
MaxActions = Annotated[int, typer.Option(help="Maximum actions per reply.")]
MaxGames = Annotated[int, typer.Option(help="Maximum number of games at once.")]
IdleMinutes = Annotated[float, typer.Option(help="Minutes after which an idle game is closed.")]
Host = Annotated[str, typer.Option(help="Address to listen on; without authentication, keep it local.")]
Port = Annotated[int, typer.Option(help="Port to listen on.")]


@serve.command("mcp")
def mcp(
    game: Game = "full",
    text_format: Format = "markdown",
    reveal: Reveal = "",
    max_steps: MaxSteps = None,
    max_actions: MaxActions = 1,
    max_games: MaxGames = 16,
    idle_minutes: IdleMinutes = 30.0,
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP at /mcp instead of stdin and stdout.")] = False,
    host: Host = "127.0.0.1",
    port: Port = 8000,
) -> None:
    """Serve games over the Model Context Protocol."""
    make = _session_factory(game, text_format, reveal, max_steps, max_actions)
    _check_limits(max_games, idle_minutes)
    with failing_on(ImportError):
        from craftax_text_gym.integrations import mcp_server
        from craftax_text_gym.integrations.pool import SessionPool

        pool = SessionPool(make, max_games=max_games, idle_seconds=60 * idle_minutes)
    server = mcp_server.build(pool, make())
    if http:
        mcp_server.run_http(server, pool, host=host, port=port)
    else:
        mcp_server.run_stdio(server)


@serve.command("openenv")
def openenv(
    game: Game = "full",
    text_format: Format = "markdown",
    reveal: Reveal = "",
    max_steps: MaxSteps = None,
    max_actions: MaxActions = 1,
    max_games: MaxGames = 16,
    idle_minutes: IdleMinutes = 30.0,
    host: Host = "127.0.0.1",
    port: Port = 8000,
) -> None:
    """Serve games over the OpenEnv protocol."""
    make = _session_factory(game, text_format, reveal, max_steps, max_actions)
    _check_limits(max_games, idle_minutes)
    with failing_on(ImportError):
        from craftax_text_gym.integrations import openenv_server

        app = openenv_server.build(make, max_games=max_games, idle_seconds=60 * idle_minutes)
    openenv_server.run(app, host=host, port=port)


def _check_limits(max_games: int, idle_minutes: float) -> None:
    check_at_least("--max-games", max_games, 1)
    if not 0 < idle_minutes < math.inf:
        fail(f"Expected --idle-minutes above 0, got {idle_minutes}.")


def _session_factory(
    game: str, text_format: str, reveal: str, max_steps: int | None, max_actions: int
) -> Callable[[], TextSession]:
    """A factory of sessions, called once here so that wrong options fail early."""
    facts = tuple(split(reveal))
    make = partial(
        TextSession, game, text_format=text_format, reveal=facts, max_steps=max_steps, max_actions=max_actions
    )
    with failing_on(ValueError):
        make().close()
    return make
