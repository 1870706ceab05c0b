"""The protocol of agents."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Reply = str | int | Mapping[str, object] | Sequence[str | int]
"""What an agent returns: an action, a sequence of actions, or a language model's reply."""


class AgentError(RuntimeError):
    """Raised by an agent that cannot continue; its message is one line that says what to do.

    It stops an evaluation. Finished episodes are kept, and a resumed run plays the others.
    """


class EndpointError(RuntimeError):
    """The endpoint that an agent plays by failed past its retries.

    The episode is not scored, and `--resume` plays it again.
    """


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of a model in an episode so far, and which of its replies were broken.

    Attributes:
        input_tokens: Tokens read.
        output_tokens: Tokens written, with those of reasoning.
        cost: Their price in US dollars; None if unknown.
        cached_tokens: Those of the tokens read that the endpoint had in its cache.
        reasoning_tokens: Those of the tokens written that were reasoning, as far as the endpoint reports it.
        num_cut: Replies that the token limit cut off.
        num_empty: Replies without a word and without a tool call, outside of reasoning.
        num_invalid: Replies that name no action, for whatever reason: cut and empty ones are mostly among them.
    """

    input_tokens: int
    output_tokens: int
    cost: float | None = None
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    num_cut: int = 0
    num_empty: int = 0
    num_invalid: int = 0


class Agent(Protocol):
    """Chooses actions from observations. Any object with these two methods is an agent.

    `act` and `reset` may be coroutine functions (`async def`); an evaluation then runs its episodes as concurrent
    tasks. Each concurrent episode has its own agent instance, which plays several episodes in sequence.

    Optional attributes:

    * `text_format`: the format of observations that it prefers: a preset's name such as `"json"`, a mapping of fields
      or a `TextFormat`. The user may ask for another.
    * `replies` (bool): True if it returns free text or the arguments of a tool call, which `parse_actions` reads. A
      reply that names no action then plays `noop` and is counted.
    * `usage` (`Usage`): the tokens consumed since `reset`.
    * `stamp` (a mapping, JSON-able): what decides how it plays and is not among its options; recorded with the results.
    * `close()`: frees its resources; awaited if it is a coroutine function.

    Its constructor takes options by keyword. An evaluation fills in those that the constructor accepts and the user
    leaves out: `game` (a `GameSpec`), `max_actions` (the maximum number of actions per reply), `max_steps` and
    `max_decisions` (the caps of an episode, the latter None without one), if the user asks for a format `text_format`,
    and under a protocol that forbids a plan in the prompt `strategy`, as False.
    """

    def reset(self, seed: int) -> Awaitable[None] | None:
        """Begin an episode.

        Args:
            seed: The episode's seed, the only source of the agent's random choices.
        """
        ...

    def act(self, observation: Any, info: Mapping[str, Any]) -> Reply | Awaitable[Reply]:
        """Choose the next action, or the next few.

        Args:
            observation: The environment's last observation.
            info: The info that came with it, with the entries of `ActionSequence` if several actions are allowed, and
                those of `TextActions` if `replies` is True.

        Returns:
            The name or number of an action, or a sequence of them; with `replies`, anything that `parse_actions` reads.
        """
        ...
