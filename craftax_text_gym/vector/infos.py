"""The infos of a vector environment, from the packed rows of all its games at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.games import GameSpec


def infos_of(
    spec: GameSpec,
    rows: NDArray[np.void],
    seeds: NDArray[np.uint32],
    has_info: NDArray[np.bool_],
) -> dict[str, Any]:
    """The infos in the form that `gymnasium.vector.SyncVectorEnv` gives.

    Args:
        spec: The game.
        rows: Structured array `[n]` of `engine.layout.row_dtype(spec)`.
        seeds: uint32 `[n]`: the seeds of the episodes.
        has_info: bool `[n]`: which games have an info.

    Returns:
        Key -> array `[n]` or `[n, …]`, zero or None where there is no info; `_key` -> bool array `[n]` of who has one.
    """
    infos: dict[str, Any] = {
        "episode_seed": seeds.astype(np.int64),
        "timestep": rows["timestep"].astype(np.int64),
        "executed_action": rows["executed_action"].astype(np.int64),
        "achievements": rows["achievements"].astype(bool),
        "new_achievements": _new_achievements(spec, rows),
        "action_mask": rows["action_mask"].copy(),
        "reward_achievements": rows["reward_achievements"].astype(np.float64),
        "reward_health": rows["reward_health"].astype(np.float64),
        "end_reason": _end_reasons(rows),
    }
    if not has_info.all():
        for values in infos.values():
            values[~has_info] = None if values.dtype == object else 0
    return infos | {f"_{key}": has_info.copy() for key in infos}


def _new_achievements(spec: GameSpec, rows: NDArray[np.void]) -> NDArray[np.object_]:
    names = np.empty(len(rows), object)
    names.fill(())
    unlocked = rows["new_achievements"]
    for game in np.flatnonzero(unlocked.any(1)):
        names[game] = tuple(spec.achievement_keys[index] for index in np.flatnonzero(unlocked[game]))
    return names


def _end_reasons(rows: NDArray[np.void]) -> NDArray[np.object_]:
    reasons = np.full(len(rows), "", object)
    reasons[rows["boss_defeated"] != 0] = "boss_defeated"
    reasons[rows["dead"] != 0] = "death"
    return reasons
