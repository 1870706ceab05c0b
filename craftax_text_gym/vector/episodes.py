"""Where episodes begin and end in a vector environment, in every autoreset mode, and infos that belong to games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
"""bool `[num_envs]`."""

_FINAL = ("final_obs", "final_info")


class Episodes:
    """Follows the episodes of a vector environment, one call after the other.

    Attributes:
        num_envs: The number of games.
        mode: How the environment resets games that are over.
        resetting: bool `[num_envs]`: the games whose next step is only a reset, and ignores its action.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        """Follow an environment that has not been reset yet.

        Args:
            envs: The vector environment.

        Raises:
            ValueError: If its metadata does not say how it resets.
        """
        mode = envs.metadata.get("autoreset_mode")
        if not isinstance(mode, AutoresetMode):
            raise ValueError(
                f"Expected a vector environment whose metadata['autoreset_mode'] is an AutoresetMode, got {mode!r}."
            )
        self.mode = mode
        self.num_envs = envs.num_envs
        self.resetting: Flags = np.zeros(self.num_envs, bool)

    def reset(self, options: dict[str, Any] | None) -> Flags:
        """Follow a reset; call it before the environment's own, which may take the mask out of the options.

        Args:
            options: Of the reset.

        Returns:
            bool `[num_envs]`: the games that begin.
        """
        mask = (options or {}).get("reset_mask")
        begun: Flags = np.ones(self.num_envs, bool) if mask is None else np.array(mask, bool)
        return begun

    def begin(self, begun: Flags) -> None:
        """Note that games have been reset.

        Args:
            begun: bool `[num_envs]`: which.
        """
        self.resetting = self.resetting & ~begun

    def step(self, terminated: Flags, truncated: Flags) -> tuple[Flags, Flags]:
        """Follow a step.

        Args:
            terminated: bool `[num_envs]`.
            truncated: bool `[num_envs]`.

        Returns:
            bool `[num_envs]` twice: the games whose observation is that of a reset, and those whose last step stands in
            `final_obs` and `final_info`.
        """
        ended = np.asarray(terminated) | np.asarray(truncated)
        none = np.zeros(self.num_envs, bool)
        if self.mode is AutoresetMode.SAME_STEP:
            return ended, ended
        begun = self.resetting
        self.resetting = ended.copy() if self.mode is AutoresetMode.NEXT_STEP else none
        return begun, none


def pick(batch: Any, index: int) -> Any:
    """A game's own part of a batch.

    Args:
        batch: Observations or infos: an array or a tuple of one entry a game, or a dict of such, however deep.
        index: The number of the game.

    Returns:
        The game's entry; of a dict, a dict of what the game has, without the masks that say so.
    """
    if not isinstance(batch, dict):
        return batch[index]
    names = [key for key in batch if not key.startswith("_") and (f"_{key}" not in batch or batch[f"_{key}"][index])]
    return {name: pick(batch[name], index) for name in names}


def entry(infos: dict[str, Any], index: int, is_final: bool, keys: Iterable[str] | None = None) -> dict[str, Any]:
    """A game's own info of its last step.

    Args:
        infos: The infos of a step.
        index: The number of the game.
        is_final: Whether that step was its episode's last, and stands in `final_info`.
        keys: Which entries to take, of those that the game has; None for all but `final_obs` and `final_info`.

    Returns:
        Key -> the game's value.
    """
    source = infos["final_info"] if is_final else infos
    wanted = [key for key in source if key not in _FINAL] if keys is None else keys
    return {key: pick(source[key], index) for key in wanted if f"_{key}" in source and source[f"_{key}"][index]}


def put(infos: dict[str, Any], key: str, values: Sequence[Any], where: Flags) -> None:
    """Add an entry to infos, with its mask, as Gymnasium has them.

    Args:
        infos: The infos, which are changed.
        key: The entry's key.
        values: A value a game, all of one type.
        where: bool `[num_envs]`: the games that have it.
    """
    first = values[0]
    kind = type(first) if isinstance(first, bool | int | float) else object
    array = np.zeros(len(values), kind) if kind is not object else np.full(len(values), None, object)
    for index in np.flatnonzero(where).tolist():
        array[index] = values[index]
    infos[key], infos[f"_{key}"] = array, np.array(where, bool)


def put_everywhere(
    infos: dict[str, Any], current: dict[str, Sequence[Any]], last: dict[str, Sequence[Any]], where: Flags, final: Flags
) -> dict[str, Any]:
    """Add entries of a step both to the infos and, where episodes ended, to those of the last steps.

    Args:
        infos: The infos of the step.
        current: Key -> a value a game, as after any reset.
        last: Key -> a value a game, as before it.
        where: bool `[num_envs]`: the games that have them.
        final: bool `[num_envs]`: the games whose last step stands in `final_info`.

    Returns:
        New infos.
    """
    infos = dict(infos)
    for key, values in current.items():
        put(infos, key, values, where)
    if final.any():
        infos["final_info"] = dict(infos["final_info"])
        for key, values in last.items():
            put(infos["final_info"], key, values, final)
    return infos
