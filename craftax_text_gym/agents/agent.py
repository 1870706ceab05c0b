"""What an agent is."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Reply = str | int | Mapping[str, object] | Sequence[str | int]
"""What an agent answers: an action, a sequence of actions, or what a language model said."""


class AgentError(RuntimeError):
    """Raised by an agent that cannot go on; its message is one line that says what to do.

    An evaluation stops at it. Episodes that have ended are kept, and a resumed run goes on with the others.
    """


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model consumed in an episode so far.

    Attributes:
        input_tokens: Tokens that it read.
        output_tokens: Tokens that it wrote.
        cost: Their price in US dollars; None where it is not known.
    """

    input_tokens: int
    output_tokens: int
    cost: float | None = None


class Agent(Protocol):
    """Chooses actions from observations. Any object with these two methods is one.

    `act` may be a coroutine function (`async def`), as may `reset`; then an evaluation runs its episodes as tasks that
    wait side by side. Each episode that runs at the same time has an agent of its own, which plays one after another.

    An agent may have these attributes too:

    * `text_format`: the format that it wants to read, unless the user asks for another: a preset's name such as
      `"json"`, a mapping of fields or a `TextFormat`.
    * `replies` (bool): True if it answers in free words or with the arguments of a tool call, from which
      `parse_actions` reads the actions. Then a reply that names no action costs a `noop` and is counted.
    * `usage` (`Usage`): what a model consumed since `reset`.
    * `close()`: frees what it holds; awaited if it is a coroutine function.

    Its constructor takes options by keyword. Some of them an evaluation fills in where the constructor has them and the
    user gives none: `game` (a `GameSpec`), `max_actions` (how many actions one reply may ask for) and, where the user
    asks for one, `text_format`.
    """

    def reset(self, seed: int) -> Awaitable[None] | None:
        """Begin an episode.

        Args:
            seed: The episode's seed; whatever the agent draws at random must follow from it alone.
        """
        ...

    def act(self, observation: Any, info: Mapping[str, Any]) -> Reply | Awaitable[Reply]:
        """Choose the next action, or the next few.

        Args:
            observation: What the environment gave last.
            info: The info that came with it. Where several actions may be asked for, it also has what `ActionSequence`
                adds, and with `replies` what `TextActions` adds.

        Returns:
            The name or number of an action, or a sequence of them; with `replies`, whatever `parse_actions` reads.
        """
        ...
