"""`craftax-text eval`: episodes by an agent, and what came of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from craftax_text_gym.agents import AGENTS, AgentError, parse_options
from craftax_text_gym.cli.problems import check_at_least, explained, fail
from craftax_text_gym.evaluation import PROTOCOLS, Report, backends
from craftax_text_gym.evaluation.backends import Means
from craftax_text_gym.evaluation.results import OtherSettingsError, Results
from craftax_text_gym.evaluation.runner import plan, run
from craftax_text_gym.evaluation.settings import Settings
from craftax_text_gym.evaluation.tables import achievement_rows, describe, score_rows
from craftax_text_gym.recording.json_lines import RecordingError

_EPISODES = 10
_INTERRUPTED = 130


def evaluate(
    game: Annotated[str, typer.Option(help="'full' or 'classic'.")] = "full",
    agent: Annotated[str, typer.Option(help=f"Who plays: {', '.join(AGENTS)}, or package.module:Name.")] = "random",
    agent_option: Annotated[
        list[str] | None, typer.Option(help="An option of the agent as key=value; may be given several times.")
    ] = None,
    available_only: Annotated[
        bool, typer.Option("--available-only", help="The random agent draws only from the available actions.")
    ] = False,
    protocol: Annotated[
        str | None, typer.Option(help=f"Rules that fix seeds, caps and score: {', '.join(PROTOCOLS)}.")
    ] = None,
    episodes: Annotated[int | None, typer.Option(help=f"How many episodes; {_EPISODES} by default.")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the first episode, 0 by default; each further one takes the next.")
    ] = None,
    max_steps: Annotated[int | None, typer.Option(help="Cap on an episode; by default the game's own.")] = None,
    max_decisions: Annotated[int | None, typer.Option(help="Cap on how often the agent is asked.")] = None,
    max_actions: Annotated[int | None, typer.Option(help="How many actions a reply may ask for; 1 by default.")] = None,
    text_format: Annotated[str | None, typer.Option(help="What the agent reads; by default what it wants to.")] = None,
    reveal: Annotated[str, typer.Option(help="Hidden facts to show, with commas between.")] = "",
    num_envs: Annotated[int, typer.Option(help="How many episodes run at the same time.")] = 8,
    output: Annotated[Path | None, typer.Option(help="Folder for results as they come, and for the report.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the results in the folder.")] = False,
    trajectories: Annotated[bool, typer.Option("--trajectories", help="Record each episode in the folder.")] = False,
    charts: Annotated[bool, typer.Option("--charts", help="Draw charts in the folder (extra 'charts').")] = False,
    backend: Annotated[str, typer.Option(help="Where they are played: 'local', 'ray', or package.module:function.")] = (
        "local"
    ),
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as one JSON object.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what the llm agent would send first, and ask no model.")
    ] = False,
) -> None:
    """Play episodes and print the scores, achievements, returns and lengths."""
    options = _options(agent, agent_option or [], available_only)
    _check_output(output, {"--resume": resume, "--trajectories": trajectories, "--charts": charts})
    check_at_least("--num-envs", num_envs, 1)
    with explained(ValueError, TypeError, ImportError):
        if charts:
            import craftax_text_gym.evaluation.charts  # noqa: F401  to find out before anything is played
        backends.get(backend)
        settings = plan(
            agent,
            game,
            seeds=_seeds(protocol, episodes, seed),
            max_steps=max_steps,
            max_decisions=max_decisions,
            max_actions=max_actions,
            protocol=protocol,
            agent_options=options,
            text_format=text_format,
            **_env_options(reveal),
        )
    if dry_run:
        _print_dry_run(settings)
        return
    means = Means(num_envs, output / "trajectories" if output is not None and trajectories else None)
    results = _run(settings, means, output, resume=resume, backend=backend)
    report = Report(results.header, results.episodes)
    if output is not None:
        with explained(RecordingError):
            report.write(output, charts=charts)
    _print(report, as_json=as_json)


def _options(agent: str, texts: list[str], available_only: bool) -> dict[str, Any]:
    with explained(ValueError):
        options = parse_options(texts)
    if available_only and agent != "random":
        fail("Expected --available-only with --agent random only: leave it out.")
    return {**options, "available_only": True} if available_only else options


def _env_options(reveal: str) -> dict[str, Any]:
    return {"reveal": [fact.strip() for fact in reveal.split(",")]} if reveal else {}


def _check_output(output: Path | None, needing: dict[str, bool]) -> None:
    for option, is_given in needing.items():
        if is_given and output is None:
            fail(f"Expected --output with {option}: name the folder.")
    if output is not None and output.exists() and not output.is_dir():
        fail(f"Expected --output as a folder, got the file '{output}'.")


def _seeds(protocol: str | None, episodes: int | None, seed: int | None) -> range | None:
    if protocol is not None:
        given = [name for name, value in (("--episodes", episodes), ("--seed", seed)) if value is not None]
        if given:
            fail(f"Protocol {protocol!r} fixes episodes and seeds: leave {' and '.join(given)} out.")
        return None
    first, number = 0 if seed is None else seed, _EPISODES if episodes is None else episodes
    check_at_least("--seed", first, 0)
    check_at_least("--episodes", number, 1)
    return range(first, first + number)


def _run(settings: Settings, means: Means, output: Path | None, *, resume: bool, backend: str) -> Results:
    with explained(AgentError, FileExistsError, ImportError, OtherSettingsError, RecordingError):
        try:
            return run(settings, means, output, resume=resume, backend=backend, show_progress=True)
        except KeyboardInterrupt:
            again = "nothing is kept without --output" if output is None else "the same command with --resume goes on"
            typer.echo(f"craftax-text: Interrupted; {again}.", err=True)
            raise typer.Exit(_INTERRUPTED) from None


def _print_dry_run(settings: Settings) -> None:
    from craftax_text_gym.agents.llm import LLMAgent
    from craftax_text_gym.agents.llm.dry_run import plan as plan_requests

    agent = settings.make_agent()
    if not isinstance(agent, LLMAgent):
        fail(f"Expected --dry-run with --agent llm, got {settings.agent.name!r}: the others ask no model.")
    env = settings.make_env(agent)
    observation, info = env.reset(seed=settings.seeds[0])
    turns = settings.max_steps if settings.max_decisions is None else settings.max_decisions
    typer.echo(plan_requests(agent, observation, info, episodes=len(settings.seeds), turns=turns))


def _print(report: Report, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(report.to_json(), allow_nan=False))
        return
    console = Console(highlight=False)
    console.print(f"{report.agent} in {report.game.title}", style="bold")
    for heading, rows in (
        (("", ""), describe(report)),
        (("score", "value", "95 % interval"), score_rows(report)),
        (("achievement", "success rate"), achievement_rows(report)),
    ):
        table = Table(*heading, show_header=any(heading))
        for row in rows:
            table.add_row(*row)
        console.print(table)
