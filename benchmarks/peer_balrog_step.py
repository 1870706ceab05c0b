"""Steps of BALROG's Crafter, the game that Classic is modelled on. `peers` runs it in a separate environment.

Its environment: `pip install crafter gym scipy pillow`, and a checkout of BALROG on its path. Each step gives a text
and a picture, by the settings of BALROG's own configuration. Plays a step for every line that it reads, and answers
with the seconds that it took.
"""

from __future__ import annotations

import itertools
import sys
import time

import crafter
from balrog.environments.crafter import ACTIONS, CrafterLanguageWrapper

PLAYED = (1, 3, 5, 2, 4, 5)


def main() -> None:
    """Play until there are no more lines."""
    env = CrafterLanguageWrapper(crafter.Env(area=(64, 64), view=(9, 9), size=(256, 256), seed=0))
    env.reset()
    for action, _ in zip(itertools.cycle(PLAYED), sys.stdin, strict=False):
        start = time.perf_counter()
        _, _, over, _ = env.step(ACTIONS[action])
        sys.stdout.write(f"seconds {time.perf_counter() - start}\n")
        sys.stdout.flush()
        if over:
            env.reset()


if __name__ == "__main__":
    main()
