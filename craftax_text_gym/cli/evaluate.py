"""`craftax-text eval`: play episodes with an agent, and print the scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from craftax_text_gym.agents import AGENTS, AgentError, EndpointError, parse_options
from craftax_text_gym.cli.errors import check_at_least, fail, failing_on
from craftax_text_gym.cli.options import AsJson, Game, Reveal, split
from craftax_text_gym.evaluation import PROTOCOLS, Report, backends
from craftax_text_gym.evaluation.backends import ExecutionConfig
from craftax_text_gym.evaluation.results import OtherSettingsError, Results
from craftax_text_gym.evaluation.run_settings import RunSettings
from craftax_text_gym.evaluation.runner import make_settings, run
from craftax_text_gym.evaluation.tables import achievement_rows, describe, score_rows
from craftax_text_gym.recording.json_lines import RecordingError

_EPISODES = 10
_INTERRUPTED = 130


AgentName = Annotated[
    str, typer.Option(help=f"The agent: {', '.join(AGENTS)}, or your own module:Name, also from this folder.")
]
AgentOptions = Annotated[list[str] | None, typer.Option(help="An option of the agent as key=value; repeatable.")]
AvailableOnly = Annotated[
    bool, typer.Option("--available-only", help="Let the random agent choose among available actions only.")
]
ProtocolName = Annotated[
    str | None, typer.Option(help=f"Rules that fix seeds, caps and score: {', '.join(PROTOCOLS)}.")
]
Episodes = Annotated[int | None, typer.Option(help=f"Number of episodes; {_EPISODES} by default.")]
Seed = Annotated[int | None, typer.Option(help="Seed of the first episode, 0 by default; the others count up from it.")]
MaxSteps = Annotated[int | None, typer.Option(help="Cap on steps per episode; the game's own by default.")]
MaxDecisions = Annotated[int | None, typer.Option(help="Cap on decisions per episode.")]
MaxActions = Annotated[int | None, typer.Option(help="Maximum actions per reply; 1 by default.")]
AgentFormat = Annotated[str | None, typer.Option(help="Format of observations; the agent's own by default.")]
NumEnvs = Annotated[int, typer.Option(help="Maximum number of episodes that run at once.")]
Output = Annotated[Path | None, typer.Option(help="Folder for the results, written as episodes end, and the report.")]
Resume = Annotated[bool, typer.Option("--resume", help="Resume the results in the folder.")]
Trajectories = Annotated[bool, typer.Option("--trajectories", help="Record each episode in the folder.")]
Charts = Annotated[bool, typer.Option("--charts", help="Draw charts in the folder (extra 'charts').")]
BackendName = Annotated[str, typer.Option(help="Where episodes run: 'local', 'ray', or your own module:function.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the llm agent's first request and a cost estimate.")]


def evaluate(
    game: Game = "full",
    agent: AgentName = "random",
    agent_option: AgentOptions = None,
    available_only: AvailableOnly = False,
    protocol: ProtocolName = None,
    episodes: Episodes = None,
    seed: Seed = None,
    max_steps: MaxSteps = None,
    max_decisions: MaxDecisions = None,
    max_actions: MaxActions = None,
    text_format: AgentFormat = None,
    reveal: Reveal = "",
    num_envs: NumEnvs = 8,
    output: Output = None,
    resume: Resume = False,
    trajectories: Trajectories = False,
    charts: Charts = False,
    backend: BackendName = "local",
    as_json: AsJson = False,
    dry_run: DryRun = False,
) -> None:
    """Play episodes and print the scores, achievements, returns and lengths."""
    options = _options(agent, agent_option or [], available_only)
    _check_output(output, {"--resume": resume, "--trajectories": trajectories, "--charts": charts})
    check_at_least("--num-envs", num_envs, 1)
    seeds = _seeds(protocol, episodes, seed)
    caps = {"max_steps": max_steps, "max_decisions": max_decisions, "max_actions": max_actions}
    shown: dict[str, Any] = {"text_format": text_format, **({"reveal": split(reveal)} if reveal else {})}
    with failing_on(ValueError, TypeError, ImportError):
        _check_extras(backend, charts)
        settings = make_settings(agent, game, seeds=seeds, protocol=protocol, agent_options=options, **caps, **shown)
    if dry_run:
        _print_dry_run(settings)
    else:
        execution = ExecutionConfig(num_envs, output / "trajectories" if output is not None and trajectories else None)
        results = _run(settings, execution, output, resume=resume, backend=backend)
        _print(_report(results, output, charts=charts), as_json=as_json)


def _options(agent: str, texts: list[str], available_only: bool) -> dict[str, Any]:
    with failing_on(ValueError):
        options = parse_options(texts)
    if available_only and agent != "random":
        fail("Expected --available-only with --agent random only: leave it out.")
    return {**options, "available_only": True} if available_only else options


def _check_output(output: Path | None, needs_output: dict[str, bool]) -> None:
    for option, is_given in needs_output.items():
        if is_given and output is None:
            fail(f"Expected --output with {option}: name the folder.")
    if output is not None and output.exists() and not output.is_dir():
        fail(f"Expected --output as a folder, got the file '{output}'.")


def _check_extras(backend: str, charts: bool) -> None:
    """Fail before the first episode if an extra is missing."""
    if charts:
        import craftax_text_gym.evaluation.charts  # noqa: F401
    backends.get(backend)


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


def _run(
    settings: RunSettings, execution: ExecutionConfig, output: Path | None, *, resume: bool, backend: str
) -> Results:
    with failing_on(AgentError, EndpointError, FileExistsError, ImportError, OtherSettingsError, RecordingError):
        try:
            return run(settings, execution, output, resume=resume, backend=backend, show_progress=True)
        except KeyboardInterrupt:
            hint = "nothing is kept without --output" if output is None else "the same command with --resume continues"
            typer.echo(f"craftax-text: Interrupted; {hint}.", err=True)
            raise typer.Exit(_INTERRUPTED) from None


def _report(results: Results, output: Path | None, *, charts: bool) -> Report:
    report = Report(results.header, results.episodes)
    if output is not None:
        with failing_on(RecordingError):
            report.write(output, charts=charts)
    return report


def _print_dry_run(settings: RunSettings) -> None:
    from craftax_text_gym.agents.llm import LLMAgent
    from craftax_text_gym.agents.llm.cost_estimate import estimate

    agent = settings.make_agent()
    if not isinstance(agent, LLMAgent):
        fail(f"Expected --dry-run with --agent llm, got {settings.agent.name!r}: the others ask no model.")
    env = settings.make_env(agent)
    observation, info = env.reset(seed=settings.seeds[0])
    turns = settings.max_steps if settings.max_decisions is None else settings.max_decisions
    typer.echo(estimate(agent, observation, info, episodes=len(settings.seeds), turns=turns))


def _print(report: Report, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(report.to_json(), allow_nan=False))
        return
    console = Console(highlight=False)
    console.print(report.headline, style="bold")
    for heading, rows in (
        (("", ""), describe(report)),
        (("score", "value", "95 % interval"), score_rows(report.scores)),
        (("achievement", "success rate"), achievement_rows(report.success_rates)),
    ):
        table = Table(*heading, show_header=any(heading))
        for row in rows:
            table.add_row(*row)
        console.print(table)
