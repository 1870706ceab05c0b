"""Evaluate an agent: check the settings, play the episodes, keep the results, report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from craftax_text_gym import games
from craftax_text_gym.agents import Agent, recipe_of
from craftax_text_gym.evaluation import backends, progress, protocols
from craftax_text_gym.evaluation.backends import ExecutionConfig
from craftax_text_gym.evaluation.report import Report
from craftax_text_gym.evaluation.results import Results, ResultsWriter
from craftax_text_gym.evaluation.run_settings import RunSettings
from craftax_text_gym.utils.validation import check_count

_EPISODES = 10
_SEED_LIMIT = 2**32


def evaluate(
    agent: str | Callable[..., Agent] | Agent,
    game: str = "full",
    *,
    episodes: int | None = None,
    seeds: Iterable[int] | None = None,
    max_steps: int | None = None,
    max_decisions: int | None = None,
    max_actions: int | None = None,
    protocol: str | None = None,
    agent_options: Mapping[str, Any] | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    num_envs: int = 8,
    trajectories: bool = False,
    backend: str = "local",
    show_progress: bool = False,
    **env_options: Any,
) -> Report:
    """Play episodes with an agent, and report the scores.

    An episode's outcome depends only on its seed and the agent, not on how many episodes run at once.

    Args:
        agent: `"random"`, `"noop"`, `"scripted"`, `"llm"`, a user's own `"package.module:Name"`, a class or function
            that makes agents, or an agent instance, which is copied.
        game: `"full"` or `"classic"`.
        episodes: The number of episodes; by default the number of seeds, else 10.
        seeds: One per episode; 0, 1, … by default.
        max_steps: The cap on steps per episode; the game's own by default.
        max_decisions: The cap on decisions per episode; none by default.
        max_actions: The maximum number of actions per reply; 1 by default.
        protocol: A key of `PROTOCOLS`, which fixes episodes, seeds and caps.
        agent_options: Keyword arguments for the agent's constructor.
        output: A folder for the results, written as episodes end, and the report; None to write nothing.
        resume: Whether to resume the results in the folder.
        num_envs: The maximum number of episodes that run at once.
        trajectories: Whether to record each episode, in the subfolder `trajectories` of the output folder.
        backend: Where the episodes run: `"local"`, `"ray"`, or a user's own `"package.module:function"`.
        show_progress: Whether to show a progress bar on stderr, if that is a terminal.
        **env_options: Further arguments of `gym.make`: `text_format`, `reveal`, `env_params`, `obs_mode`.

    Returns:
        The report, which is also written into the output folder.

    Raises:
        AgentError: If the agent cannot continue.
        FileExistsError: If there are results in the folder and `resume` is False.
        ImportError: If a required extra is not installed.
        OtherSettingsError: If the results in the folder were made with other settings.
        TypeError, ValueError: If an argument is wrong.
        RecordingError: If a file cannot be written.
    """
    settings = make_settings(
        agent,
        game,
        episodes=episodes,
        seeds=seeds,
        max_steps=max_steps,
        max_decisions=max_decisions,
        max_actions=max_actions,
        protocol=protocol,
        agent_options=agent_options,
        **env_options,
    )
    check_count("num_envs", num_envs)
    if trajectories and output is None:
        raise ValueError("Expected an output folder with trajectories=True: pass output=….")
    folder = None if output is None else Path(output)
    execution = ExecutionConfig(num_envs, folder / "trajectories" if trajectories and folder is not None else None)
    results = run(settings, execution, folder, resume=resume, backend=backend, show_progress=show_progress)
    report = Report(results.header, results.episodes)
    if folder is not None:
        report.write(folder)
    return report


def make_settings(
    agent: str | Callable[..., Agent] | Agent,
    game: str,
    *,
    episodes: int | None = None,
    seeds: Iterable[int] | None = None,
    max_steps: int | None = None,
    max_decisions: int | None = None,
    max_actions: int | None = None,
    protocol: str | None = None,
    agent_options: Mapping[str, Any] | None = None,
    text_format: Any = None,
    **env_options: Any,
) -> RunSettings:
    """Check arguments of `evaluate` and turn them into settings.

    Returns:
        The settings. An agent and an environment were made from them once, so they are valid.

    Raises:
        ImportError, TypeError, ValueError: See `evaluate`.
    """
    spec = games.get(game)
    rules = {"episodes": episodes, "seeds": seeds, "max_steps": max_steps, "max_decisions": max_decisions}
    options = dict(agent_options or {})
    if max_actions is None:
        max_actions = options.get("max_actions")
    if protocol is not None:
        fixed = protocols.get(protocol)
        _check_not_fixed(protocol, {**rules, "max_actions": None if fixed.max_actions is None else max_actions})
        if options.get("strategy") is True and not fixed.allows_strategy:
            raise ValueError(f"Protocol {protocol!r} forbids a plan in the prompt: leave strategy out.")
        seeds, max_steps, max_decisions = fixed.seeds, fixed.max_steps, fixed.max_decisions
        max_actions = fixed.max_actions or max_actions
    settings = RunSettings(
        game=spec.key,
        agent=recipe_of(agent, options),
        seeds=_check_seeds(episodes, seeds),
        max_steps=spec.max_steps if max_steps is None else max_steps,
        max_decisions=max_decisions,
        max_actions=1 if max_actions is None else max_actions,
        protocol=protocol,
        text_format=text_format,
        env_options=env_options,
    )
    for name in ("max_steps", "max_actions", "max_decisions"):
        if getattr(settings, name) is not None:
            check_count(name, getattr(settings, name))
    settings.make_env(settings.make_agent()).close()
    return settings


def run(
    settings: RunSettings,
    execution: ExecutionConfig,
    folder: Path | None = None,
    *,
    resume: bool = False,
    backend: str = "local",
    show_progress: bool = False,
) -> Results:
    """Play the episodes that are left, and store each record as soon as its episode ends.

    Args:
        settings: What decides the outcome.
        execution: What does not change the outcome.
        folder: Where to write the results; None to write nothing.
        resume: Whether to resume existing results.
        backend: Where the episodes run.
        show_progress: Whether to show a progress bar.

    Returns:
        The results, with one episode per seed.

    Raises:
        AgentError, FileExistsError, OtherSettingsError, RecordingError: See `evaluate`.
    """
    play = backends.get(backend)
    writer = ResultsWriter(folder, settings.header, resume=resume)
    seeds = [seed for seed in settings.seeds if seed not in writer.records]
    with progress.observe(len(settings.seeds), len(writer.records), is_shown=show_progress) as observer:
        if seeds:
            with closing(play(settings, seeds, replace(execution, on_achievement=observer.on_achievement))) as records:
                for record in records:
                    writer.add(record)
                    observer.on_episode(record)
    return writer.results()


def _check_not_fixed(protocol: str, arguments: Mapping[str, Any]) -> None:
    given = [name for name, value in arguments.items() if value is not None]
    if given:
        raise ValueError(
            f"Protocol {protocol!r} fixes {', '.join(given)}: leave {'it' if len(given) == 1 else 'them'} out."
        )


def _check_seeds(episodes: int | None, seeds: Iterable[int] | None) -> tuple[int, ...]:
    if seeds is None:
        check_count("episodes", _EPISODES if episodes is None else episodes)
        return tuple(range(_EPISODES if episodes is None else episodes))
    chosen = tuple(seeds)
    for seed in chosen:
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < _SEED_LIMIT:
            raise ValueError(f"Expected seeds as ints from 0 to {_SEED_LIMIT - 1}, got {seed!r}.")
    if not chosen or len(set(chosen)) != len(chosen):
        raise ValueError(f"Expected different seeds, at least one, got {list(chosen)}.")
    if episodes not in (None, len(chosen)):
        raise ValueError(f"Expected as many episodes as seeds, got {episodes} and {len(chosen)}: leave episodes out.")
    return chosen
