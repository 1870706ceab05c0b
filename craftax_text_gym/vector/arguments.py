"""What a vector environment is given, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import Error
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from craftax_text_gym.games import GameSpec
from craftax_text_gym.utils import validation as checks
from craftax_text_gym.utils.validation import check_choice


def check_count(name: str, value: Any) -> int:
    """A number of at least 1.

    Args:
        name: The argument's name.
        value: What came.

    Returns:
        It, as an int.

    Raises:
        TypeError: If it is no int.
        ValueError: If it is below 1.
    """
    number: Any = int(value) if isinstance(value, np.integer) else value
    checks.check_count(name, number)
    return int(number)


def check_cap(value: Any, game: GameSpec) -> int | None:
    """The step at which episodes are truncated.

    Args:
        value: An int, -1 for no cap, or None for the game's own.
        game: The game.

    Returns:
        The step, or None for no cap.

    Raises:
        TypeError: If it is neither None nor an int.
        ValueError: If it is below 1, and not -1.
    """
    if value is None:
        return game.max_steps
    return None if not isinstance(value, bool) and value == -1 else check_count("max_episode_steps", value)


def check_autoreset_mode(value: Any) -> AutoresetMode:
    """An autoreset mode, from its name or itself.

    Args:
        value: What came.

    Returns:
        The mode.

    Raises:
        TypeError: If it is neither a name nor a mode.
        ValueError: If there is no such name.
    """
    if isinstance(value, AutoresetMode):
        return value
    if not isinstance(value, str):
        raise TypeError(f"Expected autoreset_mode as a name or a gymnasium.vector.AutoresetMode, got {value!r}.")
    check_choice("autoreset_mode", value, [mode.value for mode in AutoresetMode])
    return AutoresetMode(value)


def check_seeds(seed: Any, num_envs: int) -> list[int | None]:
    """One seed, or None, for each game.

    Args:
        seed: None, an int for `seed`, `seed + 1` and so on, or a sequence.
        num_envs: The number of games.

    Returns:
        The seeds.

    Raises:
        gymnasium.error.Error: If a seed is negative or no int.
        ValueError: If there is not one for each game.
    """
    if seed is None:
        return [None] * num_envs
    if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str):
        first = _check_seed(seed)
        return [first + game for game in range(num_envs)]
    if len(seed) != num_envs:
        raise ValueError(f"Expected one seed for each of the {num_envs} games, got {len(seed)}.")
    return [None if entry is None else _check_seed(entry) for entry in seed]


def check_mask(options: Mapping[str, Any] | None, num_envs: int) -> NDArray[np.bool_]:
    """Which games to reset. The options are left as they are.

    Args:
        options: What `reset` was given.
        num_envs: The number of games.

    Returns:
        bool `[num_envs]`.

    Raises:
        TypeError: If the mask is no bool array.
        ValueError: If its shape is wrong, it is empty, or there is another option.
    """
    others = [name for name in options or () if name != "reset_mask"]
    if others:
        raise ValueError(f"Expected no options but 'reset_mask', got {others}.")
    if not options:
        return np.ones(num_envs, bool)
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"Expected options['reset_mask'] as a bool array, got {mask!r}.")
    if mask.shape != (num_envs,):
        raise ValueError(f"Expected options['reset_mask'] of shape ({num_envs},), got {mask.shape}.")
    if not mask.any():
        raise ValueError("Expected options['reset_mask'] with at least one True, got none.")
    return mask.copy()


def _check_seed(seed: Any) -> int:
    if isinstance(seed, bool | np.bool_) or not isinstance(seed, int | np.integer):
        raise Error(f"Seed must be a python integer, actual type: {type(seed)}")
    if seed < 0:
        raise Error(f"Seed must be greater or equal to zero, actual value: {seed}")
    return int(seed)
