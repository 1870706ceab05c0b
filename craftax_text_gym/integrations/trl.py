"""Environments for TRL's `GRPOTrainer(environment_factory=…)`. Imports nothing of TRL.

TRL makes a tool of every public method of an environment's class but `reset` and `get_reward`, so there is one: `act`.
Settings go in with `functools.partial(ClassicEnvironment, max_steps=100)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from craftax_text_gym.games import CLASSIC, FULL
from craftax_text_gym.session import TextSession

_OPENING = "Play as well as you can, one action at a time. This is what you see first:\n"


class _Environment:
    """What the environments of both games share."""

    _game: str

    def __init__(self, *, text_format: str = "compact", max_steps: int = 100, **settings: Any) -> None:
        """Make the environment; no game is compiled before the first reset.

        Args:
            text_format: How observations are written. A conversation holds all of them, so they are short by default.
            max_steps: After how many steps of the game an episode ends.
            **settings: Other arguments of `TextSession`.
        """
        self._session = TextSession(self._game, text_format=text_format, max_steps=max_steps, **settings)

    def reset(self, seed: int | None = None, **columns: Any) -> str:  # noqa: ARG002
        """Begin an episode.

        Args:
            seed: The data set's column `seed`, which chooses the world; without one it is random.
            **columns: Its other columns, which say nothing about the game.

        Returns:
            The first observation, which TRL adds to the last message of the user.
        """
        return self._session.reset(seed)

    def get_reward(self) -> float:
        """The sum of the rewards of the episode."""
        return self._session.record().total_reward

    def _act(self, action: str) -> str:
        return "The episode is over." if self._session.done else self._session.act(action).text


class FullEnvironment(_Environment):
    """The full game as an environment of TRL."""

    _game = FULL.key

    def act(self, action: str) -> str:
        """Carry out an action in the game and see what comes of it.

        Args:
            action: The name of the action.

        Returns:
            What you see then.
        """
        return self._act(action)


class ClassicEnvironment(_Environment):
    """Craftax-Classic as an environment of TRL."""

    _game = CLASSIC.key

    def act(self, action: str) -> str:
        """Carry out an action in the game and see what comes of it.

        Args:
            action: The name of the action.

        Returns:
            What you see then.
        """
        return self._act(action)


# The tool's schema lists the names. They are data of the games, which a literal type in the source would repeat.
FullEnvironment.act.__annotations__["action"] = Literal[FULL.actions]
ClassicEnvironment.act.__annotations__["action"] = Literal[CLASSIC.actions]


def rows(game: str, seeds: Iterable[int], *, text_format: str = "compact") -> list[dict[str, Any]]:
    """The rows of a data set for the trainer, one a world.

    Args:
        game: `"full"` or `"classic"`.
        seeds: The seeds of the worlds.
        text_format: The same as the environment's.

    Returns:
        Rows with the columns `prompt` (a conversation) and `seed`, for `datasets.Dataset.from_list`.
    """
    rules = TextSession(game, text_format=text_format).system_prompt
    prompt = [{"role": "system", "content": rules}, {"role": "user", "content": _OPENING}]
    return [{"prompt": [dict(message) for message in prompt], "seed": seed} for seed in seeds]
