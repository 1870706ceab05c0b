"""The action spaces of the wrappers: batches of actions, and replies in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from craftax_text_gym.spaces import CHARSET, NamedDiscrete

MAX_REPLY = 65_536
"""The most characters in a reply."""


class ActionBatch(spaces.Sequence):
    """A `Sequence` of a game's actions: tuples of 1 to `max_actions` numbers.

    Attributes:
        actions: The space of each action.
        max_actions: The most actions in a batch.
    """

    def __init__(
        self, actions: NamedDiscrete, max_actions: int, *, seed: int | np.random.Generator | None = None
    ) -> None:
        """Make the space.

        Args:
            actions: The space of each action.
            max_actions: The most actions in a batch.
            seed: Seeds `sample`.
        """
        super().__init__(NamedDiscrete(actions.names), seed=seed)
        self.actions = actions
        self.max_actions = max_actions

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Draw a batch of any allowed length.

        Args:
            mask: As `gymnasium.spaces.Sequence` has it: lengths, and a mask of the actions.
            probability: The same with the actions' probabilities.

        Returns:
            A tuple of numbers.
        """
        lengths: Any = np.arange(1, self.max_actions + 1)
        if mask is None and probability is None:
            mask = (lengths, None)
        elif mask is not None and mask[0] is None:
            mask = (lengths, mask[1])
        elif probability is not None and probability[0] is None:
            probability = (lengths, probability[1])
        return super().sample(mask, probability)

    def contains(self, x: Any) -> bool:
        """Whether it is a tuple of numbers of actions, neither empty nor too long."""
        return super().contains(x) and 1 <= len(x) <= self.max_actions

    def resolve(self, batch: Any) -> tuple[int, ...]:
        """The numbers of a batch's actions.

        Args:
            batch: A list, tuple or array of numbers or names.

        Returns:
            Numbers.

        Raises:
            TypeError: If it is not such a sequence, or holds anything but numbers and names.
            ValueError: If it is empty or too long, or an action does not exist.
        """
        if isinstance(batch, np.ndarray) and batch.ndim == 1:
            batch = batch.tolist()
        if isinstance(batch, str | bytes) or not isinstance(batch, Sequence):
            raise TypeError(
                f"Expected a list of actions, such as [{self.actions.names[0]!r}, {self.actions.names[1]!r}], "
                f"got {batch!r} of type {type(batch).__name__}. To send replies in words, wrap this in TextActions."
            )
        if not 1 <= len(batch) <= self.max_actions:
            raise ValueError(f"Expected 1 to {self.max_actions} actions, got {len(batch)}.")
        return tuple([self.actions.resolve(action) for action in batch])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ActionBatch) and self.max_actions == other.max_actions and super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ActionBatch(1 to {self.max_actions} of {self.actions})"


class ReplyText(spaces.Text):
    """The `Text` space of an agent's replies: any string of at most `max_length` characters, in any script.

    Samples are valid replies: names of actions.

    Attributes:
        names: The names of the actions.
        max_actions: The most actions in a sample.
    """

    def __init__(
        self, names: Sequence[str], max_actions: int = 1, *, seed: int | np.random.Generator | None = None
    ) -> None:
        """Make the space.

        Args:
            names: The names of the actions.
            max_actions: The most actions in a sample.
            seed: Seeds `sample`.
        """
        super().__init__(MAX_REPLY, min_length=0, charset=CHARSET, seed=seed)
        self.names = tuple(names)
        self.max_actions = max_actions

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw a reply.

        Args:
            mask: As `gymnasium.spaces.Text` has it; then the characters are drawn at random.
            probability: The same with probabilities.

        Returns:
            Names of actions with commas between them.
        """
        if mask is not None or probability is not None:
            return str(super().sample(mask, probability))
        length = int(self.np_random.integers(1, self.max_actions + 1))
        return ", ".join([self.names[index] for index in self.np_random.integers(len(self.names), size=length)])

    def contains(self, x: Any) -> bool:
        """Whether it is a string that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ReplyText)
            and (self.names, self.max_actions) == (other.names, other.max_actions)
            and super().__eq__(other)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ReplyText({self.max_length})"
