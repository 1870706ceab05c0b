"""The achievements that episodes unlocked, validated: the input of all scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym import games
from craftax_text_gym.games import GameSpec
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.utils.validation import check_choice


@dataclass(frozen=True, eq=False)
class Unlocks:
    """The achievements unlocked in each of some episodes of one game.

    Attributes:
        game: The game.
        flags: bool `[episodes, achievements]`, by the game's achievement numbers; at least one episode.
    """

    game: GameSpec
    flags: NDArray[np.bool_]

    def __post_init__(self) -> None:
        """Raise `TypeError` if the flags are not a bool array, `ValueError` if their shape is wrong."""
        if not isinstance(self.flags, np.ndarray) or self.flags.dtype != np.bool_:
            got = getattr(self.flags, "dtype", type(self.flags).__name__)
            raise TypeError(f"Expected flags as a bool array, got {got}. For an array of counts: counts > 0.")
        width = len(self.game.achievements)
        if self.flags.ndim != 2 or self.flags.shape[1] != width:
            raise ValueError(f"Expected flags of shape [episodes, {width}], got {list(self.flags.shape)}.")
        if not len(self.flags):
            raise ValueError("Expected at least one episode, got none.")

    @property
    def rates(self) -> NDArray[np.float64]:
        """float64 `[achievements]`: the share of episodes that unlocked each one."""
        return np.asarray(self.flags.mean(axis=0), np.float64)

    def __len__(self) -> int:
        return len(self.flags)


Episodes = Iterable[EpisodeRecord] | Unlocks
"""Episodes of one game, at least one."""


def to_unlocks(episodes: Episodes) -> Unlocks:
    """Convert records to `Unlocks`.

    Args:
        episodes: Records of one game, or `Unlocks`, which are returned as they are.

    Returns:
        The unlocked achievements, one row per episode.

    Raises:
        TypeError: If an item is not an `EpisodeRecord`.
        ValueError: If there is no episode, the games differ, or an achievement is unknown.
    """
    if isinstance(episodes, Unlocks):
        return episodes
    records = validate_records(episodes)
    game = games.get(records[0].game)
    numbers = {key: number for number, key in enumerate(game.achievement_keys)}
    flags = np.zeros((len(records), len(numbers)), bool)
    for row, record in zip(flags, records, strict=True):
        for key, step in record.achievements.items():
            if key not in numbers:
                check_choice(f"achievement of {game.title}", key, numbers)
            if isinstance(step, bool) or not isinstance(step, int):
                raise TypeError(f"Expected the step at which {key!r} was unlocked as an int, got {step!r}.")
            row[numbers[key]] = True
    return Unlocks(game, flags)


def validate_records(episodes: Iterable[EpisodeRecord]) -> list[EpisodeRecord]:
    """Check records, and return them as a list.

    Args:
        episodes: Records of one game.

    Returns:
        At least one record.

    Raises:
        TypeError: If an item is not an `EpisodeRecord`.
        ValueError: If there is none, or the games differ.
    """
    if isinstance(episodes, Unlocks) or not isinstance(episodes, Iterable):
        raise TypeError(f"Expected EpisodeRecords, got {type(episodes).__name__}.")
    records = list(episodes)
    for record in records:
        if not isinstance(record, EpisodeRecord):
            raise TypeError(
                f"Expected EpisodeRecords, got {record!r} of type {type(record).__name__}. For bare achievements: "
                "Unlocks(game, bool_array)."
            )
    if not records:
        raise ValueError("Expected at least one episode, got none.")
    played = list(dict.fromkeys(record.game for record in records))
    if len(played) > 1:
        raise ValueError(f"Expected episodes of one game, got {' and '.join(played)}: score each game by itself.")
    return records
