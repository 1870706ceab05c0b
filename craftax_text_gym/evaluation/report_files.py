"""A report as files: Markdown, JSON, CSV, and charts on request."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

from craftax_text_gym.evaluation.tables import LABELS, achievement_rows, describe, markdown_table, score_rows
from craftax_text_gym.recording.json_lines import RecordingError

if TYPE_CHECKING:
    from craftax_text_gym.evaluation.report import Report

_CHARTS = (("achievements", "Success rates"), ("progress", "Return and achievements over steps"))


def write(report: Report, folder: Path, *, charts: bool) -> tuple[Path, ...]:
    """Write a report's files; see `Report.write`."""
    drawn: dict[Path, bytes] = {}
    if charts:
        from craftax_text_gym.evaluation import charts as drawing

        drawn = {folder / name: data for name, data in drawing.draw(report).items()}
    texts = {
        folder / "report.md": to_markdown(report, with_charts=charts),
        folder / "report.json": json.dumps(report.to_json(), indent=1, allow_nan=False) + "\n",
        folder / "episodes.csv": to_csv(report),
    }
    contents = {**drawn, **{path: text.encode() for path, text in texts.items()}}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in contents.items():
            path.write_bytes(data)
    except OSError as error:
        raise RecordingError(
            f"Cannot write into '{folder}' ({error.strerror or error}): choose another folder."
        ) from error
    return tuple(contents)


def to_markdown(report: Report, *, with_charts: bool = False) -> str:
    """A report in Markdown.

    Args:
        report: The report.
        with_charts: Whether its pictures lie beside it.

    Returns:
        The text.
    """
    low, high = report.score_interval
    label = LABELS[report.score_name]
    parts = [
        f"# {report.agent} in {report.game.title}",
        f"**{label}: {report.score:.2f}** (95 % interval {low:.2f} to {high:.2f})",
        "\n".join(f"- {name}: {value}" for name, value in describe(report)),
        "## Scores",
        markdown_table(("score", "value", "95 % interval"), score_rows(report)),
        "## Achievements",
        markdown_table(("achievement", "success rate"), achievement_rows(report)),
    ]
    if with_charts:
        parts += [f"![{title}]({name}.svg)" for name, title in _CHARTS]
    parts += ["## Made by", f"```bash\n{report.header['command']}\n```"]
    return "\n\n".join(parts) + "\n"


def to_csv(report: Report) -> str:
    """A report's episodes as CSV: a line an episode; a column an achievement has the step at which it came.

    Args:
        report: The report.

    Returns:
        The text.
    """
    rows = []
    for episode in report.episodes:
        fields = episode.to_json()
        unlocked = fields.pop("achievements")
        steps = {key: unlocked.get(key, "") for key in report.game.achievement_keys}
        rows.append({**fields, "num_achievements": len(unlocked), **steps})
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
