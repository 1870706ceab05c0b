from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from craftax_text_gym import games, scoring
from craftax_text_gym.evaluation import Report
from craftax_text_gym.recording.json_lines import RecordingError
from tests.evaluation.reports import EPISODES, report


def test_a_report_averages_its_episodes() -> None:
    made = report()
    assert (made.mean_return, made.mean_length, made.mean_achievements) == (0.75, 25.0, 1.0)
    rates = made.success_rates
    assert tuple(rates) == games.CLASSIC.achievement_keys
    assert {key: rate for key, rate in rates.items() if rate} == {"collect_wood": 0.5, "eat_cow": 0.25, "wake_up": 0.25}
    assert made.end_reasons == {"death": 3, "step_cap": 1}
    assert made.usage == {"decisions": 100, "invalid_replies": 6, "input_tokens": 300}
    assert made.scores == scoring.summary(EPISODES)


def test_the_score_is_the_protocol_s() -> None:
    assert (report().score_name, report(protocol="balrog").score_name) == ("reward_percent", "progress_percent")
    made = report(protocol="craftaxlm")
    low, high = made.score_interval
    assert low <= made.score == scoring.log_score_percent(EPISODES) <= high


def test_a_report_without_episodes_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one episode"):
        report(())


def test_what_is_missing_is_told() -> None:
    assert report(EPISODES[:3]).missing == (3,)
    assert "3 of 4, seeds 0 to 3" in _markdown(report(EPISODES[:3]))


def test_json_has_all_of_it(tmp_path: Path) -> None:
    made = report()
    made.write(tmp_path)
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["scores"] == made.scores
    assert told["episodes"] == [episode.to_json() for episode in EPISODES]
    assert told["versions"] == made.header["versions"]
    assert told["score"] == {"name": "reward_percent", "value": made.score, "interval": list(made.score_interval)}


def test_csv_has_a_line_an_episode(tmp_path: Path) -> None:
    report().write(tmp_path)
    with (tmp_path / "episodes.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["seed"]) for row in rows] == [0, 1, 2, 3]
    assert [row["collect_wood"] for row in rows] == ["3", "25", "", ""]
    assert [row["input_tokens"] for row in rows] == ["", "100", "100", "100"]
    assert [int(row["num_achievements"]) for row in rows] == [2, 1, 0, 1]


def _markdown(made: Report) -> str:
    from craftax_text_gym.evaluation.report_files import to_markdown

    return to_markdown(made)


def test_markdown_names_rules_scores_and_the_command() -> None:
    made = report(protocol="craftaxlm", seeds=tuple(range(10_000, 10_004)), env_options={"reveal": ("kills",)})
    text = _markdown(made)
    assert re.search(rf"log score \(% of maximum\): {made.score:.2f}\*\* \(95 % interval", text)
    assert "| collect_wood | 50.0% |" in text
    assert "| the other 19 of 22 | 0.0% |" in text
    for words in ("protocol: craftaxlm", "reveals: kills", f"craftax {made.header['versions']['craftax']}"):
        assert words in text
    assert text.rstrip().endswith(f"```bash\n{made.header['command']}\n```")
    assert "![" not in text


def test_charts_are_drawn_and_shown(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    made = report()
    paths = made.write(tmp_path, charts=True)
    names = {path.name for path in paths}
    assert names == {path.name for path in tmp_path.iterdir()}
    assert {"achievements.png", "achievements.svg", "progress.png", "progress.svg"} <= names
    assert set(re.findall(r"!\[.*\]\((.*)\)", (tmp_path / "report.md").read_text())) <= names
    for name in ("achievements", "progress"):
        pixels = np.asarray(Image.open(tmp_path / f"{name}.png").convert("RGB"))
        assert (pixels == (0x2A, 0x6F, 0x97)).all(axis=2).sum() > 500  # what is drawn, in its colour
        assert "</svg>" in (tmp_path / f"{name}.svg").read_text()
    first = {path.name: path.read_bytes() for path in paths}
    assert {path.name: path.read_bytes() for path in report().write(tmp_path, charts=True)} == first


def test_the_curves_are_what_the_achievements_are_worth() -> None:
    pytest.importorskip("matplotlib")
    from craftax_text_gym.evaluation import charts

    worth = {"collect_wood": 1.0, "eat_cow": 5.0}
    assert charts._curve(EPISODES[0], worth, np.array([0, 2, 3, 8, 9, 40])).tolist() == [0, 0, 1, 1, 6, 6]
    assert charts._curve(EPISODES[2], worth, np.array([0, 40])).tolist() == [0, 0]


def test_charts_without_the_extra_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "craftax_text_gym.evaluation.charts", raising=False)
    monkeypatch.delattr("craftax_text_gym.evaluation.charts", raising=False)
    with pytest.raises(ImportError, match=r'pip install "craftax-text-gym\[charts\]"'):
        report().write(tmp_path, charts=True)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(RecordingError, match="choose another folder"):
        report().write(tmp_path / "taken")
