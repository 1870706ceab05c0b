"""The records in files of any kind that this package writes: logs, trajectories, results of evaluations."""

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
class Results:
    """What some files tell.

    Attributes:
        finished: Records of the episodes that came to their end.
        unfinished: Records of those that were reset early or closed.
        num_killed: How many more episodes were begun, but have no record: their processes were killed, or still play.
        num_torn: How many lines were torn.
    """

    finished: tuple[EpisodeRecord, ...]
    unfinished: tuple[EpisodeRecord, ...]
    num_killed: int
    num_torn: int


def read(paths: Iterable[str | os.PathLike[str]]) -> Results:
    """Read the records of some files.

    Args:
        paths: Files of `AchievementLogger`, `RecordTrajectory` or evaluations.

    Returns:
        What they tell together.

    Raises:
        OSError: If one cannot be read.
        ValueError: If one holds nothing of this package, or a broken record.
    """
    records: list[EpisodeRecord] = []
    num_killed = num_torn = 0
    for path in paths:
        lines = json_lines.read(path)
        if not lines.values and _is_only_begun(path):
            num_killed, num_torn = num_killed + 1, num_torn + lines.num_torn
            continue
        ours = [line for line in lines.values if line.get("kind") in _KINDS]
        if not ours:
            raise ValueError(
                f"Expected a log, a trajectory or results of craftax-text-gym, got '{os.fspath(path)}' with "
                f"{len(lines.values)} lines of JSON, none of which is theirs."
            )
        told = [line for line in ours if line["kind"] == "episode"]
        try:
            records.extend(EpisodeRecord.from_json(line) for line in told)
        except ValueError as error:
            raise ValueError(f"'{os.fspath(path)}': {error}") from error
        is_trajectory = lines.values[0].get("kind") == "header" and any("t" in line for line in lines.values)
        begun = {line["episode_id"] for line in ours if "episode_id" in line}
        ended = {line["episode_id"] for line in told if "episode_id" in line}
        num_killed += len(begun - ended) + (is_trajectory and not told)
        num_torn += lines.num_torn
    finished = tuple(record for record in records if record.finished)
    unfinished = tuple(record for record in records if not record.finished)
    return Results(finished, unfinished, num_killed, num_torn)


def _is_only_begun(path: str | os.PathLike[str]) -> bool:
    """Whether a file without a whole line is one of ours, whose process was killed before the first was written."""
    with Path(path).open("rb") as file:
        return _BEGINNING.startswith(file.read(len(_BEGINNING)))
