"""The results of an evaluation on disk: a header, then a line an episode; they survive whatever stops the process."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from craftax_text_gym.evaluation.settings import differences
from craftax_text_gym.recording import json_lines
from craftax_text_gym.scoring.episode import EpisodeRecord

FILE_NAME = "results.jsonl"
"""The file within the output folder."""


class OtherSettingsError(ValueError):
    """Results were made with other settings; the message names the differences."""


@dataclass(frozen=True, slots=True)
class Results:
    """What a file of results holds.

    Attributes:
        header: The settings and the stamp of the run.
        episodes: The records, in the order of the run's seeds.
        num_torn: How many lines were torn.
    """

    header: Mapping[str, Any]
    episodes: tuple[EpisodeRecord, ...]
    num_torn: int = 0

    @property
    def missing(self) -> tuple[int, ...]:
        """The seeds whose episodes have not ended."""
        done = {record.seed for record in self.episodes}
        return tuple(seed for seed in self.header["seeds"] if seed not in done)


def path_of(place: str | os.PathLike[str]) -> Path:
    """The file of results that a path leads to: itself, or the one within a folder."""
    path = Path(place)
    return path / FILE_NAME if path.is_dir() else path


def read(place: str | os.PathLike[str]) -> Results:
    """Read results; lines that a killed process left torn are left out and counted.

    Args:
        place: A file, or an output folder.

    Returns:
        What it holds; of an episode that stands there twice, the first.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it holds no results.
    """
    path = path_of(place)
    if not path.is_file():
        raise FileNotFoundError(f"Expected the results of an evaluation, but there is no '{path}'.")
    lines = json_lines.read(path)
    header = next(iter(lines.values), {})
    if header.get("kind") != "header" or "seeds" not in header:
        raise ValueError(f"Expected the results of an evaluation in '{path}', but its first line is no header of one.")
    records: dict[int, EpisodeRecord] = {}
    for line in lines.values[1:]:
        if line.get("kind") == "episode":
            record = EpisodeRecord.from_json(line)
            records.setdefault(record.seed, record)
    seeds = [seed for seed in header["seeds"] if seed in records]
    return Results(header, tuple(records[seed] for seed in seeds), lines.num_torn)


class ResultsWriter:
    """Keeps the results of one run, in a folder if there is one.

    Attributes:
        header: Of the results; None until the first episode has ended.
        records: Seed -> record.
    """

    def __init__(self, folder: Path | None, make_header: Callable[[], Mapping[str, Any]], *, resume: bool) -> None:
        """Begin anew, or go on with what is in the folder.

        Args:
            folder: The output folder, made if there is none; None to write nothing.
            make_header: Gives the header of this run. It is asked again when the first episode has ended: only then
                is the backend known that the games are compiled for.
            resume: Whether to go on with results that are there.

        Raises:
            FileExistsError: If there are results, and they are not to be gone on with.
            OtherSettingsError: If they were made with other settings.
            RecordingError: If the folder cannot be made.
        """
        self.header: Mapping[str, Any] | None = None
        self.records: dict[int, EpisodeRecord] = {}
        self._make_header = make_header
        self._path = None if folder is None else folder / FILE_NAME
        if self._path is not None:
            _make_folder(self._path.parent)
            if self._path.exists() and json_lines.read(self._path).values:  # else a header was torn, and no more
                self._take_up(self._path, resume)

    def add(self, record: EpisodeRecord) -> None:
        """Keep an episode, in one atomic write.

        Args:
            record: What came of it.

        Raises:
            RecordingError: If it cannot be written.
        """
        if self.header is None:
            self.header = self._make_header()
            self._append(self.header)
        self._append({"kind": "episode", **record.to_json()})
        self.records[record.seed] = record

    def results(self) -> Results:
        """What is kept, at least one episode."""
        header = self._make_header() if self.header is None else self.header
        return Results(header, tuple(self.records[seed] for seed in header["seeds"] if seed in self.records))

    def _append(self, line: Mapping[str, Any]) -> None:
        if self._path is not None:
            json_lines.append(self._path, line)

    def _take_up(self, path: Path, resume: bool) -> None:
        if not resume:
            raise FileExistsError(
                f"There are results in '{path.parent}' already: go on with them by --resume (resume=True), or choose "
                f"another folder."
            )
        found = read(path)
        others = differences(found.header, self._make_header())
        if others:
            raise OtherSettingsError(
                f"The results in '{path.parent}' were made with other settings: {'; '.join(others)}. Use the same "
                f"ones, or another folder."
            )
        self.header = found.header
        self.records = {record.seed: record for record in found.episodes}


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise json_lines.RecordingError(
            f"Cannot make the folder '{folder}' ({error.strerror}): choose another one."
        ) from error
