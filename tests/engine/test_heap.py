"""Memory that was freed goes back to the system."""

from __future__ import annotations

import ctypes
import platform
from pathlib import Path

import numpy as np
import pytest

from craftax_text_gym.engine import heap


def resident() -> int:
    """The memory of this process in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps what is freed")
def test_what_is_freed_is_returned() -> None:
    small = [np.zeros(8_000, np.uint8) for _ in range(20_000)]  # below glibc's threshold for maps of their own
    for array in small:
        array[:] = 1
    last = np.ones(8_000, np.uint8)  # keeps the heap's end in use
    full = resident()
    del small, array
    heap.trim()
    assert last.all()
    assert resident() < full - 100


@pytest.mark.parametrize("error", [OSError, TypeError])
def test_other_systems_go_without(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: None) -> None:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", missing)
    heap.trim()
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    heap.trim()
