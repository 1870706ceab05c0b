from __future__ import annotations

import json
from pathlib import Path

import gymnasium as gym
import pytest
from typer.testing import CliRunner, Result

from craftax_text_gym.cli import app
from craftax_text_gym.wrappers import RecordTrajectory
from tests.subprocesses import CLASSIC_ID


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["replay", *map(str, arguments)], prog_name="craftax-text")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    env = RecordTrajectory(gym.make(CLASSIC_ID, max_episode_steps=4), tmp_path_factory.mktemp("recorded"))
    env.reset(seed=2)
    for action in ("left", "right", "do", "up"):
        env.step(action)
    assert env.path is not None
    return env.path


def test_check_says_that_all_is_equal(path: Path) -> None:
    result = run(path, "--check")
    assert (result.exit_code, result.stdout) == (0, f"{path}: 4 steps are equal\n")


def test_a_difference_is_shown_and_ends_with_status_1(path: Path) -> None:
    other = path.with_suffix(".other")
    other.write_text(path.read_text().replace('"action":"do"', '"action":"sleep"'))
    result = run(other, "--check")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Step 3: ")
    assert "--- recorded\n+++ replayed" in result.stderr


def test_a_broken_off_recording_is_told(path: Path) -> None:
    other = path.with_suffix(".broken")
    other.write_bytes(b"\n".join(path.read_bytes().split(b"\n")[:4]) + b'\n{"kind":"st')
    result = run(other, "--check")
    assert result.exit_code == 0
    assert "2 steps are equal; the recording is incomplete" in result.stdout
    assert "1 torn lines skipped" in result.stdout


def test_films_are_written(path: Path, tmp_path: Path) -> None:
    result = run(path, "--gif", tmp_path / "film.gif")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'film.gif'}: 5 frames\n")
    assert (tmp_path / "film.gif").read_bytes().startswith(b"GIF89a")
    pytest.importorskip("imageio_ffmpeg")
    result = run(path, "--check", "--mp4", tmp_path / "film.mp4")
    assert (result.exit_code, result.stdout.count("\n")) == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        (("{path}",), "--check, --gif FILE, --mp4 FILE"),
        (("nowhere.jsonl", "--check"), "No such file"),
        (("{folder}", "--check"), "Is a directory"),
        (("{empty}", "--check"), "a header as RecordTrajectory writes it"),
        (("{foreign}", "--check"), "a header as RecordTrajectory writes it"),
        (("{torn}", "--check"), "a header as RecordTrajectory writes it"),
        (("{old}", "--check"), "craftax 1.0.0"),
        (("{bare}", "--check"), "Cannot replay it"),
        (("{path}", "--gif", "film.mp4"), "ends in .gif"),
        (("{path}", "--mp4", "film.gif"), "ends in .mp4"),
        (("{path}", "--gif", "no/such/folder/film.gif"), "make the folder"),
        (("{path}", "--gif", "{folder}/film.gif", "--fps", "0"), "fps above 0"),
        (("{path}", "--gif", "{folder}/film.gif", "--tile-size", "1"), "at least 6"),
        (("{path}", "--gif", "/dev/full/film.gif"), "make the folder"),
    ],
)
def test_bad_input_gives_one_line_with_the_cure_and_status_2(
    path: Path, tmp_path: Path, arguments: tuple[str, ...], cure: str
) -> None:
    names = {name: tmp_path / name for name in ("empty", "foreign", "torn", "old", "bare")}
    names["empty"].touch()
    names["foreign"].write_text('{"hello": "world"}\n')
    names["torn"].write_bytes(path.read_bytes()[:100])
    header, *rest = path.read_text().splitlines()
    versions = {**json.loads(header)["versions"], "craftax": "1.0.0"}
    names["old"].write_text("\n".join([json.dumps({**json.loads(header), "versions": versions}), *rest]))
    names["bare"].write_text("\n".join(['{"kind":"header","format":1}', *rest]))
    filled = [argument.format(path=path, folder=tmp_path, **names) for argument in arguments]
    result = run(*filled)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("craftax-text: ")
    assert result.stderr.count("\n") == 1
    assert cure in result.stderr
