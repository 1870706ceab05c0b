from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from craftax_text_gym.agents import NoopAgent, recipe_of
from craftax_text_gym.cli import app
from craftax_text_gym.evaluation import Report
from craftax_text_gym.evaluation.results import ResultsWriter
from tests.evaluation.reports import EPISODES, report


def keep(folder: Path, made: Report) -> str:
    writer = ResultsWriter(folder, lambda: made.header, resume=False)
    for episode in made.episodes:
        writer.add(episode)
    return str(folder)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["leaderboard", *arguments], prog_name="craftax-text")


@pytest.fixture
def places(tmp_path: Path) -> list[str]:
    worse: dict[str, Any] = {"agent": recipe_of(NoopAgent)}
    folder = keep(tmp_path / "worse", report(EPISODES[2:3] + EPISODES[3:], **worse))
    return [folder, f"{keep(tmp_path / 'better', report())}/results.jsonl"]


def test_runs_stand_in_one_table_the_best_first(places: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    result = run(*places)
    assert result.exit_code == 0, result.output
    assert result.stdout.index("RandomAgent") < result.stdout.index("NoopAgent")
    assert "2 of 4 episodes of craftax_text_gym.agents.noop:NoopAgent have not ended" in result.stderr


def test_markdown_and_json_have_the_same_rows(places: list[str]) -> None:
    markdown = run(*places, "--markdown").stdout
    assert markdown.startswith("### Craftax-Classic, at most 50 steps\n")
    rows = json.loads(run(*places, "--json").stdout)["rows"]
    assert [f"{row['score']['value']:.2f}" in markdown for row in rows] == [True, True]


def test_what_cannot_be_compared_or_read_is_one_line(places: list[str], tmp_path: Path) -> None:
    full = keep(tmp_path / "full", Report(report(game="full").header, report().episodes))
    cut = tmp_path / "cut.jsonl"
    cut.write_text(Path(places[1]).read_text()[:40])
    empty = tmp_path / "empty.jsonl"
    empty.write_text(Path(places[1]).read_text().splitlines()[0] + "\n")
    for arguments, cure in (
        ([*places, full], "make a table for each"),
        ([str(tmp_path / "nowhere")], "does not exist"),
        ([str(cut)], "not their header"),
        ([str(empty)], "at least one finished episode"),
    ):
        result = run(*arguments)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output
        assert cure in result.stderr


def test_a_log_that_is_cut_in_the_middle_gives_the_episodes_that_are_whole(places: list[str]) -> None:
    path = Path(places[1])
    path.write_bytes(path.read_bytes()[:-30])
    result = run(str(path))
    assert result.exit_code == 0
    assert "1 of 4 episodes" in result.stderr
