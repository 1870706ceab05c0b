"""The system prompt: the task, the rules that the model may know, and how to answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from craftax_text_gym.agents.llm.options import LLMOptions
from craftax_text_gym.agents.llm.strategy import opening_plan
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook import instructions, manual


def system_prompt(options: LLMOptions, floor: int) -> str:
    """The first message of every request.

    Args:
        options: The agent's options.
        floor: The lowest floor reached so far. Rules that matter only below it are left out.

    Returns:
        Markdown.
    """
    spec = options.spec
    parts = [
        f"You play {spec.title}, a survival game. Unlock as many different achievements as you can before you die or "
        "the game ends. You read what you see, and answer with what you do next.",
        manual(spec, detail=options.rules, floor=floor),
        *([opening_plan(spec)] if options.strategy else []),
        instructions(spec, options.format, max_actions=options.max_actions, answer=options.answer),
        "\n".join(_how_to_go_on(options)),
    ]
    return "\n\n".join(parts)


def _how_to_go_on(options: LLMOptions) -> Iterator[str]:
    yield "# How to go on"
    yield "Think about what has changed, which achievement is next, and what it needs."
    caps = options.caps.words()
    if caps:
        yield caps
    if options.has_scratchpad:
        yield (
            "You have private notes, for earlier turns are forgotten in time; then you are shown your last notes "
            "again. To replace them, write <scratchpad>all of the new notes</scratchpad> before your answer: where "
            "things are, what you plan. Keep them short."
        )


def lowest_floor(spec: GameSpec, info: Mapping[str, Any]) -> int:
    """The lowest floor reached in an episode.

    Args:
        spec: The game.
        info: The environment's info.

    Returns:
        The number of the last floor whose achievement is unlocked, else 0.
    """
    unlocked = {key for key, done in zip(spec.achievement_keys, info["achievements"], strict=True) if done}
    return max([number for number, floor in enumerate(spec.floors) if floor.achievement in unlocked], default=0)
