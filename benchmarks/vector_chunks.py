"""How many games a compiled batch of a vector should have, and how many batches should be in flight at once."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from benchmarks.measure import alternate, publish, spread
from benchmarks.vector import BURST, ours, steps_per_second

ROUNDS = 7
SETTINGS = {
    64: ((8, None), (16, None), (32, 1), (32, None), (64, None)),
    256: ((16, None), (32, None), (64, 1), (64, 2), (64, None), (128, None), (256, None)),
}
"""Games -> `(chunk_size, num_threads)` to try."""


def main() -> None:
    """Measure both games."""
    rows: list[dict[str, Any]] = []
    for key in ("full", "classic"):
        for num_envs, settings in SETTINGS.items():
            with ExitStack() as stack:
                playing = {
                    f"{size} {threads}": steps_per_second(
                        ours(stack, key, num_envs, chunk_size=size, num_threads=threads), num_envs
                    )
                    for size, threads in settings
                }
                measured = alternate(playing, ROUNDS)
            for (size, threads), values in zip(settings, measured.values(), strict=True):
                row = {"game": key, "games": num_envs, "chunk_size": size, "num_threads": threads}
                rows.append(row | spread(values))
    publish("vector_chunks", f"steps with text and resets a second, {ROUNDS} rounds of {BURST} s", rows)


if __name__ == "__main__":
    main()
