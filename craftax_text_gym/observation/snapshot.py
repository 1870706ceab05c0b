"""Snapshots of a game, to restore later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from craftax_text_gym.observation.moment import Moment


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game at one step, and the generator of its later worlds. Picklable; the future replays identically.

    Attributes:
        game: The game's key.
        settings: What must be equal for the future to be: `env_params` and `reveal`.
        arrays: The state, as the engine packs it.
        moment: What was seen, and what led to it.
        episode_seed: The seed of the episode.
        np_random_state: The state of the environment's generator.
    """

    game: str
    settings: tuple[tuple[tuple[str, bool | int | float], ...], tuple[str, ...]]
    arrays: tuple[NDArray[Any], ...]
    moment: Moment
    episode_seed: int
    np_random_state: Mapping[str, Any]
