"""craftaxlm's Classic steps. `peers` runs it in a separate environment: see `peer_craftaxlm`.

Plays a step for every line that it reads, and answers with the seconds that it took.
"""

from __future__ import annotations

import itertools
import sys
import time

from craftaxlm.classic.aci import CraftaxClassicACI

ACTIONS = (1, 3, 5, 2, 4, 5)


def main() -> None:
    """Play until there are no more lines."""
    aci = CraftaxClassicACI(seed=0, map_format="compact")
    for action, _ in zip(itertools.cycle(ACTIONS), sys.stdin, strict=False):
        start = time.perf_counter()
        aci._step(action)
        sys.stdout.write(f"seconds {time.perf_counter() - start}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
