"""`craftax-text leaderboard`: a table of several runs, from their results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from craftax_text_gym.cli.errors import failing_on
from craftax_text_gym.cli.options import AsJson
from craftax_text_gym.evaluation import Leaderboard, Report


def leaderboard(
    files: Annotated[list[Path], typer.Argument(help="Results of evaluations: folders or results.jsonl files.")],
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, with the command of each run.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the runs of one game under one set of rules, the best first."""
    with failing_on(ValueError, OSError):
        board = Leaderboard(tuple(Report.load(file) for file in files))
    for report in board.reports:
        if report.missing:
            typer.echo(
                f"craftax-text: {len(report.missing)} of {len(report.header['seeds'])} episodes of {report.agent} have "
                f"not ended: finish the run with --resume.",
                err=True,
            )
    if as_json:
        typer.echo(json.dumps({"title": board.title, "rows": board.to_json()}))
    elif markdown:
        typer.echo(board.to_markdown(), nl=False)
    else:
        table = Table(*board.columns, title=board.title)
        for row in board.rows:
            table.add_row(*row)
        Console(highlight=False).print(table)
