"""The files of a report: Markdown, JSON, CSV and, on request, charts."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from craftax_text_gym.evaluation.run_summary import RunSummary
from craftax_text_gym.evaluation.tables import LABELS, achievement_rows, describe, markdown_table, score_rows
from craftax_text_gym.recording.json_lines import RecordingError

_CHARTS = (("achievements", "Success rates"), ("progress", "Return and achievements over steps"))


def write(run: RunSummary, folder: Path, *, charts: bool) -> tuple[Path, ...]:
    """Write the files of a report; see `Report.write`."""
    drawn: dict[Path, bytes] = {}
    if charts:
        from craftax_text_gym.evaluation import charts as drawing

        drawn = {folder / name: data for name, data in drawing.draw(run).items()}
    texts = {
        folder / "report.md": to_markdown(run, with_charts=charts),
        folder / "report.json": json.dumps(run.to_json(), indent=1, allow_nan=False) + "\n",
        folder / "episodes.csv": to_csv(run),
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


def to_markdown(run: RunSummary, *, with_charts: bool = False) -> str:
    """A run as Markdown.

    Args:
        run: The run.
        with_charts: Whether to embed the charts, which lie in the same folder.

    Returns:
        The text.
    """
    low, high = run.score_interval
    label = LABELS[run.score_name]
    parts = [
        f"# {run.headline}",
        f"**{label}: {run.score:.2f}** (95 % interval {low:.2f} to {high:.2f})",
        "\n".join(f"- {name}: {value}" for name, value in describe(run)),
        "## Scores",
        markdown_table(("score", "value", "95 % interval"), score_rows(run.scores)),
        "## Achievements",
        markdown_table(("achievement", "success rate"), achievement_rows(run.success_rates)),
    ]
    if with_charts:
        parts += [f"![{title}]({name}.svg)" for name, title in _CHARTS]
    parts += ["## Made by", f"```bash\n{run.header['command']}\n```"]
    return "\n\n".join(parts) + "\n"


def to_csv(run: RunSummary) -> str:
    """The episodes of a run as CSV: one line per episode, one column per achievement with the step of its unlock.

    Args:
        run: The run.

    Returns:
        The text.
    """
    rows = []
    for episode in run.episodes:
        fields = episode.to_json()
        unlocked = fields.pop("achievements")
        steps = {key: unlocked.get(key, "") for key in run.game.achievement_keys}
        rows.append({**fields, "num_achievements": len(unlocked), **steps})
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
