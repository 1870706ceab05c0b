"""A report: the summary of a run, loaded from results on disk and written as files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from craftax_text_gym.evaluation import report_files, results
from craftax_text_gym.evaluation.run_summary import RunSummary


@dataclass(frozen=True)
class Report(RunSummary):
    """The outcome of an evaluation: a run's episodes and statistics, which can be loaded and written."""

    @classmethod
    def load(cls, place: str | os.PathLike[str]) -> Report:
        """Load the results of a run.

        Args:
            place: A results file, or an output folder.

        Returns:
            The report; `missing` has the seeds whose episodes have not ended.

        Raises:
            FileNotFoundError: If the file does not exist.
            ValueError: If it holds no results, or no finished episode.
        """
        found = results.read(place)
        if not found.episodes:
            raise ValueError(f"Expected at least one finished episode in '{results.path_of(place)}', got none.")
        return cls(found.header, found.episodes)

    def write(self, folder: str | os.PathLike[str], *, charts: bool = False) -> tuple[Path, ...]:
        """Write `report.md`, `report.json` and `episodes.csv`; with `charts`, also PNG and SVG images.

        Args:
            folder: The output folder, created if needed.
            charts: Whether to draw charts; needs the extra `charts`.

        Returns:
            The paths of the files written.

        Raises:
            ImportError: If charts are requested and the extra is not installed.
            RecordingError: If a file cannot be written.
        """
        return report_files.write(self, Path(folder), charts=charts)
