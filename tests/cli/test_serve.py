from __future__ import annotations

import sys

import pytest
from typer.testing import CliRunner

from craftax_text_gym.cli import app


@pytest.mark.parametrize("server", ["mcp", "openenv"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "chess"], "'classic'"),
        (["--text-format", "markdwn"], "markdown"),
        (["--reveal", "everything"], "position"),
        (["--max-steps", "0"], "at least 1"),
        (["--max-actions", "0"], "at least 1"),
        (["--max-games", "0"], "--max-games"),
        (["--idle-minutes", "0"], "--idle-minutes"),
    ],
)
def test_wrong_options_are_told_in_one_line(server: str, arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["serve", server, *arguments])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(("server", "framework"), [("mcp", "mcp"), ("openenv", "openenv")])
def test_a_missing_extra_is_told_in_one_line(server: str, framework: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == framework]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("mcp_server", "openenv_server"):
        monkeypatch.delitem(sys.modules, f"craftax_text_gym.integrations.{name}", raising=False)
    for name in (framework, "uvicorn"):
        monkeypatch.setitem(sys.modules, name, None)
    result = CliRunner().invoke(app, ["serve", server, "--game", "classic"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f'pip install "craftax-text-gym[{server}]"' in result.stderr
    assert result.stderr.count("\n") == 1
