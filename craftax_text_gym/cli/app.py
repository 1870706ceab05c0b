"""The application: its subcommands and global options."""

from __future__ import annotations

from typing import Annotated

import typer

import craftax_text_gym
from craftax_text_gym.cli.evaluate import evaluate
from craftax_text_gym.cli.leaderboard import leaderboard
from craftax_text_gym.cli.play import play
from craftax_text_gym.cli.replay import replay_file
from craftax_text_gym.cli.score import score
from craftax_text_gym.cli.serve import serve
from craftax_text_gym.cli.show import show
from craftax_text_gym.cli.warmup import warmup

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Craftax and Craftax-Classic as text, for agents that read.",
)
app.command("show")(show)
app.command("eval")(evaluate)
app.command("leaderboard")(leaderboard)
app.command("play")(play)
app.command("replay")(replay_file)
app.command("score")(score)
app.command("warmup")(warmup)
app.add_typer(serve, name="serve")


def _print_version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"craftax-text-gym {craftax_text_gym.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Handle the global options."""
