"""Dry runs: what a run would send and cost, without asking a model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

from craftax_text_gym import games
from craftax_text_gym.agents.llm.agent import LLMAgent
from craftax_text_gym.agents.llm.tokens import count_messages, count_tools, load_counter, resolve_counter
from craftax_text_gym.games.spec import GameSpec

TYPICAL_REPLY = 150
"""Assumed tokens per reply, unless fewer are allowed: some sentences and an action."""

REASONING_REPLY = 2_000
"""Assumed tokens per reply of a model that reasons before it answers, unless fewer are allowed."""


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a run would send and cost.

    Attributes:
        request: The body of the first request, exactly as it would be sent.
        message_tokens: Tokens of each of its messages.
        tool_tokens: Approximate tokens of its tools.
        counter: The name of the token counter.
        episodes: The number of episodes.
        turns: The maximum number of turns per episode.
        reply_tokens: Assumed tokens per reply, of a model without reasoning.
        input_tokens: Tokens that the whole run would read, if every observation were as long as the first.
        output_tokens: Tokens that it would write.
        cost: Their price in US dollars without a cache; None without prices.
        with_reasoning: Tokens per reply, tokens written and their cost for a model that reasons before it answers;
            what it thinks is not sent back.
    """

    request: Mapping[str, Any]
    message_tokens: tuple[int, ...]
    tool_tokens: int
    counter: str
    episodes: int
    turns: int
    reply_tokens: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    with_reasoning: tuple[int, int, float | None]

    @property
    def first_turn_tokens(self) -> int:
        """Tokens of the first request."""
        return sum(self.message_tokens) + self.tool_tokens

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for message, tokens in zip(self.request["messages"], self.message_tokens, strict=True):
            yield f"=== {message['role']} ({tokens:,} tokens) ===\n{message['content']}\n"
        if self.tool_tokens:
            yield f"=== tools ({self.tool_tokens:,} tokens) ===\n{json.dumps(self.request['tools'])}\n"
        yield f"First turn: {self.first_turn_tokens:,} tokens (counted by {self.counter!r}). No model was asked."
        yield f"Whole run, {self.episodes:,} x {self.turns:,} turns at most, every observation as long as the first:"
        yield f"- a model without reasoning, {self._totals(self.reply_tokens, self.output_tokens, self.cost)}"
        yield f"- one that reasons, {self._totals(*self.with_reasoning)}"

    def _totals(self, reply_tokens: int, output_tokens: int, cost: float | None) -> str:
        price = "unknown without price_in=… and price_out=…" if cost is None else f"${cost:,.2f}"
        return (
            f"{reply_tokens:,} tokens a reply: about {self.input_tokens:,} tokens read, {output_tokens:,} written; "
            f"cost {price}."
        )


def dry_run(
    game: str | GameSpec,
    options: Mapping[str, Any],
    *,
    seed: int = 0,
    episodes: int = 1,
    turns: int | None = None,
    env_options: Mapping[str, Any] | None = None,
) -> DryRun:
    """Show the first request of a run and estimate its cost. Needs no key, no client and no network.

    Args:
        game: `"full"`, `"classic"`, an environment id, or a spec.
        options: Fields of `LLMOptions` other than `game`.
        seed: The seed of the first episode.
        episodes: The number of episodes.
        turns: The maximum number of turns per episode; None for the game's own step cap.
        env_options: Further arguments of `gym.make`.

    Returns:
        The first request, its tokens, and an estimate for the whole run.

    Raises:
        TypeError: If an option is unknown or of the wrong type.
        ValueError: If an option's value is wrong.
    """
    agent = LLMAgent(**{**options, "game": game})
    spec = games.get(game)
    env: gym.Env[Any, Any] = gym.make(spec.env_id, text_format=agent.format, **(env_options or {}))
    observation, info = env.reset(seed=seed)
    env.close()
    return estimate(agent, observation, info, episodes=episodes, turns=spec.max_steps if turns is None else turns)


def estimate(agent: LLMAgent, observation: Any, info: Mapping[str, Any], *, episodes: int, turns: int) -> DryRun:
    """Show the first request of a run and estimate its cost, given the first observation.

    Args:
        agent: An agent that has not played yet.
        observation: The observation of a reset.
        info: The info of the same reset.
        episodes: The number of episodes.
        turns: The maximum number of turns per episode.

    Returns:
        The first request, its tokens, and an estimate for the whole run.
    """
    request = agent.prepare(observation, info)
    count = load_counter(agent.counter)
    message_tokens = tuple([count_messages([message], count) for message in request["messages"]])
    tool_tokens = count_tools(request.get("tools", ()), count)
    reply_tokens = min(TYPICAL_REPLY, agent.max_tokens or TYPICAL_REPLY)
    turn_tokens = message_tokens[-1] + reply_tokens
    past = past_turns(turns, agent.history_tokens, turn_tokens)
    input_tokens = episodes * (turns * (sum(message_tokens) + tool_tokens) + past * turn_tokens)
    output_tokens = episodes * turns * reply_tokens
    longer = min(REASONING_REPLY, agent.max_tokens or REASONING_REPLY)
    thought = episodes * turns * longer
    return DryRun(
        request,
        message_tokens,
        tool_tokens,
        resolve_counter(agent.counter),
        episodes,
        turns,
        reply_tokens,
        input_tokens,
        output_tokens,
        agent.cost(input_tokens, output_tokens),
        (longer, thought, agent.cost(input_tokens, thought)),
    )


def past_turns(turns: int, budget_tokens: int, turn_tokens: int) -> int:
    """The total number of past turns in an episode's requests, if all turns are equally long.

    Args:
        turns: The number of turns.
        budget_tokens: The budget of the history, of which half is emptied where a turn no longer fits.
        turn_tokens: The tokens of a turn.

    Returns:
        A number of turns, each counted as often as it is sent again.
    """
    most, least = budget_tokens // turn_tokens, max(budget_tokens // 2 // turn_tokens, 1)
    if not most:
        return 0
    if turns <= most + 1:
        return turns * (turns - 1) // 2
    cycle = most - least + 1
    cycles, rest = divmod(turns - most - 1, cycle)
    grown = most * (most + 1) // 2
    return grown + cycles * _sum(least, cycle) + _sum(least, rest)


def _sum(first: int, number: int) -> int:
    """The sum of so many consecutive integers."""
    return number * first + number * (number - 1) // 2
