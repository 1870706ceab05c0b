from __future__ import annotations

import collections
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from craftax_text_gym.recording import json_lines, records, trajectory
from tests import subprocesses
from tests.proof import IS_PROOF, count
from tests.recording.soak import EPISODES

WRITERS = count(200, 12)
REAL = 5

PLAY = """
import sys
import gymnasium as gym
import craftax_text_gym
from craftax_text_gym.agents import RandomAgent
from craftax_text_gym.wrappers import AchievementLogger, RecordTrajectory

folder, seed = sys.argv[1], int(sys.argv[2])
env = gym.make("CraftaxClassicText-v0", max_episode_steps=60)
env = RecordTrajectory(AchievementLogger(env, folder + "/shared.jsonl"), folder + "/trajectories")
agent = RandomAgent()
while True:
    agent.reset(seed)
    observation, info = env.reset(seed=seed)
    ended = False
    while not ended:
        observation, _, terminated, truncated, info = env.step(agent.act(observation, info))
        ended = terminated or truncated
    seed += 1
"""


def soak(folder: Path) -> list[list[int]]:
    program = "import json, sys; from pathlib import Path; from tests.recording.soak import main\n"
    program += "main(*[Path(json.loads(sys.argv[1])), *map(json.loads, sys.argv[2:])])"
    counts: list[list[int]] = subprocesses.run(program, str(folder), WRITERS, 7)
    return counts


def check(folder: Path, counts: list[list[int]], num_real: int = 0) -> None:
    """Every line that was appended is there; a kill costs at most the line that was being written."""
    read = json_lines.read(folder / "shared.jsonl")
    found = collections.Counter(line["seed"] // EPISODES for line in read.values)
    lost = 0
    for writer, (begun, finished) in enumerate(counts):
        assert finished <= found[writer] <= begun <= finished + 1
        lost += begun - found[writer]
    num_files, torn = 0, read.num_torn
    for path in (folder / "trajectories").iterdir():
        lines = json_lines.read(path)
        num_files += 1
        torn += lines.num_torn
        if len(lines.values) > 1:
            assert trajectory.read(path).steps is not None
    print(
        f"\nsoak: {len(counts)} writers killed, {num_real} real ones; {len(read.values)} shared lines, {num_files} "
        f"trajectories; lines lost {lost}, torn {torn}"
    )
    assert sum(finished for _, finished in counts) > 10 * len(counts)
    assert lost <= len(counts)
    assert torn <= len(counts) + num_real
    told = records.read([folder / "shared.jsonl"])
    assert told.num_killed <= len(counts) + num_real
    assert all(record.length in (30, 60) or record.terminated for record in told.finished)


def test_logs_of_killed_writers_all_parse(tmp_path: Path) -> None:
    check(tmp_path, soak(tmp_path))


@pytest.mark.skipif(not IS_PROOF, reason="make proof")
def test_logs_of_killed_writers_beside_real_games_all_parse(tmp_path: Path) -> None:
    players = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(PLAY), str(tmp_path), str(1_000 * EPISODES * (player + 1))],
            env={**os.environ, "PYTHONPATH": str(subprocesses.ROOT)},
            cwd=subprocesses.ROOT,
        )
        for player in range(REAL)
    ]
    try:
        deadline = time.monotonic() + 400
        seen: set[int] = set()
        while len(seen) < REAL:
            assert time.monotonic() < deadline, f"only {len(seen)} of {REAL} games have ended an episode"
            assert all(player.poll() is None for player in players)
            time.sleep(1)
            if (tmp_path / "shared.jsonl").exists():
                lines = json_lines.read(tmp_path / "shared.jsonl").values
                seen = {line["seed"] // (1_000 * EPISODES) for line in lines if line["kind"] == "episode"}
        counts = soak(tmp_path)
    finally:
        for player in players:
            player.send_signal(signal.SIGKILL)
            player.wait()
    check(tmp_path, counts, REAL)
