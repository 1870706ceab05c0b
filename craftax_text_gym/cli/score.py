"""`craftax-text score`: print the scores of recorded episodes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from craftax_text_gym import games, scoring
from craftax_text_gym.cli.errors import check_at_least, fail, failing_on
from craftax_text_gym.cli.options import AsJson
from craftax_text_gym.evaluation.tables import achievement_rows, score_rows
from craftax_text_gym.recording import records
from craftax_text_gym.recording.records import Records

_SHOWN = ("log_score_percent", "crafter_score", "reward_percent", "achievement_count")


def score(
    files: Annotated[
        list[Path], typer.Argument(help="Logs of AchievementLogger, trajectories, or results of evaluations.")
    ],
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Include episodes that were reset early or closed.")
    ] = False,
    as_json: AsJson = False,
    seed: Annotated[int, typer.Option(help="Seeds the confidence intervals.")] = 0,
) -> None:
    """Print the scores of the episodes in some files, all of one game."""
    check_at_least("--seed", seed, 0)
    found = _read(files)
    episodes = found.finished + (found.unfinished if unfinished else ())
    if not episodes:
        cure = " Count them with --unfinished." if found.unfinished else ""
        fail(
            f"Expected at least one finished episode, got none; {len(found.unfinished)} unfinished, "
            f"{found.num_killed} without a record.{cure}"
        )
    with failing_on(ValueError, TypeError):
        summary = scoring.summary(episodes, seed=seed)
    left_out = {
        "unfinished": 0 if unfinished else len(found.unfinished),
        "without_record": found.num_killed,
        "torn_lines": found.num_torn,
    }
    if as_json:
        typer.echo(json.dumps({**summary, "left_out": left_out}))
    else:
        _print(summary, left_out)


def _read(files: list[Path]) -> Records:
    for file in files:
        if not file.exists():
            fail(f"Expected a file to score, but there is no '{file}'.")
        if file.is_dir():
            fail(f"Expected files to score, got the folder '{file}': give '{file}/*.jsonl'.")
    try:
        return records.read(files)
    except OSError as error:
        fail(f"Cannot read '{error.filename}' ({error.strerror or error}).")
    except ValueError as error:
        fail(str(error))


def _print(summary: dict[str, Any], left_out: dict[str, int]) -> None:
    console = Console(highlight=False)
    console.print(f"{games.get(summary['game']).title}, {summary['episodes']} episodes", style="bold")
    scores = Table("score", "value", "95 % interval")
    for score_row in score_rows(summary, _SHOWN):
        scores.add_row(*score_row)
    rates = Table("achievement", "success rate")
    rates.columns[1].justify = "right"
    for rate_row in achievement_rows(summary["success_rates"]):
        rates.add_row(*rate_row)
    console.print(scores)
    console.print(rates)
    counts = [f"{count} {kind.replace('_', ' ')}" for kind, count in left_out.items() if count]
    if counts:
        console.print(f"left out: {', '.join(counts)}", style="dim")
