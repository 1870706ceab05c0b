"""How far an evaluation is, on a terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from craftax_text_gym.scoring.episode import EpisodeRecord


class Observer(Protocol):
    """Is told how an evaluation goes."""

    def on_achievement(self, seed: int, achievement: str, step: int) -> None:
        """An achievement has come."""
        ...

    def on_episode(self, record: EpisodeRecord) -> None:
        """An episode has ended."""
        ...


class Silent:
    """Tells nothing."""

    def on_achievement(self, seed: int, achievement: str, step: int) -> None:
        """An achievement has come."""

    def on_episode(self, record: EpisodeRecord) -> None:
        """An episode has ended."""


class _Bar:
    """Turns what it is told into the words beside the bar."""

    def __init__(self, show: Callable[[str, int], None]) -> None:
        self._show = show
        self._num_achievements = 0

    def on_achievement(self, seed: int, achievement: str, step: int) -> None:
        self._num_achievements += 1
        self._show(f"{self._num_achievements} achievements, last {achievement} at step {step:,} of seed {seed}", 0)

    def on_episode(self, record: EpisodeRecord) -> None:
        ending = f"seed {record.seed}: {len(record.achievements)} achievements in {record.length:,} steps"
        self._show(f"{ending} ({record.end_reason})", 1)


@contextlib.contextmanager
def bar(total: int, done: int = 0) -> Iterator[Observer]:
    """A progress bar on stderr while the block runs; nothing where that is no terminal.

    Args:
        total: How many episodes the run has.
        done: How many of them have ended before.

    Yields:
        What is to be told how it goes.
    """
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("compiling the game", total=total, completed=done)
        yield _Bar(lambda words, advance: progress.update(task, description=words, advance=advance))
