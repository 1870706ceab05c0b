from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from craftax_text_gym.cli import app
from craftax_text_gym.play import PlayApp
from craftax_text_gym.recording import replay, trajectory


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, prog_name="craftax-text")


def press(*actions: str) -> Any:
    """What stands in for the application's `run`: a person who plays these actions and quits."""

    def play(self: PlayApp) -> None:
        self._env.reset(seed=self._seed)
        for action in actions:
            self._env.step(action)

    return play


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        (("--game", "minecraft"), "'full', 'classic'"),
        (("--seed", "-1"), "at least 0"),
        (("--text-format", "markdwon"), "markdown"),
        (("--output", "game.txt"), ".jsonl"),
        (("--output", "no/such/folder/game.jsonl"), "make the folder 'no/such/folder'"),
        ((), "Expected a terminal"),
    ],
)
def test_bad_input_gives_one_line_with_the_cure_and_status_2(arguments: tuple[str, ...], cure: str) -> None:
    result = run("play", *arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert cure in result.stderr


def test_without_the_extra_the_command_to_install_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "textual" or ".play" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "textual", None)
    result = run("play")
    assert result.exit_code == 2
    assert 'pip install "craftax-text-gym[play]"' in result.stderr


def test_a_recorded_game_is_a_trajectory_under_the_name_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("craftax_text_gym.cli.play._is_terminal", lambda: True)
    monkeypatch.setattr(PlayApp, "run", press("left", "do", "up"))
    path = tmp_path / "game.jsonl"
    result = run("play", "--game", "classic", "--seed", "5", "--output", str(path))
    assert result.exit_code == 0, result.output
    assert f"Recorded in '{path}'" in result.stdout
    assert list(tmp_path.iterdir()) == [path]
    recorded = trajectory.read(path)
    assert [line["action"] for line in recorded.steps] == ["left", "do", "up"]
    assert replay.check(recorded) == 3
    again = run("play", "--output", str(path))
    assert (again.exit_code, again.stderr.count("\n")) == (2, 1)
    assert "is there already" in again.stderr


def test_a_recording_that_fails_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("craftax_text_gym.cli.play._is_terminal", lambda: True)
    monkeypatch.setattr(PlayApp, "run", lambda _: "Cannot write: no space left.")
    result = run("play", "--game", "classic", "--output", str(tmp_path / "game.jsonl"))
    assert (result.exit_code, result.stderr) == (2, "craftax-text: Cannot write: no space left.\n")


def test_a_recording_becomes_a_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("craftax_text_gym.cli.play._is_terminal", lambda: True)
    monkeypatch.setattr(PlayApp, "run", press("left", "do"))
    path, page = tmp_path / "game.jsonl", tmp_path / "game.html"
    run("play", "--game", "classic", "--seed", "5", "--output", str(path))
    result = run("replay", str(path), "--html", str(page))
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{page}: 3 frames\n"
    assert "<title>Craftax-Classic, seed 5</title>" in page.read_text(encoding="utf-8")
    assert "ends in .html" in run("replay", str(path), "--html", "page.txt").stderr
    folder = tmp_path / "folder.html"
    folder.mkdir()
    assert "got the folder" in run("replay", str(path), "--html", str(folder)).stderr
