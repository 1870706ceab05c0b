"""Environments for TRL's `GRPOTrainer(environment_factory=…)`. It does not import TRL.

TRL makes a tool of every public method of an environment's class except `reset` and `get_reward`, so `act` is the only
one. Pass settings with `functools.partial(ClassicEnvironment, max_steps=100)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from craftax_text_gym.games import CLASSIC, FULL
from craftax_text_gym.session import TextSession

_MAX_STEPS = 100
_OPENING = "Play as well as you can, one action at a time. This is what you see first:\n"


class _Environment:
    """The base of the environments of both games."""

    _game: str

    def __init__(self, *, text_format: str = "compact", max_steps: int = _MAX_STEPS, **settings: Any) -> None:
        """Make the environment; no game is compiled before the first reset.

        Args:
            text_format: The format of observations. A conversation holds all of them, so the default is short.
            max_steps: The cap on steps per episode.
            **settings: Other arguments of `TextSession`.
        """
        self._session = TextSession(self._game, text_format=text_format, max_steps=max_steps, **settings)

    def reset(self, seed: int | None = None, **columns: Any) -> str:  # noqa: ARG002
        """Begin an episode.

        Args:
            seed: The seed of the world, from the data set's column `seed`; None for a random one.
            **columns: The other columns, ignored.

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


# TRL reads the tool's schema from annotations. The names come from the games' data, so they are not repeated here.
FullEnvironment.act.__annotations__["action"] = Literal[FULL.actions]
ClassicEnvironment.act.__annotations__["action"] = Literal[CLASSIC.actions]


def rows(
    game: str, seeds: Iterable[int], *, text_format: str = "compact", max_steps: int = _MAX_STEPS
) -> list[dict[str, Any]]:
    """The rows of a data set for the trainer, one per world.

    Args:
        game: `"full"` or `"classic"`.
        seeds: The seeds of the worlds.
        text_format: The same as the environment's.
        max_steps: The same as the environment's; the prompt tells it.

    Returns:
        Rows with the columns `prompt` (a conversation) and `seed`, for `datasets.Dataset.from_list`.
    """
    rules = TextSession(game, text_format=text_format, max_steps=max_steps).system_prompt
    prompt = [{"role": "system", "content": rules}, {"role": "user", "content": _OPENING}]
    return [{"prompt": [dict(message) for message in prompt], "seed": seed} for seed in seeds]
