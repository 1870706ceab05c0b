"""Faults of Gymnasium's own before 1.4, for which tests are skipped there."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from gymnasium.vector import AutoresetMode

_IS_OLD = tuple(int(part) for part in version("gymnasium").split(".")[:2]) < (1, 4)

video_is_torn = pytest.mark.skipif(
    _IS_OLD, reason="Gymnasium before 1.4: RecordVideo raises in __del__ where its __init__ has raised"
)


def skip_wrong_statistics(mode: AutoresetMode) -> None:
    """Skip a test of `RecordEpisodeStatistics` over vectors in the mode in which its counts were wrong."""
    if _IS_OLD and mode is AutoresetMode.SAME_STEP:
        pytest.skip("Gymnasium before 1.4: the vector RecordEpisodeStatistics is wrong in SAME_STEP (its PR #1624)")
