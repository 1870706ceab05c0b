"""A task for Inspect: `inspect eval craftax_text_gym/craftax_text -T game=classic --model …`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from craftax_text_gym import games
from craftax_text_gym.session import TextSession
from craftax_text_gym.utils.plugins import require_extra

with require_extra("inspect"):
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.util import store

_RECORD, _SCORE = "craftax_text_record", "craftax_text_score"


@task
def craftax_text(
    game: str = "full",
    episodes: int = 10,
    first_seed: int = 0,
    text_format: str = "markdown",
    max_steps: int | None = 300,
    max_decisions: int | None = None,
    max_actions: int = 1,
    history: int | None = 20,
) -> Task:
    """Episodes of Craftax or Craftax-Classic, one per sample.

    Args:
        game: `"full"` or `"classic"`.
        episodes: The number of episodes.
        first_seed: The seed of the first world; the others count up from it.
        text_format: The format of observations: the name of a preset.
        max_steps: The cap on steps per episode; None for the game's own.
        max_decisions: The cap on replies per episode; None for the number of steps.
        max_actions: The maximum number of actions per reply.
        history: The number of past turns, each an observation and a reply, that the model sees; None for all.

    Returns:
        The task.

    Raises:
        ValueError: If a name is unknown, or a number is below 1.
    """
    settings: dict[str, Any] = {
        "game": game,
        "text_format": text_format,
        "max_steps": max_steps,
        "max_decisions": max_decisions,
        "max_actions": max_actions,
    }
    TextSession(**settings).close()  # wrong settings fail before the first episode
    seeds = range(first_seed, first_seed + episodes)
    samples = [Sample(input=f"Play the world of seed {seed}.", id=seed, metadata={"seed": seed}) for seed in seeds]
    return Task(
        dataset=MemoryDataset(samples, name=games.get(game).title),
        solver=play_episode(settings, history),
        scorer=game_score(),
    )


@solver
def play_episode(settings: dict[str, Any], history: int | None = 20) -> Solver:
    """A solver in which the model plays an episode in the world of the sample's `seed`.

    Args:
        settings: Arguments of `TextSession`.
        history: As in `craftax_text`.

    Returns:
        The solver.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with TextSession(**settings) as session:
            text = await asyncio.to_thread(session.reset, state.metadata["seed"])
            state.messages = [ChatMessageSystem(content=session.system_prompt)]
            while not session.done and not state.completed:
                state.messages = [*_recent(state.messages, history), ChatMessageUser(content=text)]
                state = await generate(state)
                text = (await asyncio.to_thread(session.act, state.output.completion)).text
                store().set(_RECORD, session.record().to_json())
                store().set(_SCORE, session.score())
            state.messages.append(ChatMessageUser(content=text))
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def game_score() -> Scorer:
    """A scorer with the numbers of `TextSession.score`, each with mean and standard error over the episodes.

    Returns:
        The scorer.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        record = state.store.get(_RECORD)
        if record is None:
            raise RuntimeError("Expected a game that was played, got none: use the solver play_episode.")
        return Score(value=state.store.get(_SCORE), explanation=_explanation(record), metadata={"record": record})

    return score


def _recent(messages: list[Any], history: int | None) -> list[Any]:
    """The system message, and the last turns."""
    if history is None:
        return messages
    return [messages[0], *messages[max(1, len(messages) - 2 * history) :]]


def _explanation(record: dict[str, Any]) -> str:
    unlocked: Iterable[tuple[str, int]] = record["achievements"].items()
    names = ", ".join(f"{key} (step {step})" for key, step in unlocked) or "none"
    return f"Ended after {record['length']} steps by {record['end_reason']}. Achievements: {names}."
