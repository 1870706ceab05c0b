"""A report's numbers in words, row by row, for terminals and Markdown alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from craftax_text_gym.evaluation.report import Report

LABELS = {
    "reward_percent": "reward for achievements (%)",
    "progress_percent": "achievements (%)",
    "log_score_percent": "log score (% of maximum)",
    "crafter_score": "Crafter score (%)",
    "achievement_count": "achievements an episode",
}
"""Score -> the words for it; those that a table shows."""


def describe(report: Report) -> list[tuple[str, str]]:
    """What a run was: name and value, in words.

    Args:
        report: Of the run.

    Returns:
        The pairs.
    """
    header = report.header
    versions = header["versions"]
    caps = [f"at most {header['max_steps']:,} steps"]
    if header["max_decisions"] is not None:
        caps.append(f"{header['max_decisions']:,} decisions")
    if header["max_actions"] > 1:
        caps.append(f"{header['max_actions']} actions a decision")
    ends = ", ".join(f"{reason} {count}" for reason, count in report.end_reasons.items())
    usage = ", ".join(f"{name.replace('_', ' ')} {value:,.10g}" for name, value in report.usage.items())
    return [
        ("environment", header["env_id"]),
        ("protocol", header["protocol"] or "none"),
        ("episodes", f"{len(report.episodes)} of {len(header['seeds'])}, {seeds_in_words(header['seeds'])}"),
        ("caps", ", ".join(caps)),
        ("reveals", ", ".join(header["reveal"]) or "nothing hidden"),
        ("text format", f"{header['text_format']['markup']}, digest {header['text_format_digest']}"),
        ("mean length", f"{report.mean_length:,.1f} steps"),
        ("mean return", f"{report.mean_return:.2f}"),
        ("ended by", ends),
        ("asked", usage),
        ("versions", ", ".join(f"{name} {versions[name]}" for name in ("craftax-text-gym", "craftax", "jax"))),
        ("backend", header["backend"] or "not told"),
    ]


def score_rows(report: Report) -> list[tuple[str, str, str]]:
    """Every score with its interval.

    Args:
        report: Of the run.

    Returns:
        Label, value and interval of each.
    """
    scores = report.scores
    rows = []
    for name, label in LABELS.items():
        low, high = scores["intervals"][name]
        rows.append((label, f"{scores[name]:.2f}", f"{low:.2f} to {high:.2f}"))
    together = f"{scores['achievement_union']} of {len(report.game.achievements)}"
    return [
        *rows,
        ("achievements in any episode", together, ""),
        ("reward for health", f"{scores['health_reward']:.2f}", ""),
    ]


def achievement_rows(report: Report) -> list[tuple[str, str]]:
    """Every achievement that was reached, the most frequent first, and how many were not.

    Args:
        report: Of the run.

    Returns:
        Key and success rate of each.
    """
    rates = sorted(report.success_rates.items(), key=lambda pair: -pair[1])
    rows = [(key, f"{rate:.1%}") for key, rate in rates if rate]
    if len(rows) < len(rates):
        rest = f"the other {len(rates) - len(rows)} of {len(rates)}" if rows else f"all {len(rates)}"
        rows.append((rest, "0.0%"))
    return rows


def seeds_in_words(seeds: Sequence[int]) -> str:
    """Seeds, shortened where they follow one another."""
    if len(seeds) == 1:
        return f"seed {seeds[0]}"
    if list(seeds) == list(range(seeds[0], seeds[0] + len(seeds))):
        return f"seeds {seeds[0]} to {seeds[-1]}"
    return f"seeds {', '.join(map(str, seeds))}"


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table in Markdown.

    Args:
        columns: Their headings.
        rows: The cells.

    Returns:
        Its lines.
    """
    heading, *lines = [
        f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |" for cells in (columns, *rows)
    ]
    return "\n".join([heading, f"|{'---|' * len(columns)}", *lines])
