"""The README's tables, from the last run and the leaderboards: `python -m benchmarks tables` writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measure import RESULTS
from craftax_text_gym.evaluation import Report
from craftax_text_gym.evaluation.protocols import PROTOCOLS
from craftax_text_gym.evaluation.tables import LABELS, markdown_table, seeds_in_words

_ROOT = Path(__file__).parent.parent
README = _ROOT / "README.md"
LEADERBOARDS = _ROOT / "leaderboards"
_BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
_GAMES = {"full": "full", "classic": "Classic"}


def results(name: str) -> list[dict[str, Any]]:
    """The rows of a benchmark's last run."""
    rows: list[dict[str, Any]] = json.loads((RESULTS / f"{name}.json").read_text())["rows"]
    return rows


def text_table() -> str:
    """Tokens and time by preset and game."""
    times = {(row["game"], row["preset"]): row for row in results("text_time")}
    rows = []
    for row in results("text_size"):
        timed = times.get((row["game"], row["format"]))
        microseconds = f"{timed['median']:.0f}" if timed else ""
        name = f"`{row['format']}`" if timed else f"{row['format']} ({row['scenes']} scenes)"
        rows.append((_GAMES[row["game"]], name, f"{row['median']:.0f}", f"{row['p95']:.0f}", microseconds))
    columns = ("game", "format", "tokens, median", "tokens, 95th percentile", "µs an observation, median")
    return markdown_table(columns, rows)


def step_table() -> str:
    """One step with text compared with upstream's step without text."""
    columns = ("game", "our step with text, µs", "upstream's without, µs", "ratio, median", "ratio, spread")
    rows = [
        (_GAMES[row["game"]], f"{row['ours_us']:.0f}", f"{row['upstream_us']:.0f}", *_ratios(row, "{:.2f}".format))
        for row in results("single_step")
    ]
    return markdown_table(columns, rows)


def part_table(benchmark: str) -> str:
    """The parts of a step."""
    columns = ("game", "what is done", "µs a step and game, median", "spread")
    rows = [
        (_GAMES[row["game"]], row["part"], f"{row['median']:.0f}", f"{row['min']:.0f} to {row['max']:.0f}")
        for row in results(benchmark)
    ]
    return markdown_table(columns, rows)


def vector_table() -> str:
    """A vector's steps per second compared with others'."""
    columns = ("game", "games", "against", "our steps a second", "theirs", "ratio, median", "ratio, spread")
    rows = []
    for row in results("vector"):
        ours, theirs = f"{row['ours_per_second']:,.0f}", f"{row['theirs_per_second']:,.0f}"
        rows.append((_GAMES[row["game"]], row["games"], row["against"], ours, theirs, *_ratios(row, _times)))
    return markdown_table(columns, rows)


def start_table() -> str:
    """The start of the first process and of later ones, compared with imports alone."""
    columns = (
        *("game", "from the imports to the first", "first process, s", "later process, s"),
        *("JAX and Craftax imported, s", "ratio, median"),
    )
    rows = []
    for row in results("start_time"):
        if "to_first" in row:
            seconds = (f"{row[name]:.1f}" for name in ("cold_s", "warm_s", "imports_s"))
            rows.append((_GAMES[row["game"]], row["to_first"], *seconds, f"{row['median']:.2f}"))
    return markdown_table(columns, rows)


def peer_table() -> str:
    """Other systems' times compared with ours."""
    columns = ("game", "what", "ours, µs", "against", "theirs, µs", "ratio, median")
    rows = []
    for row in results("peers"):
        ours, theirs = f"{row['ours_us']:,.0f}", f"{row['theirs_us']:,.0f}"
        rows.append((_GAMES[row["game"]], row["what"], ours, row["against"], theirs, _times(row["median"])))
    return markdown_table(columns, rows)


def leaderboard_table() -> str:
    """The results in `leaderboards`, by game and protocol, the best first."""
    columns = (
        *("game", "protocol", "agent", "score", "value", "95 % interval"),
        *("achievements", "steps", "episodes", "reveals"),
    )
    reports = [Report.load(path) for path in LEADERBOARDS.glob("*.jsonl")]
    protocols = list(PROTOCOLS)
    reports.sort(key=lambda r: (r.game.key, protocols.index(r.header["protocol"]), -r.score, r.agent))
    return markdown_table(columns, [_leaderboard_row(report) for report in reports])


def _leaderboard_row(report: Report) -> tuple[str, ...]:
    low, high = report.score_interval
    return (
        _GAMES[report.game.key],
        f"`{report.header['protocol']}`",
        f"`{report.agent}`",
        LABELS[report.score_name],
        f"{report.score:.1f}",
        f"{low:.1f} to {high:.1f}",
        f"{report.mean_achievements:.1f}",
        f"{report.mean_length:,.0f}",
        f"{len(report.episodes)}, {seeds_in_words(report.header['seeds'])}",
        ", ".join(report.header["reveal"]) or "nothing",
    )


def _ratios(row: dict[str, Any], written: Callable[[float], str]) -> tuple[str, str]:
    """A ratio's median and spread."""
    return written(row["median"]), f"{written(row['min'])} to {written(row['max'])}"


def _times(ratio: float) -> str:
    """At least three digits."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


TABLES: dict[str, Callable[[], str]] = {
    "texts": text_table,
    "steps": step_table,
    "parts": partial(part_table, "step_parts"),
    "vectors": vector_table,
    "vector_parts": partial(part_table, "vector_parts"),
    "starts": start_table,
    "peers": peer_table,
    "leaderboard": leaderboard_table,
}


def rewrite(readme: str) -> str:
    """A README with its tables updated.

    Args:
        readme: Its text, with `<!-- table: NAME -->` and `<!-- end of table -->` around each table.

    Returns:
        The text.
    """
    return _BLOCK.sub(lambda block: block[1] + TABLES[block[2]]() + "\n" + block[3], readme)


def main() -> None:
    """Write the README's tables."""
    README.write_text(rewrite(README.read_text()))


if __name__ == "__main__":
    main()
