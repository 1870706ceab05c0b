"""The results of a run on disk: JSON Lines with a header and one line per episode, safe against crashes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from craftax_text_gym.evaluation.run_settings import differences
from craftax_text_gym.recording import json_lines
from craftax_text_gym.scoring.episode import EpisodeRecord

FILE_NAME = "results.jsonl"
"""The name of the file within the output folder."""


class OtherSettingsError(ValueError):
    """The results on disk were made with other settings; the message names the differences."""


@dataclass(frozen=True, slots=True)
class Results:
    """The contents of a results file.

    Attributes:
        header: The settings and provenance of the run; see `RunSettings.header`.
        episodes: The records, in the order of the run's seeds.
        num_torn: The number of torn lines, left by killed processes.
    """

    header: Mapping[str, Any]
    episodes: tuple[EpisodeRecord, ...]
    num_torn: int = 0


def path_of(place: str | os.PathLike[str]) -> Path:
    """The results file for a path: the one within it if it is a folder, else the path itself."""
    path = Path(place)
    return path / FILE_NAME if path.is_dir() else path


def read(place: str | os.PathLike[str]) -> Results:
    """Read results. Torn lines are skipped and counted.

    Args:
        place: A results file, or an output folder.

    Returns:
        The contents. If a seed occurs twice, its first record counts.

    Raises:
        FileNotFoundError: If the file does not exist.
        ValueError: If it holds no results.
    """
    path = path_of(place)
    if not path.is_file():
        raise FileNotFoundError(f"Expected the results of an evaluation, but '{path}' does not exist.")
    lines = json_lines.read(path)
    header = next(iter(lines.values), {})
    if header.get("kind") != "header" or "seeds" not in header:
        raise ValueError(f"Expected the results of an evaluation, but the first line of '{path}' is not their header.")
    records: dict[int, EpisodeRecord] = {}
    for line in lines.values[1:]:
        if line.get("kind") == "episode":
            record = EpisodeRecord.from_json(line)
            records.setdefault(record.seed, record)
    seeds = [seed for seed in header["seeds"] if seed in records]
    return Results(header, tuple(records[seed] for seed in seeds), lines.num_torn)


class ResultsWriter:
    """Collects the results of one run, and writes them to disk if there is a folder.

    Attributes:
        header: The header of the results; None until the first episode has ended.
        records: Seed -> record.
    """

    def __init__(self, folder: Path | None, make_header: Callable[[], Mapping[str, Any]], *, resume: bool) -> None:
        """Start new results, or resume those in the folder.

        Args:
            folder: The output folder, created if needed; None to write nothing.
            make_header: Makes the header of this run. It is called after the first episode, since JAX's backend is
                unknown before, and to compare with existing results.
            resume: Whether to resume existing results.

        Raises:
            FileExistsError: If there are results and `resume` is False.
            OtherSettingsError: If the existing results were made with other settings.
            RecordingError: If the folder cannot be created.
        """
        self.header: Mapping[str, Any] | None = None
        self.records: dict[int, EpisodeRecord] = {}
        self._make_header = make_header
        self._path = None if folder is None else folder / FILE_NAME
        if self._path is not None:
            json_lines.make_folder(self._path.parent)
            if self._path.exists() and json_lines.read(self._path).values:  # else it holds only a torn header
                self._resume(self._path, resume)

    def add(self, record: EpisodeRecord) -> None:
        """Add an episode, in one atomic write.

        Args:
            record: The record of the episode.

        Raises:
            RecordingError: If it cannot be written.
        """
        if self.header is None:
            self.header = self._make_header()
            self._append(self.header)
        self._append({"kind": "episode", **record.to_json()})
        self.records[record.seed] = record

    def results(self) -> Results:
        """The results so far, in the order of the run's seeds."""
        header = self._make_header() if self.header is None else self.header
        return Results(header, tuple(self.records[seed] for seed in header["seeds"] if seed in self.records))

    def _append(self, line: Mapping[str, Any]) -> None:
        if self._path is not None:
            json_lines.append(self._path, line)

    def _resume(self, path: Path, resume: bool) -> None:
        if not resume:
            raise FileExistsError(
                f"There are results in '{path.parent}' already: pass --resume (resume=True) to continue them, or "
                f"choose another folder."
            )
        found = read(path)
        changes = differences(found.header, self._make_header())
        if changes:
            raise OtherSettingsError(
                f"The results in '{path.parent}' were made with other settings: {'; '.join(changes)}. Use the same "
                f"settings, or choose another folder."
            )
        self.header = found.header
        self.records = {record.seed: record for record in found.episodes}
