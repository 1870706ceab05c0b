"""An OpenEnv server, where each WebSocket connection plays its own game; `craftax-text serve openenv` runs it.

OpenEnv's plain HTTP routes make a new environment for each request: play over `/ws`, as its clients do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gymnasium.error import ResetNeeded

import craftax_text_gym
from craftax_text_gym.session import TextSession
from craftax_text_gym.utils.plugins import require_extra

with require_extra("openenv"):
    import uvicorn
    from openenv.core.env_server import Environment, create_fastapi_app
    from openenv.core.env_server.types import (
        Action,
        ConcurrencyConfig,
        EnvironmentMetadata,
        Observation,
        ServerMode,
        State,
    )
    from pydantic import Field
    from starlette.responses import PlainTextResponse
    from starlette.types import ASGIApp, Receive, Scope, Send

MAX_REPLY_CHARACTERS = 4_096
"""The maximum length of a reply."""
MAX_MESSAGE_BYTES = 65_536
"""The maximum size of a message, over the WebSocket or in the body of a request."""


class CraftaxTextAction(Action):
    """What a client sends.

    Attributes:
        action: A model's reply: the name of an action, or a text with it marked.
    """

    action: str = Field(max_length=MAX_REPLY_CHARACTERS)


class CraftaxTextObservation(Observation):
    """What a client receives, besides `reward` and `done`.

    Attributes:
        text: The text for the model.
        achievements: Keys of the achievements unlocked in the episode so far.
        invalid_reply: Whether the reply named no action, so that a noop was played.
    """

    text: str
    achievements: list[str] = Field(default_factory=list)
    invalid_reply: bool = False


class CraftaxTextState(State):
    """The state of an episode.

    Attributes:
        game: `"full"` or `"classic"`.
        seed: Replays the episode; None before the first reset.
        score: The score so far; see `TextSession.score`.
    """

    game: str = ""
    seed: int | None = None
    score: dict[str, float] = Field(default_factory=dict)


class CraftaxTextEnvironment(Environment[CraftaxTextAction, CraftaxTextObservation, CraftaxTextState]):
    """One connection's game."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, make: Callable[[], TextSession]) -> None:
        """Make the environment; no game is compiled before the first reset.

        Args:
            make: Makes the session.
        """
        super().__init__()
        self._session = make()
        self._episode_id: str | None = None
        self._is_closed = False

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> CraftaxTextObservation:
        """Begin an episode.

        Args:
            seed: The seed of the world; None for a random one.
            episode_id: The client's name for the episode.
            **_: Parameters of other environments, ignored.

        Returns:
            The first observation.

        Raises:
            gymnasium.error.ResetNeeded: If the server has closed the idle game.
        """
        if self._is_closed:  # the connection outlives its game, and a new one would exceed the server's cap
            raise ResetNeeded("This game was closed, for nobody played it: connect again.")
        text = self._session.reset(seed)
        self._episode_id = episode_id
        return CraftaxTextObservation(text=text)

    def step(self, action: CraftaxTextAction, timeout_s: float | None = None, **_: Any) -> CraftaxTextObservation:  # noqa: ARG002
        """Play a reply.

        Args:
            action: The reply.
            timeout_s: Not used, as a step takes milliseconds.
            **_: Parameters of other environments, ignored.

        Returns:
            The next observation.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset, and after the end of an episode.
        """
        turn = self._session.act(action.action)
        return CraftaxTextObservation(
            text=turn.text,
            reward=turn.reward,
            done=turn.done,
            achievements=list(self._session.record().achievements),
            invalid_reply=turn.info["invalid_reply"],
        )

    @property
    def state(self) -> CraftaxTextState:
        """The state of the episode."""
        game = self._session.game.key
        if not self._session.started:
            return CraftaxTextState(game=game)
        record = self._session.record()
        return CraftaxTextState(
            episode_id=self._episode_id,
            step_count=record.length,
            game=game,
            seed=record.seed,
            score=self._session.score(),
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """Metadata of the environment; `readme_content` is the system prompt for a model."""
        return EnvironmentMetadata(
            name="craftax_text",
            description=f"{self._session.game.title}, a survival game, observed as text and played by names of actions",
            readme_content=self._session.system_prompt,
            version=craftax_text_gym.__version__,
        )

    def close(self) -> None:
        """Free the game for good."""
        self._is_closed = True
        self._session.close()


class BodyLimit:
    """Refuses requests whose body is too large, or whose length is not declared."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        """Wrap an application.

        Args:
            app: The application.
            max_bytes: The maximum size of a body.
        """
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with status 411 or 413, or pass it on."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        await (self._app if refusal is None else refusal)(scope, receive, send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = dict(scope["headers"])
        if b"transfer-encoding" in headers:
            return PlainTextResponse("Expected a body with its Content-Length.", status_code=411)
        if int(headers.get(b"content-length", b"0")) > self._max_bytes:
            return PlainTextResponse(f"Expected at most {self._max_bytes} bytes.", status_code=413)
        return None


def build(make: Callable[[], TextSession], *, max_games: int = 16, idle_seconds: float = 1800.0) -> ASGIApp:
    """Make the application.

    Args:
        make: Makes the session of each connection.
        max_games: The maximum number of connections that play at once.
        idle_seconds: The time without a message after which a connection's game is closed.

    Returns:
        An ASGI application.
    """
    app: Any = create_fastapi_app(
        partial(CraftaxTextEnvironment, make),
        CraftaxTextAction,
        CraftaxTextObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=max_games, session_timeout=idle_seconds),
        env_name="craftax_text",
        state_cls=CraftaxTextState,
        mode=ServerMode.SIMULATION,
    )
    app.add_middleware(BodyLimit, max_bytes=MAX_MESSAGE_BYTES)
    return app


def run(app: ASGIApp, *, host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve clients until the process is interrupted.

    Args:
        app: From `build`.
        host: The address to listen on. There is no authentication: use a loopback address, or a proxy with one.
        port: The port to listen on.
    """
    uvicorn.run(app, host=host, port=port, ws_max_size=MAX_MESSAGE_BYTES, log_level="warning")
