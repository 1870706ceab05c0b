"""The README's tables are those of the benchmarks' last run."""

from __future__ import annotations

import json

import pytest

from benchmarks import measure, tables
from benchmarks.__main__ import BENCHMARKS
from craftax_text_gym.utils.provenance import PACKAGES


def test_the_readmes_tables_are_made_from_the_results() -> None:
    readme = tables.README.read_text()
    assert readme.count("<!-- table: ") == len(tables.TABLES)
    assert tables.rewrite(readme) == readme
    assert tables.rewrite(readme.replace("| full |", "| fool |")) == readme


@pytest.mark.parametrize("name", [name for name in BENCHMARKS if name != "tables"])
def test_results_say_what_they_compare_and_under_which_conditions(name: str) -> None:
    result = json.loads((measure.RESULTS / f"{name}.json").read_text())
    assert result["benchmark"] == name
    assert result["what"]
    assert set(result["versions"]) == set(PACKAGES)
    assert {"commit", "python", "cpu", "command", "rows"} <= result.keys()


def test_contestants_take_turns_and_ratios_are_paired() -> None:
    turns: list[str] = []

    def run(name: str, values: list[float]) -> float:
        turns.append(name)
        return values.pop(0)

    ours, theirs = [1.0, 4.0, 3.0], [2.0, 4.0, 12.0]
    measured = measure.alternate({"ours": lambda: run("ours", ours), "theirs": lambda: run("theirs", theirs)}, 3)
    assert turns == ["ours", "theirs"] * 3
    assert measure.ratio(measured, "ours", "theirs") == {"median": 0.5, "min": 0.25, "max": 1.0}
