"""The progress of an evaluation, on a terminal."""

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
    """Receives the events of an evaluation."""

    def on_achievement(self, seed: int, achievement: str, step: int) -> None:
        """An achievement was unlocked."""
        ...

    def on_episode(self, record: EpisodeRecord) -> None:
        """An episode ended."""
        ...


class NullObserver:
    """Ignores all events."""

    def on_achievement(self, seed: int, achievement: str, step: int) -> None:
        """An achievement was unlocked."""

    def on_episode(self, record: EpisodeRecord) -> None:
        """An episode ended."""


class _BarObserver:
    """Turns events into the text beside the bar."""

    def __init__(self, show: Callable[[str, int], None]) -> None:
        self._show = show
        self._num_achievements = 0

    def on_achievement(self, seed: int, achievement: str, step: int) -> None:
        self._num_achievements += 1
        self._show(f"{self._num_achievements} achievements, last {achievement} at step {step:,} of seed {seed}", 0)

    def on_episode(self, record: EpisodeRecord) -> None:
        ending = f"seed {record.seed}: {len(record.achievements)} achievements in {record.length:,} steps"
        broken = (
            (record.cut_replies, "cut"),
            (record.empty_replies, "empty"),
            (record.invalid_replies, "invalid"),
        )
        counts = "".join([f", {number:,} {word}" for number, word in broken if number])
        self._show(f"{ending} ({record.end_reason}){counts}", 1)


@contextlib.contextmanager
def observe(total: int, done: int = 0, *, is_shown: bool = True) -> Iterator[Observer]:
    """Show a progress bar on stderr during the block, if stderr is a terminal.

    Args:
        total: The number of episodes in the run.
        done: How many of them had ended before.
        is_shown: Whether to show the bar at all.

    Yields:
        The observer that updates the bar.
    """
    if not is_shown:
        yield NullObserver()
        return
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
        yield _BarObserver(lambda text, advance: progress.update(task, description=text, advance=advance))
