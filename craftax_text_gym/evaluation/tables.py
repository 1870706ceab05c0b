"""The rows of tables about a run, for terminals and Markdown alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from craftax_text_gym import games
from craftax_text_gym.evaluation.run_summary import RunSummary

LABELS = {
    "reward_percent": "reward for achievements (%)",
    "progress_percent": "achievements (%)",
    "log_score_percent": "log score (% of maximum)",
    "crafter_score": "Crafter score (%)",
    "achievement_count": "achievements an episode",
}
"""Score -> its label, in the order of the rows."""


def describe(run: RunSummary) -> list[tuple[str, str]]:
    """The settings and totals of a run.

    Args:
        run: The run.

    Returns:
        Pairs of name and value.
    """
    header = run.header
    versions = header["versions"]
    caps = [f"at most {header['max_steps']:,} steps"]
    if header["max_decisions"] is not None:
        caps.append(f"{header['max_decisions']:,} decisions")
    if header["max_actions"] > 1:
        caps.append(f"{header['max_actions']} actions a decision")
    ends = ", ".join(f"{reason} {count}" for reason, count in run.end_reasons.items())
    usage = ", ".join(f"{name.replace('_', ' ')} {value:,.10g}" for name, value in run.usage.items())
    return [
        ("environment", header["env_id"]),
        ("protocol", header["protocol"] or "none"),
        ("episodes", f"{len(run.episodes)} of {len(header['seeds'])}, {seeds_in_words(header['seeds'])}"),
        ("caps", ", ".join(caps)),
        ("reveals", ", ".join(header["reveal"]) or "nothing hidden"),
        ("text format", f"{header['text_format']['markup']}, digest {header['text_format_digest']}"),
        ("mean length", f"{run.mean_length:,.1f} steps"),
        ("mean return", f"{run.mean_return:.2f}"),
        ("ended by", ends),
        ("asked", usage),
        ("versions", ", ".join(f"{name} {versions[name]}" for name in ("craftax-text-gym", "craftax", "jax"))),
        ("backend", header["backend"] or "unknown"),
    ]


def score_rows(scores: Mapping[str, Any], names: Iterable[str] = tuple(LABELS)) -> list[tuple[str, str, str]]:
    """Scores with their confidence intervals.

    Args:
        scores: From `scoring.summary`.
        names: The keys of `LABELS` to show, in this order.

    Returns:
        Label, value and interval of each.
    """
    rows = []
    for name in names:
        low, high = scores["intervals"][name]
        rows.append((LABELS[name], f"{scores[name]:.2f}", f"{low:.2f} to {high:.2f}"))
    together = f"{scores['achievement_union']} of {len(games.get(scores['game']).achievements)}"
    return [
        *rows,
        ("achievements in any episode", together, ""),
        ("reward for health", f"{scores['health_reward']:.2f}", ""),
    ]


def achievement_rows(success_rates: Mapping[str, float]) -> list[tuple[str, str]]:
    """The achievements that were unlocked, the most frequent first, then one row for all others.

    Args:
        success_rates: Achievement -> share of episodes, from 0 to 1.

    Returns:
        Key and success rate of each.
    """
    rates = sorted(success_rates.items(), key=lambda pair: -pair[1])
    rows = [(key, f"{rate:.1%}") for key, rate in rates if rate]
    if len(rows) < len(rates):
        rest = f"the other {len(rates) - len(rows)} of {len(rates)}" if rows else f"all {len(rates)}"
        rows.append((rest, "0.0%"))
    return rows


def seeds_in_words(seeds: Sequence[int]) -> str:
    """Seeds as text; consecutive ones as a range."""
    if len(seeds) == 1:
        return f"seed {seeds[0]}"
    if list(seeds) == list(range(seeds[0], seeds[0] + len(seeds))):
        return f"seeds {seeds[0]} to {seeds[-1]}"
    return f"seeds {', '.join(map(str, seeds))}"


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table.

    Args:
        columns: The headings.
        rows: The cells, row by row.

    Returns:
        The lines of the table.
    """
    heading, *lines = [
        f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |" for cells in (columns, *rows)
    ]
    return "\n".join([heading, f"|{'---|' * len(columns)}", *lines])
