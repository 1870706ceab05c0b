"""The memory that XLA has freed goes back to the system: loading or compiling a game frees hundreds of megabytes."""

from __future__ import annotations

import ctypes


def trim() -> None:
    """Have glibc return free memory, which by itself it keeps; with another C library, do nothing."""
    try:
        malloc_trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # musl, macOS or Windows
        return
    malloc_trim(0)
