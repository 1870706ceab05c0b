from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from craftax_text_gym.cli import app
from craftax_text_gym.engine.cache import CACHE_ENV_VAR


def test_it_readies_a_game_and_a_vector() -> None:
    result = CliRunner().invoke(app, ["warmup", "--game", "classic", "--num-envs", "2"])
    assert result.exit_code == 0, result.output
    assert "Craftax-Classic: ready after" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "switch", "cure"),
    [
        (["--game", "chess"], "", "classic"),
        (["--num-envs", "0"], "", "at least 1"),
        (["--obs-mode", "smell", "--game", "classic"], "", "symbolic"),
        (["--game", "classic"], "off", CACHE_ENV_VAR),
    ],
)
def test_bad_input_gives_one_line(
    arguments: list[str], switch: str, cure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_ENV_VAR, switch or str(tmp_path))
    result = CliRunner().invoke(app, ["warmup", *arguments])
    assert result.exit_code == 2
    assert cure in result.stderr
    assert len(result.stderr.splitlines()) == 1
