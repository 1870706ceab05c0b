"""Run the benchmarks, `python -m benchmarks` or some of them by name, and write the README's tables."""

from __future__ import annotations

import sys
from importlib import import_module

BENCHMARKS = (
    "import_time",
    "start_time",
    "single_step",
    "step_parts",
    "vector",
    "vector_parts",
    "memory",
    "text_time",
    "text_size",
    "peers",
    "tables",
)
ON_REQUEST = ("vector_chunks",)
"""Benchmarks that run only when named."""

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHMARKS:
        if name not in (*BENCHMARKS, *ON_REQUEST):
            sys.exit(f"Unknown benchmark {name!r}: expected some of {', '.join((*BENCHMARKS, *ON_REQUEST))}.")
        import_module(f"benchmarks.{name}").main()
