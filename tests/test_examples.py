from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.subprocesses import ROOT


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_an_example_runs(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("\nachievements\n")
