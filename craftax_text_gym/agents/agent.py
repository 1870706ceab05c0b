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


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of a model in an episode so far.

    Attributes:
        input_tokens: Tokens read.
        output_tokens: Tokens written.
        cost: Their price in US dollars; None if unknown.
    """

    input_tokens: int
    output_tokens: int
    cost: float | None = None


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
    * `close()`: frees its resources; awaited if it is a coroutine function.

    Its constructor takes options by keyword. An evaluation fills in those that the constructor accepts and the user
    leaves out: `game` (a `GameSpec`), `max_actions` (the maximum number of actions per reply), `max_steps` and
    `max_decisions` (the caps of an episode, the latter None without one) and, if the user asks for a format,
    `text_format`.
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
