"""Writers that share files and are killed at random moments. A program: FOLDER, COUNT and SEED, all in JSON.

Each is a fork of this process, which starts no JAX. It counts in shared memory how many lines it began to append and
how many are in the file, so that a lost line is known for one.
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from craftax_text_gym.recording import json_lines
from craftax_text_gym.wrappers import AchievementLogger, RecordTrajectory
from tests.recording.stubs import RecordedEnv

AT_ONCE = 16
EPISODES = 100_000
"""The seeds of each writer: its number times this, and those that follow."""

LONGEST = 0.5
"""The longest life of a writer, in seconds."""


def write(folder: Path, writer: int, counts: Any) -> None:
    """Play for ever, and log it."""
    append = json_lines.append

    def counted(path: Any, value: Mapping[str, Any]) -> None:
        if Path(path).name == "shared.jsonl":
            counts[0] += 1
            append(path, value)
            counts[1] += 1
        else:
            append(path, value)

    json_lines.append = counted
    env = RecordTrajectory(AchievementLogger(RecordedEnv(), folder / "shared.jsonl"), folder / "trajectories")
    seed = writer * EPISODES
    while True:
        env.reset(seed=seed)
        ended = False
        while not ended:
            _, _, ended, _, _ = env.step(0)
        seed += 1


def main(folder: Path, count: int, seed: int) -> None:
    """Start the writers, kill each, and print what each began and finished."""
    rng = np.random.default_rng(seed)
    memory = mmap.mmap(-1, count * 2 * 8)
    counts = np.frombuffer(memory, np.int64).reshape(count, 2)
    ends: dict[int, float] = {}
    started = 0
    while started < count or ends:
        while started < count and len(ends) < AT_ONCE:
            process = os.fork()
            if not process:
                try:
                    write(folder, started, counts[started])
                finally:
                    os._exit(1)
            ends[process] = time.monotonic() + rng.uniform(0, LONGEST)
            started += 1
        for process in [process for process, end in ends.items() if end <= time.monotonic()]:
            os.kill(process, signal.SIGKILL)
            _, status = os.waitpid(process, 0)
            assert os.WIFSIGNALED(status), "a writer failed before it was killed"
            del ends[process]
        time.sleep(0.001)
    assert "jax" not in sys.modules
    print(json.dumps(counts.tolist()))


if __name__ == "__main__":
    main(Path(json.loads(sys.argv[1])), json.loads(sys.argv[2]), json.loads(sys.argv[3]))
