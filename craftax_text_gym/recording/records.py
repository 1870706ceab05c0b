"""Read episode records from any file that this package writes: logs, trajectories, results of evaluations."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from craftax_text_gym.recording import json_lines
from craftax_text_gym.scoring.episode import EpisodeRecord

_KINDS = ("episode", "unlock", "header")
_BEGINNING = b'{"kind":"'


@dataclass(frozen=True, slots=True)
class Records:
    """The records in some files.

    Attributes:
        finished: The records of episodes that ended.
        unfinished: The records of episodes that were reset early or closed.
        num_killed: The number of other episodes that began but have no record, as their process was killed or still
            plays.
        num_torn: The number of torn lines.
    """

    finished: tuple[EpisodeRecord, ...]
    unfinished: tuple[EpisodeRecord, ...]
    num_killed: int
    num_torn: int


def read(paths: Iterable[str | os.PathLike[str]]) -> Records:
    """Read the records in some files.

    Args:
        paths: Files of `AchievementLogger`, `RecordTrajectory` or evaluations.

    Returns:
        The records of all files together.

    Raises:
        OSError: If a file cannot be read.
        ValueError: If a file holds nothing of this package, or a broken record.
    """
    records: list[EpisodeRecord] = []
    num_killed = num_torn = 0
    for path in paths:
        lines = json_lines.read(path)
        if not lines.values and _has_only_torn_header(path):
            num_killed, num_torn = num_killed + 1, num_torn + lines.num_torn
            continue
        known = [line for line in lines.values if line.get("kind") in _KINDS]
        if not known:
            raise ValueError(
                f"Expected a log, a trajectory or results of craftax-text-gym, got '{os.fspath(path)}' with "
                f"{len(lines.values)} lines of JSON, none of them from there."
            )
        ended_lines = [line for line in known if line["kind"] == "episode"]
        try:
            records.extend(EpisodeRecord.from_json(line) for line in ended_lines)
        except ValueError as error:
            raise ValueError(f"'{os.fspath(path)}': {error}") from error
        is_trajectory = lines.values[0].get("kind") == "header" and any("t" in line for line in lines.values)
        begun = {line["episode_id"] for line in known if "episode_id" in line}
        ended = {line["episode_id"] for line in ended_lines if "episode_id" in line}
        num_killed += len(begun - ended) + (is_trajectory and not ended_lines)
        num_torn += lines.num_torn
    finished = tuple(record for record in records if record.finished)
    unfinished = tuple(record for record in records if not record.finished)
    return Records(finished, unfinished, num_killed, num_torn)


def _has_only_torn_header(path: str | os.PathLike[str]) -> bool:
    """Whether a file without a whole line begins like ours: its process was killed while writing the first line."""
    with Path(path).open("rb") as file:
        return _BEGINNING.startswith(file.read(len(_BEGINNING)))
