"""A table of several runs, the best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from craftax_text_gym.evaluation.report import Report
from craftax_text_gym.evaluation.tables import LABELS, markdown_table, seeds_in_words

_MUST_AGREE = ("game", "protocol", "max_steps", "max_decisions", "max_actions", "env_params")
"""Header entries that must be equal for scores to be comparable."""


@dataclass(frozen=True)
class Leaderboard:
    """Runs of one game under the same rules.

    Attributes:
        reports: At least one, sorted by score, the best first.
    """

    reports: tuple[Report, ...]

    def __post_init__(self) -> None:
        """Raise `ValueError` if there is no report, or the runs cannot be compared."""
        if not self.reports:
            raise ValueError("Expected at least one report, got none.")
        for name in _MUST_AGREE:
            _check_agree(name, [report.header for report in self.reports])
        ranked = sorted(self.reports, key=lambda report: (-report.score, report.agent))
        object.__setattr__(self, "reports", tuple(ranked))

    @property
    def title(self) -> str:
        """The game and the rules that all runs share."""
        header = self.reports[0].header
        rules = f"protocol {header['protocol']}" if header["protocol"] else f"at most {header['max_steps']:,} steps"
        return f"{self.reports[0].game.title}, {rules}"

    @property
    def columns(self) -> tuple[str, ...]:
        """The column headings."""
        label = LABELS[self.reports[0].score_name]
        return ("agent", label, "95 % interval", "achievements", "return", "steps", "episodes", "reveals", "versions")

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The cells, one row per run."""
        return [_row(report) for report in self.reports]

    def to_markdown(self) -> str:
        """The table as Markdown, with the command that produced each row."""
        commands = "\n".join(report.header["command"] for report in self.reports)
        return f"### {self.title}\n\n{markdown_table(self.columns, self.rows)}\n\n```bash\n{commands}\n```\n"

    def to_json(self) -> list[dict[str, Any]]:
        """The rows, JSON-able, without the episodes."""
        reports = [report.to_json() for report in self.reports]
        return [{key: value for key, value in report.items() if key != "episodes"} for report in reports]


def _row(report: Report) -> tuple[str, ...]:
    low, high = report.score_interval
    header = report.header
    seeds = seeds_in_words(header["seeds"])
    played = f"{len(report.episodes)} of {len(header['seeds'])}" if report.missing else str(len(report.episodes))
    versions = ", ".join(f"{name} {header['versions'][name]}" for name in ("craftax-text-gym", "craftax", "jax"))
    return (
        report.agent,
        f"{report.score:.2f}",
        f"{low:.2f} to {high:.2f}",
        f"{report.mean_achievements:.1f}",
        f"{report.mean_return:.2f}",
        f"{report.mean_length:,.0f}",
        f"{played}, {seeds}",
        ", ".join(header["reveal"]) or "nothing",
        versions,
    )


def _check_agree(name: str, headers: Sequence[Mapping[str, Any]]) -> None:
    first = headers[0]
    for header in headers[1:]:
        if header[name] != first[name]:
            raise ValueError(
                f"Expected runs under the same rules, got {name} {first[name]!r} of {first['agent']!r} and "
                f"{header[name]!r} of {header['agent']!r}: make a table for each."
            )
