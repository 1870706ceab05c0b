from __future__ import annotations

import threading

import pytest

from craftax_text_gym.integrations.pool import SessionPool, TooManyGamesError, UnknownGameError
from craftax_text_gym.session import TextSession


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def make_pool(max_games: int = 2, idle_seconds: float = 10.0) -> tuple[SessionPool, Clock]:
    clock = Clock()
    return SessionPool(
        lambda: TextSession("classic"), max_games=max_games, idle_seconds=idle_seconds, clock=clock
    ), clock


def session_of(pool: SessionPool, name: str) -> TextSession:
    with pool.use(name) as session:
        return session


def test_a_game_is_found_by_its_name_until_it_is_closed() -> None:
    pool, _ = make_pool()
    name, other = pool.open(), pool.open()
    assert name != other
    session = session_of(pool, name)
    assert session_of(pool, name) is session
    assert session_of(pool, other) is not session
    pool.close(name)
    for use in (lambda: session_of(pool, name), lambda: pool.close(name)):
        with pytest.raises(UnknownGameError, match="no game of that name"):
            use()
    assert session_of(pool, other)
    assert len(pool) == 1


def test_there_is_room_for_so_many_only() -> None:
    pool, _ = make_pool(max_games=2)
    name = pool.open()
    pool.open()
    with pytest.raises(TooManyGamesError, match="All 2 games"):
        pool.open()
    pool.close(name)
    pool.open()
    assert len(pool) == 2


def test_a_game_that_nobody_plays_makes_room_and_one_that_is_played_stays() -> None:
    pool, clock = make_pool(idle_seconds=10.0)
    played, left = pool.open(), pool.open()
    clock.now = 9.0
    session_of(pool, played)
    clock.now = 11.0
    with pytest.raises(UnknownGameError, match="too long"):
        session_of(pool, left)
    session_of(pool, played)
    pool.open()
    clock.now = 100.0
    assert len(pool) == 0


def test_a_step_that_takes_long_is_no_idleness() -> None:
    pool, clock = make_pool(idle_seconds=10.0)
    name = pool.open()
    with pool.use(name):
        clock.now = 1000.0
        assert len(pool) == 1
    clock.now = 1009.0
    assert session_of(pool, name)


def test_threads_never_pass_the_limit() -> None:
    pool, _ = make_pool(max_games=5)
    names: list[str] = []

    def take() -> None:
        for _ in range(5):
            try:
                names.append(pool.open())
            except TooManyGamesError:
                return

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(names)) == len(names) == len(pool) == 5


@pytest.mark.parametrize("limits", [{"max_games": 0}, {"idle_seconds": 0.0}, {"idle_seconds": float("nan")}])
def test_limits_are_above_zero(limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="above 0"):
        SessionPool(TextSession, **limits)  # type: ignore[arg-type]
