"""Other systems' texts: upstream's own of the full game, and craftaxlm's Classic step where it is installed."""

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
from craftax_text_gym.scene import Scene
from craftax_text_gym.text import PRESETS
from craftax_text_gym.text.moment import Moment
from craftax_text_gym.text.writer import Writer

ROUNDS = 5
TEXTS = 500
"""Of ours a round; of upstream's, which takes long, one."""
EVERY = 100
"""Of the recipe's steps, which ones upstream's texts are of."""
WARM_UP = 3
AT_LEAST = {"craftaxlm": 800.0}


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
def craftaxlm(python: str) -> Iterator[Callable[[], float]]:
    """Microseconds for a step of craftaxlm's in a process of its own.

    Args:
        python: The Python of an environment that has it.

    Yields:
        The contestant.
    """
    command = [python, str(Path(__file__).with_name("peer_craftaxlm_step.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asks, answers = process.stdin, process.stdout

        def run() -> float:
            asks.write("\n")
            asks.flush()
            for line in answers:
                if line.startswith("seconds "):
                    return float(line.split()[1]) * 1e6
            raise RuntimeError(f"craftaxlm's process has ended: try `{' '.join(command)}`.")

        yield run
        asks.close()


def row(game: str, what: str, name: str, contestants: dict[str, Contestant]) -> dict[str, Any]:
    """Let ours and one other warm up and play; how many times as long the other takes."""
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
    """Measure; craftaxlm where `CRAFTAXLM_PYTHON` names its Python."""
    texts = {"ours": our_text(), "theirs": upstreams_text()}
    rows = [row("full", "text of a state", "upstream's render_craftax_text", texts)]
    python = os.environ.get("CRAFTAXLM_PYTHON")
    if python:
        with craftaxlm(python) as theirs:
            steps = {"ours": ours("classic", random_actions("classic")), "theirs": theirs}
            rows.append(row("classic", "step with text", "craftaxlm", steps))
    publish("peers", f"their time / ours, {ROUNDS} rounds", rows)


if __name__ == "__main__":
    main()
