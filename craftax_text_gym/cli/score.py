"""`craftax-text score`: every score, from files alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from craftax_text_gym import games, scoring
from craftax_text_gym.cli.options import AsJson
from craftax_text_gym.cli.problems import check_at_least, explained, fail
from craftax_text_gym.recording import results
from craftax_text_gym.recording.results import Results

_LABELS = {
    "log_score_percent": "log score (% of maximum)",
    "crafter_score": "Crafter score (%)",
    "reward_percent": "reward for achievements (%)",
    "achievement_count": "achievements an episode",
}


def score(
    files: Annotated[
        list[Path], typer.Argument(help="Logs of AchievementLogger, trajectories, or results of evaluations.")
    ],
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Count episodes too that were reset early or closed.")
    ] = False,
    as_json: AsJson = False,
    seed: Annotated[int, typer.Option(help="Seeds the confidence intervals.")] = 0,
) -> None:
    """Print the scores of the episodes in some files, all of one game."""
    check_at_least("--seed", seed, 0)
    found = _read(files)
    records = found.finished + (found.unfinished if unfinished else ())
    if not records:
        cure = " Count them with --unfinished." if found.unfinished else ""
        fail(
            f"Expected at least one finished episode, got none; {len(found.unfinished)} unfinished, "
            f"{found.num_killed} without a record.{cure}"
        )
    with explained(ValueError, TypeError):
        summary = scoring.summary(records, seed=seed)
    left_out = {
        "unfinished": 0 if unfinished else len(found.unfinished),
        "without_record": found.num_killed,
        "torn_lines": found.num_torn,
    }
    if as_json:
        typer.echo(json.dumps({**summary, "left_out": left_out}))
    else:
        _print(summary, left_out)


def _read(files: list[Path]) -> Results:
    for file in files:
        if not file.exists():
            fail(f"Expected a file to score, but there is no '{file}'.")
        if file.is_dir():
            fail(f"Expected files to score, got the folder '{file}': give '{file}/*.jsonl'.")
    try:
        return results.read(files)
    except OSError as error:
        fail(f"Cannot read '{error.filename}' ({error.strerror or error}).")
    except ValueError as error:
        fail(str(error))


def _print(summary: dict[str, Any], left_out: dict[str, int]) -> None:
    console = Console(highlight=False)
    game = games.get(summary["game"])
    console.print(f"{game.title}, {summary['episodes']} episodes", style="bold")
    console.print(_scores(summary, len(game.achievements)))
    console.print(_rates(summary["success_rates"]))
    told = [f"{count} {what.replace('_', ' ')}" for what, count in left_out.items() if count]
    if told:
        console.print(f"left out: {', '.join(told)}", style="dim")


def _scores(summary: dict[str, Any], num_achievements: int) -> Table:
    table = Table("score", "value", "95 % interval")
    for name, label in _LABELS.items():
        low, high = summary["intervals"][name]
        table.add_row(label, f"{summary[name]:.2f}", f"{low:.2f} to {high:.2f}")
    table.add_row("achievements in any episode", f"{summary['achievement_union']} of {num_achievements}", "")
    table.add_row("reward for health", f"{summary['health_reward']:.2f}", "")
    return table


def _rates(rates: dict[str, float]) -> Table:
    table = Table("achievement", "success rate")
    table.columns[1].justify = "right"
    reached = [(key, rate) for key, rate in sorted(rates.items(), key=lambda pair: -pair[1]) if rate]
    for key, rate in reached:
        table.add_row(key, f"{rate:.1%}")
    table.add_row(f"the other {len(rates) - len(reached)} of {len(rates)}", "0.0%")
    return table
