"""A pool of a server's games: secret names, a maximum number, and a timeout for idle games."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from craftax_text_gym.session import TextSession

_SECRET_BYTES = 12


class UnknownGameError(LookupError):
    """There is no game of that name, or it was closed."""


class TooManyGamesError(RuntimeError):
    """The server has reached its maximum number of games."""


@dataclass(slots=True)
class _Entry:
    session: TextSession
    used_at: float
    num_users: int = 0


class SessionPool:
    """Sessions by name. Names are secret: without its name, nobody can read or disturb a game.

    Attributes:
        max_games: The maximum number of games at once.
        idle_seconds: The idle time after which a game is closed.
    """

    def __init__(
        self,
        make: Callable[[], TextSession],
        *,
        max_games: int = 16,
        idle_seconds: float = 1800.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make an empty pool.

        Args:
            make: Makes a session.
            max_games: The maximum number of games at once.
            idle_seconds: The idle time after which a game is closed.
            clock: Returns the time in seconds.

        Raises:
            ValueError: If a limit is not above 0.
        """
        if max_games < 1 or not idle_seconds > 0:
            raise ValueError(f"Expected limits above 0, got max_games={max_games} and idle_seconds={idle_seconds}.")
        self.max_games = max_games
        self.idle_seconds = idle_seconds
        self._make = make
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: dict[str, _Entry] = {}

    def open(self) -> str:
        """Add a game.

        Returns:
            Its unguessable name. Its session is not yet reset.

        Raises:
            TooManyGamesError: If the pool is full, even after closing idle games.
        """
        with self._lock:
            self._drop_idle()
            if len(self._entries) >= self.max_games:
                raise TooManyGamesError(
                    f"All {self.max_games} games of this server are taken: end one, or try again later."
                )
            name = secrets.token_urlsafe(_SECRET_BYTES)
            self._entries[name] = _Entry(self._make(), self._clock())
            return name

    @contextlib.contextmanager
    def use(self, name: str) -> Iterator[TextSession]:
        """Use a game, which also keeps it alive.

        Args:
            name: The name, from `open`.

        Yields:
            Its session.

        Raises:
            UnknownGameError: If there is no game of that name.
        """
        with self._lock:
            self._drop_idle()
            entry = self._find(name)
            entry.num_users += 1
        try:
            yield entry.session
        finally:
            with self._lock:
                entry.num_users -= 1
                entry.used_at = self._clock()

    def close(self, name: str) -> None:
        """Remove a game.

        Args:
            name: The name, from `open`.

        Raises:
            UnknownGameError: If there is no game of that name.
        """
        with self._lock:
            self._find(name)
            session = self._entries.pop(name).session
        session.close()

    def __len__(self) -> int:
        with self._lock:
            self._drop_idle()
            return len(self._entries)

    def _find(self, name: str) -> _Entry:
        if name not in self._entries:
            raise UnknownGameError("There is no game of that name: it has ended, or nobody has played it for too long.")
        return self._entries[name]

    def _drop_idle(self) -> None:
        oldest = self._clock() - self.idle_seconds
        idle = [name for name, entry in self._entries.items() if not entry.num_users and entry.used_at < oldest]
        for name in idle:
            del self._entries[name]
