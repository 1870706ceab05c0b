"""What every wrapper of this package is: a Gymnasium wrapper that rebuilds from a spec and knows its game."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from craftax_text_gym.env import CraftaxTextEnv
from craftax_text_gym.games.spec import GameSpec

StepResult = tuple[Any, float, bool, bool, dict[str, Any]]
"""What `step` gives: observation, reward, terminated, truncated, info."""


class GameWrapper(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """A wrapper that stands, at whatever height, over an environment of this package.

    Attributes:
        game_env: The environment beneath all wrappers.
        markup: The name of the markup of its texts.
    """

    def __init__(self, env: gym.Env[Any, Any], **arguments: Any) -> None:
        """Wrap an environment.

        Args:
            env: An environment of this package, wrapped or not.
            **arguments: The constructor's other arguments, JSON-able, with which `gym.make(env.spec)` rebuilds it.

        Raises:
            TypeError: If it is no environment of this package.
        """
        RecordConstructorArgs.__init__(self, **arguments)
        gym.Wrapper.__init__(self, env)
        base = env.unwrapped
        if not isinstance(base, CraftaxTextEnv):
            raise TypeError(
                f"Expected an environment of craftax_text_gym beneath {type(self).__name__}, got a "
                f"{type(base).__name__}. Make one with gym.make('CraftaxText-v0')."
            )
        self.game_env: CraftaxTextEnv = base
        self.markup: str = base.text_format.markup


def vector_game(envs: gym.vector.VectorEnv[Any, Any, Any]) -> GameSpec:
    """The game of a vector environment.

    Args:
        envs: A vector environment of this package, wrapped or not.

    Returns:
        The game that all its environments play.

    Raises:
        TypeError: If its environments are not of this package.
    """
    base: Any = envs.unwrapped
    try:
        game = base.get_attr("game")[0]
    except AttributeError:
        game = None
    if not isinstance(game, GameSpec):
        raise TypeError(
            f"Expected a vector environment of craftax_text_gym, got {envs}. "
            f"Make one with gym.make_vec('CraftaxText-v0', num_envs=8)."
        )
    return game
