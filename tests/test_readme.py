"""Whatever stands in the README is true and runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from craftax_text_gym import games, text
from craftax_text_gym.cli import app
from craftax_text_gym.observation.layout import REVEALABLE
from craftax_text_gym.rendering import frames
from tests import pages
from tests.pages import Program
from tests.subprocesses import ROOT

README = pages.README.read_text()
PROGRAMS = pages.programs(README)
BLOCKS = pages.shell_blocks(README)
SHELL = "".join(BLOCKS)
SHOWN = pages.shown(README)


def section(heading: str) -> str:
    return README.split(f"\n{heading}\n")[1].split("\n## ")[0].split("\n### ")[0]


def first_column(heading: str) -> list[str]:
    return re.findall(r"^\| `(\w[\w-]*)`", section(heading), re.MULTILINE)


def test_the_readme_has_programs_commands_and_observations() -> None:
    assert len(PROGRAMS) >= 7
    assert SHELL.count("craftax-text ") >= 2
    assert [game for command, _ in SHOWN for game in ("full", "classic") if game in command] == ["full", "classic"]


@pytest.mark.parametrize("program", [program for program in PROGRAMS if "__main__" not in program.code])
def test_a_program_runs_and_prints_what_it_says(program: Program) -> None:
    pages.run_program(program, pages.README, {"__name__": "readme"})


@pytest.mark.parametrize("program", [program.code for program in PROGRAMS if "__main__" in program.code])
def test_a_program_with_processes_of_its_own_runs(program: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(program)
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(path)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == re.findall(r"print\(.*\)  # (.+)$", program, re.MULTILINE)


def test_the_quickstart_is_the_example() -> None:
    assert PROGRAMS[0].code == (ROOT / "examples" / "agent_loop.py").read_text()


@pytest.mark.parametrize("block", [block for block in BLOCKS if "craftax-text " in block])
def test_the_commands_of_a_block_run(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in re.findall(r"^craftax-text (.*)$", block, re.MULTILINE):
        result = CliRunner().invoke(app, shlex.split(command))
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize(("command", "observation"), SHOWN)
def test_an_observation_is_the_real_one(command: str, observation: str) -> None:
    assert pages.is_the_real_one(command, observation), f"Write the README anew, from: {command}"


@pytest.mark.parametrize(("command", "observation"), SHOWN)
def test_a_picture_is_of_the_same_moment(command: str, observation: str) -> None:
    words = shlex.split(command)
    key, seed = words[words.index("--game") + 1], int(words[words.index("--seed") + 1])
    env = gym.make(games.get(key).env_id)
    assert env.reset(seed=seed)[0] == observation.rstrip("\n")
    picture = np.asarray(Image.open(ROOT / "docs" / "images" / f"{key}.png"))
    np.testing.assert_array_equal(picture, frames.render(env.unwrapped.scene, 32))  # type: ignore[attr-defined]
    assert f"](docs/images/{key}.png)" in README


def test_the_table_of_games_is_true() -> None:
    for spec in games.ALL:
        rows, columns = spec.window
        window = f"{rows} rows \N{MULTIPLICATION SIGN} {columns} columns"
        counts = f"{len(spec.actions)} | {len(spec.achievements)}"
        row = f"| `{spec.env_id}` | {counts} | {window} | {spec.max_steps:,} |"
        assert row in README


def test_the_names_of_the_actions_are_complete() -> None:
    both, full = re.findall(r"^(?:Both games|The full game also): (.*?)\.$", README, re.DOTALL | re.MULTILINE)
    assert tuple(re.findall(r"`(\w+)`", both)) == games.CLASSIC.actions
    assert tuple(re.findall(r"`(\w+)`", both + full)) == games.FULL.actions


def test_the_keys_of_info_are_complete() -> None:
    _, info = gym.make(games.CLASSIC.env_id).reset(seed=0)
    assert first_column("### Info") == list(info)


def test_the_text_formats_and_revealable_facts_are_complete() -> None:
    assert first_column("## Text formats") == list(text.PRESETS)
    for fact in REVEALABLE:
        assert f"`{fact}`" in section("## Seeds and fairness")


def test_every_link_to_a_file_leads_to_one() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_every_make_target_exists() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make (\w+)", SHELL, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
