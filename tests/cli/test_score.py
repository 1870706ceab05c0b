from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from craftax_text_gym import scoring
from craftax_text_gym.cli import app
from craftax_text_gym.recording import json_lines
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.wrappers import AchievementLogger, EpisodeScores, RecordTrajectory
from tests.recording.stubs import RecordedEnv
from tests.scoring.test_formulas import record


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["score", *map(str, arguments)], prog_name="craftax-text")


def played(folder: Path) -> tuple[EpisodeRecord, ...]:
    """Two episodes and an unfinished one, logged and recorded."""
    env = EpisodeScores(AchievementLogger(RecordTrajectory(RecordedEnv(9), folder / "steps"), folder / "log.jsonl"))
    for seed in range(2):
        env.reset(seed=seed)
        for _ in range(9):
            env.step(0)
    env.reset(seed=2)
    env.step(0)
    env.close()
    return env.records


def test_logs_and_trajectories_score_alike(tmp_path: Path) -> None:
    records = played(tmp_path)
    for files in ([tmp_path / "log.jsonl"], list((tmp_path / "steps").iterdir())):
        result = run(*files, "--json")
        assert result.exit_code == 0, result.output
        told = json.loads(result.stdout)
        assert told.pop("left_out") == {"unfinished": 1, "without_record": 0, "torn_lines": 0}
        assert told == scoring.summary(records)


def test_results_of_evaluations_score_too(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    json_lines.append(path, {"kind": "header", "agent": "random"})
    for seed in range(3):
        json_lines.append(path, {"kind": "episode", **record("enter_dungeon", game="full", seed=seed).to_json()})
    told = json.loads(run(path, "--json").stdout)
    assert (told["game"], told["episodes"], told["left_out"]["without_record"]) == ("full", 3, 0)
    assert told["success_rates"]["enter_dungeon"] == 1


@pytest.mark.parametrize(("left", "num_torn"), [("", 0), ('{"k', 1), ('{"kind":"header","format":1,"ga', 1)])
def test_a_file_that_a_killed_process_had_only_begun_spoils_no_other(tmp_path: Path, left: str, num_torn: int) -> None:
    records = played(tmp_path)
    (tmp_path / "steps" / "classic-7-0123456789ab.jsonl").write_text(left)
    result = run(*(tmp_path / "steps").iterdir(), "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told.pop("left_out") == {"unfinished": 1, "without_record": 1, "torn_lines": num_torn}
    assert told == scoring.summary(records)


def test_the_table_has_the_scores_and_what_was_left_out(tmp_path: Path) -> None:
    played(tmp_path)
    with (tmp_path / "log.jsonl").open("ab") as file:
        file.write(b'{"kind":"unl')
    result = run(tmp_path / "log.jsonl")
    table = " ".join(result.stdout.split())
    assert result.exit_code == 0, result.output
    assert "Craftax-Classic, 2 episodes" in table
    assert "achievements in any episode │ 5 of 22" in table
    assert "collect_wood │ 100.0%" in table
    assert "the other 17 of 22 │ 0.0%" in table
    assert "left out: 1 unfinished, 1 torn lines" in table
    assert run(tmp_path / "log.jsonl").stdout == result.stdout
    assert "3 episodes" in run(tmp_path / "log.jsonl", "--unfinished").stdout


def test_unfinished_episodes_alone_are_no_result(tmp_path: Path) -> None:
    env = AchievementLogger(RecordedEnv(), tmp_path / "log.jsonl")
    env.reset(seed=1)
    env.step(0)
    assert "1 without a record" in run(tmp_path / "log.jsonl").stderr
    env.close()
    result = run(tmp_path / "log.jsonl")
    assert result.exit_code == 2
    assert "--unfinished" in result.stderr


@pytest.mark.parametrize(
    ("files", "cure"),
    [
        (("nowhere.jsonl",), "there is no 'nowhere.jsonl'"),
        (("{folder}",), "/*.jsonl"),
        (("{folder}/empty",), "0 unfinished, 1 without a record"),
        (("{folder}/foreign",), "none of them from there"),
        (("{folder}/torn",), "0 unfinished, 1 without a record"),
        (("{folder}/words",), "with 0 lines of JSON"),
        (("{folder}/broken",), "Expected an episode's record with seed"),
        (("{folder}/classic", "{folder}/full"), "one game, got classic and full"),
        (("{folder}/unknown",), "Unknown game 'chess'"),
        (("{folder}/renamed",), "closest choices: collect_wood"),
        (("{folder}/classic", "--seed", "-1"), "at least 0"),
    ],
)
def test_bad_input_gives_one_line_with_the_cure_and_status_2(tmp_path: Path, files: tuple[str, ...], cure: str) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "foreign").write_text('{"hello": "world"}\n')
    (tmp_path / "words").write_text("hello\n")
    (tmp_path / "torn").write_text('{"kind":"episode","game":"cla')
    (tmp_path / "broken").write_text('{"kind":"episode","game":"classic"}\n')
    for game in ("classic", "full"):
        json_lines.append(tmp_path / game, {"kind": "episode", **record(game=game).to_json()})
    json_lines.append(tmp_path / "unknown", {"kind": "episode", **record(game="chess").to_json()})
    json_lines.append(tmp_path / "renamed", {"kind": "episode", **record("colect_wood").to_json()})
    result = run(*(file.format(folder=tmp_path) for file in files))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("craftax-text: ")
    assert result.stderr.count("\n") == 1
    assert cure in result.stderr
