"""Run the benchmarks, `python -m benchmarks` or some of them by name, and write the README's tables."""

from __future__ import annotations

import sys
from importlib import import_module

BENCHMARKS = (
    "import_time",
    "start_time",
    "single_step",
    "vector",
    "vector_chunks",
    "memory",
    "text_time",
    "text_size",
    "peers",
    "tables",
)

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHMARKS:
        if name not in BENCHMARKS:
            sys.exit(f"Unknown benchmark {name!r}: expected some of {', '.join(BENCHMARKS)}.")
        import_module(f"benchmarks.{name}").main()
