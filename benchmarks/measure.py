"""Measure contestants alternately in one run, and publish medians and spreads as text and JSON."""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from craftax_text_gym.utils.provenance import versions

RESULTS = Path(__file__).parent / "results"

Contestant = Callable[[], float]
"""Runs once, and returns what it measured."""


def alternate(contestants: Mapping[str, Contestant], rounds: int) -> dict[str, list[float]]:
    """Run the contestants alternately, so that changes in the machine's load affect them alike.

    Args:
        contestants: Name -> what to run.
        rounds: How often each runs.

    Returns:
        Name -> what it measured in each round.
    """
    measured: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            measured[name].append(run())
    return measured


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, minimum and maximum."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def ratio(measured: Mapping[str, Sequence[float]], ours: str, theirs: str) -> dict[str, float]:
    """Ours over theirs, round by round."""
    return spread([a / b for a, b in zip(measured[ours], measured[theirs], strict=True)])


def conditions() -> dict[str, Any]:
    """What the figures depend on: commit, versions, processor, command."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False, cwd=Path(__file__).parent
    )
    cpu = Path("/proc/cpuinfo")
    names = [line.partition(": ")[2] for line in cpu.read_text().splitlines() if line.startswith("model name")]
    return {
        "commit": commit.stdout.strip() or None,
        "versions": dict(versions()),
        "python": platform.python_version(),
        "cpu": f"{len(names)} x {names[0]}" if names else platform.processor(),
        "command": " ".join(["python", *sys.orig_argv[1:]]),
    }


def publish(name: str, what: str, rows: list[dict[str, Any]]) -> None:
    """Print a benchmark's rows and write them to `results/NAME.json`.

    Args:
        name: The benchmark's name.
        what: What it compares, and how often.
        rows: Flat dicts; `limit` beside `median` says what is not to be passed, `at_least` what is to be reached.
    """
    print(f"\n{name}: {what}")
    for row in rows:
        cells = [f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in row.items()]
        print("  " + ", ".join(cells))
    RESULTS.mkdir(exist_ok=True)
    content = {"benchmark": name, "what": what, **conditions(), "rows": rows}
    (RESULTS / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n")
