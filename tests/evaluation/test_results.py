from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from craftax_text_gym.evaluation import Report, evaluate
from craftax_text_gym.evaluation.results import FILE_NAME, read
from tests.evaluation.stub import Walker
from tests.proof import count
from tests.subprocesses import ROOT

EPISODES = count(50, 9)


@pytest.mark.usefixtures("stubbed")
def test_nothing_is_lost_or_repeated_where_a_run_is_killed_at_random_moments(tmp_path: Path) -> None:
    """A process evaluates, is killed when it has added an episode or a few, and another one goes on."""
    rng = random.Random(0)
    kills = 0
    while True:
        kept = _num_lines(tmp_path)
        command = [sys.executable, "-m", "tests.evaluation.stub", str(tmp_path), str(EPISODES)]
        environ = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, cwd=ROOT, env=environ, stderr=subprocess.PIPE) as process:
            while process.poll() is None and _num_lines(tmp_path) <= kept:
                time.sleep(0.002)
            if kills < count(12, 2) and process.poll() is None:
                time.sleep(rng.uniform(0, 0.03))
                process.send_signal(signal.SIGKILL)
                kills += process.wait() == -signal.SIGKILL
                continue
            assert process.wait() == 0, process.stderr.read() if process.stderr else ""
            break
    assert kills >= count(4, 1)
    lines = [json.loads(line) for line in (tmp_path / FILE_NAME).read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["header"] + ["episode"] * EPISODES
    whole = evaluate(Walker, "classic", episodes=EPISODES, max_steps=60)
    assert read(tmp_path).episodes == whole.episodes
    assert json.loads((tmp_path / "report.json").read_text())["missing_seeds"] == []


def _num_lines(folder: Path) -> int:
    path = folder / FILE_NAME
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize("cut", [1, 20, 150])
def test_an_episode_whose_line_is_torn_is_played_again(cut: int, tmp_path: Path) -> None:
    whole = evaluate(Walker, "classic", episodes=5, max_steps=20, output=tmp_path)
    path = tmp_path / FILE_NAME
    path.write_bytes(path.read_bytes()[:-cut])
    found = read(tmp_path)
    is_whole = cut == 1  # only the end of the line is missing
    assert (len(found.episodes), found.num_torn) == ((5, 0) if is_whole else (4, 1))
    assert len(Report.load(tmp_path).missing) == (0 if is_whole else 1)
    resumed = evaluate(Walker, "classic", episodes=5, max_steps=20, output=tmp_path, resume=True)
    assert resumed.episodes == whole.episodes
    assert Report.load(tmp_path).missing == ()


@pytest.mark.usefixtures("stubbed")
def test_a_run_whose_header_was_torn_begins_anew(tmp_path: Path) -> None:
    whole = evaluate(Walker, "classic", episodes=2, max_steps=3, output=tmp_path)
    path = tmp_path / FILE_NAME
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(ValueError, match="not their header"):
        read(tmp_path)
    assert evaluate(Walker, "classic", episodes=2, max_steps=3, output=tmp_path).episodes == whole.episodes
    assert (read(tmp_path).episodes, read(tmp_path).num_torn) == (whole.episodes, 1)


@pytest.mark.usefixtures("stubbed")
def test_a_foreign_file_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('{"kind": "unlock"}\n')
    with pytest.raises(ValueError, match="not their header"):
        evaluate(Walker, "classic", episodes=2, max_steps=3, output=tmp_path, resume=True)
    assert (tmp_path / FILE_NAME).read_text() == '{"kind": "unlock"}\n'


def test_there_must_be_results(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read(tmp_path)
    (tmp_path / "other.jsonl").write_text('{"kind": "unlock"}\n')
    with pytest.raises(ValueError, match="not their header"):
        read(tmp_path / "other.jsonl")
