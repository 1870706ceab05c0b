"""`craftax-text eval`: episodes by one of the package's agents, and what came of them."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import gymnasium as gym
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

import craftax_text_gym
from craftax_text_gym import games
from craftax_text_gym.agents import Agent, NoopAgent, RandomAgent
from craftax_text_gym.cli.problems import check_at_least, explained, fail
from craftax_text_gym.evaluation import EpisodeRecord, Report, play_episode

_AGENTS = ("random", "noop")


def evaluate(
    game: Annotated[str, typer.Option(help="'full' or 'classic'.")] = "full",
    agent: Annotated[str, typer.Option(help=f"Who plays: {' or '.join(map(repr, _AGENTS))}.")] = "random",
    available_only: Annotated[
        bool, typer.Option("--available-only", help="The random agent draws only from the available actions.")
    ] = False,
    episodes: Annotated[int, typer.Option(help="How many episodes.")] = 10,
    seed: Annotated[int, typer.Option(help="Seed of the first episode; each further one takes the next.")] = 0,
    max_steps: Annotated[int | None, typer.Option(help="Cap on an episode; by default the game's own.")] = None,
) -> None:
    """Play episodes and print the achievements, returns and lengths."""
    check_at_least("--seed", seed, 0)
    check_at_least("--episodes", episodes, 1)
    with explained(ValueError):
        spec = games.get(game)
    cap = spec.max_steps if max_steps is None else max_steps
    check_at_least("--max-steps", cap, 1)
    player = _make_agent(agent, available_only)
    env = gym.make(spec.env_id, max_episode_steps=cap)
    records = _play(env, player, range(seed, seed + episodes))
    who = f"{agent}, available actions only" if available_only else agent
    seeds = f"seed {seed}" if episodes == 1 else f"seeds {seed} to {seed + episodes - 1}"
    _print(Report(spec, records), f"{spec.env_id}, agent {who}, {seeds}, at most {cap:,} steps")


def _make_agent(name: str, available_only: bool) -> Agent:
    if name not in _AGENTS:
        fail(f"Unknown agent {name!r}: expected one of {', '.join(map(repr, _AGENTS))}.")
    if name == "random":
        return RandomAgent(available_only=available_only)
    if available_only:
        fail("Expected --available-only with --agent random only: leave it out.")
    return NoopAgent()


def _play(env: gym.Env[str, int], agent: Agent, seeds: range) -> tuple[EpisodeRecord, ...]:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("compiling the game", total=len(seeds))
        records = []
        for seed in seeds:
            records.append(play_episode(env, agent, seed))
            progress.update(task, description="episodes", advance=1)
    return tuple(records)


def _print(report: Report, title: str) -> None:
    console = Console(highlight=False)
    console.print(title, style="bold")
    console.print(_summary(report))
    console.print(_achievements(report))
    versions = {"craftax-text-gym": craftax_text_gym.__version__, "craftax": version("craftax"), "jax": version("jax")}
    console.print(", ".join(f"{name} {number}" for name, number in versions.items()), style="dim")


def _summary(report: Report) -> Table:
    table = Table("episodes", "mean return", "mean length", "mean achievements", "ended by")
    reasons = ", ".join(f"{reason} {count}" for reason, count in report.end_reasons.items())
    numbers = (report.mean_return, report.mean_length, report.mean_achievements)
    table.add_row(str(len(report.episodes)), *(f"{number:.2f}" for number in numbers), reasons)
    return table


def _achievements(report: Report) -> Table:
    """Every achievement that was reached, the most frequent first, and how many were not."""
    table = Table("achievement", "success rate")
    table.columns[1].justify = "right"
    rates = sorted(report.success_rates.items(), key=lambda pair: -pair[1])
    reached = [(key, rate) for key, rate in rates if rate]
    for key, rate in reached:
        table.add_row(key, f"{rate:.1%}")
    table.add_row(f"the other {len(rates) - len(reached)} of {len(rates)}" if reached else f"all {len(rates)}", "0.0%")
    return table
