"""Other systems' texts: upstream's own; where they are installed, the steps of craftaxlm and of BALROG's Crafter."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from craftax.craftax.renderer import render_craftax_text

from benchmarks.measure import Contestant, alternate, publish, ratio, spread
from benchmarks.scenes import play_rows, play_states
from benchmarks.single_step import ours, random_actions
from craftax_text_gym import games
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.text import PRESETS
from craftax_text_gym.text.writer import Writer

ROUNDS = 5
TEXTS = 500
"""Texts per round for ours; upstream's is slow and writes one."""
EVERY = 100
"""Upstream's texts are of every so many of the recipe's steps."""
WARM_UP = 3
CRAFTAXLM, BALROG = "craftaxlm", "BALROG's Crafter, text and picture"
IN_PROCESSES = {
    CRAFTAXLM: ("CRAFTAXLM_PYTHON", "peer_craftaxlm_step.py"),
    BALROG: ("BALROG_PYTHON", "peer_balrog_step.py"),
}
"""Name -> the variable that names the Python of its environment, and the script that plays it there."""
PLAYED_A_ROUND = 20
"""Steps per round for the faster peer; craftaxlm needs a second per step and plays one."""
AT_LEAST = {CRAFTAXLM: 800.0}


def our_text() -> Contestant:
    """Microseconds for the default text of the full game, over the recipe's steps in turn."""
    spec = games.get("full")
    writer = Writer(spec, PRESETS["markdown"])
    steps = cycle([step for episode in play_rows("full") for step in episode])

    def run() -> float:
        spent = 0.0
        for before, action, after in islice(steps, TEXTS):
            earlier, start = Scene(spec, before), time.perf_counter()
            scene = Scene(spec, after)
            writer.write(Moment(scene, scene.action_mask, earlier, action))
            spent += time.perf_counter() - start
        return spent / TEXTS * 1e6

    return run


def upstreams_text() -> Contestant:
    """Microseconds for upstream's text of the full game, a scene each round."""
    states = cycle(play_states("full", EVERY))

    def run() -> float:
        state = next(states)
        start = time.perf_counter()
        render_craftax_text(state)
        return (time.perf_counter() - start) * 1e6

    return run


@contextmanager
def in_process(python: str, script: str) -> Iterator[Callable[[], float]]:
    """Microseconds per step in a separate process.

    Args:
        python: The Python of an environment that has what the script plays.
        script: Plays a step for each line that it reads.

    Yields:
        The contestant.
    """
    command = [python, str(Path(__file__).with_name(script))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asks, answers = process.stdin, process.stdout

        def step() -> float:
            asks.write("\n")
            asks.flush()
            for line in answers:
                if line.startswith("seconds "):
                    return float(line.split()[1]) * 1e6
            raise RuntimeError(f"The peer's process has ended: try `{' '.join(command)}`.")

        yield step
        asks.close()


def repeated(step: Contestant, times: int) -> Contestant:
    """The mean of some steps."""
    return lambda: sum(step() for _ in range(times)) / times


def row(game: str, what: str, name: str, contestants: dict[str, Contestant]) -> dict[str, Any]:
    """Warm up and measure ours and one other; return how many times as long the other takes."""
    for run in contestants.values():
        for _ in range(WARM_UP):
            run()
    measured = alternate(contestants, ROUNDS)
    found: dict[str, Any] = {
        "game": game,
        "what": what,
        "against": name,
        "ours_us": spread(measured["ours"])["median"],
        "theirs_us": spread(measured["theirs"])["median"],
        **ratio(measured, "theirs", "ours"),
    }
    return found | ({"at_least": AT_LEAST[name]} if name in AT_LEAST else {})


def main() -> None:
    """Measure; peers run in separate processes, if their Python is named."""
    texts = {"ours": our_text(), "theirs": upstreams_text()}
    rows = [row("full", "text of a state", "upstream's render_craftax_text", texts)]
    for name, (variable, script) in IN_PROCESSES.items():
        python = os.environ.get(variable)
        if python:
            with in_process(python, script) as step:
                theirs = step if name == CRAFTAXLM else repeated(step, PLAYED_A_ROUND)
                steps = {"ours": ours("classic", random_actions("classic")), "theirs": theirs}
                rows.append(row("classic", "step with text", name, steps))
    publish("peers", f"their time / ours, {ROUNDS} rounds", rows)


if __name__ == "__main__":
    main()
