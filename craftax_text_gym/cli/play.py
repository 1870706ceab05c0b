"""`craftax-text play`: play in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import gymnasium as gym
import typer

from craftax_text_gym import games
from craftax_text_gym.cli.errors import check_at_least, check_path, fail, failing_on
from craftax_text_gym.cli.options import Format, Game
from craftax_text_gym.recording.json_lines import RecordingError
from craftax_text_gym.wrappers.record_trajectory import RecordTrajectory


def play(
    game: Game = "full",
    seed: Annotated[int | None, typer.Option(help="Seed of the world; random by default.")] = None,
    text_format: Format = "markdown",
    output: Annotated[Path | None, typer.Option(help="Record the game to this new file (.jsonl).")] = None,
) -> None:
    """Play a game yourself: the map in colour beside the text that an agent reads."""
    if seed is not None:
        check_at_least("--seed", seed, 0)
    _check_output(output)
    with failing_on(ValueError, ImportError):
        from craftax_text_gym.play import PlayApp

        env: gym.Env[Any, Any] = gym.make(games.get(game).env_id, text_format=text_format)
    if not _is_terminal():
        fail("Expected a terminal to play in: run it from one, without pipes.")
    recorder = None if output is None else RecordTrajectory(env, output.parent)
    problem = PlayApp(recorder or env, seed).run()
    if problem:
        fail(problem)
    with failing_on(RecordingError):
        (recorder or env).close()
    if recorder is not None and recorder.path is not None and output is not None:
        _move_recording(recorder.path, output)


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _check_output(path: Path | None) -> None:
    """Check the output file before the game starts."""
    if path is None:
        return
    check_path("--output", path, ".jsonl")
    if path.exists():
        fail(f"Expected --output as a new file, but '{path}' is there already: choose another path.")


def _move_recording(recorded: Path, output: Path) -> None:
    """Rename the recording to the user's path. Until then it has its own name, so that a crash does not lose it."""
    try:
        recorded.rename(output)
    except OSError as error:
        fail(f"Cannot write '{output}' ({error.strerror or error}): the game is in '{recorded}'.")
    typer.echo(f"Recorded in '{output}'. Watch it: craftax-text replay '{output}' --html game.html")
