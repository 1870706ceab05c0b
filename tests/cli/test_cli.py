from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

import craftax_text_gym
from craftax_text_gym.cli import app
from craftax_text_gym.games import CLASSIC
from craftax_text_gym.rendering import frames
from tests import subprocesses

COMMAND = "import sys; from craftax_text_gym.cli import main; sys.argv[1:] = {arguments!r}; main()"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, prog_name="craftax-text")


def output(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def test_show_prints_the_observation_and_nothing_else() -> None:
    observation, _ = gym.make(CLASSIC.env_id).reset(seed=5)
    assert output("show", "--game", "classic", "--seed", "5") == f"{observation}\n"


def test_show_plays_actions_by_name_and_number() -> None:
    env = gym.make(CLASSIC.env_id, text_format={"map": "list"})
    env.reset(seed=5)
    for action in ("left", 5, "up"):
        observation, *_ = env.step(action)
    assert output("show", "--game", "classic", "--seed", "5", "--actions", "left, 5,up") != f"{observation}\n"
    env = gym.make(CLASSIC.env_id, reveal=["position"])
    env.reset(seed=5)
    for action in ("left", 5, "up"):
        observation, *_ = env.step(action)
    shown = output("show", "--game", "classic", "--seed", "5", "--actions", "left, 5,up", "--reveal", "position")
    assert shown == f"{observation}\n"


def test_show_writes_the_picture_of_the_same_moment(tmp_path: Path) -> None:
    path = tmp_path / "world.png"
    output("show", "--game", "classic", "--seed", "5", "--picture", str(path))
    env = gym.make(CLASSIC.env_id)
    env.reset(seed=5)
    expected = frames.render(env.unwrapped.scene, 32)  # type: ignore[attr-defined]
    np.testing.assert_array_equal(np.asarray(Image.open(path)), expected)


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        (("show", "--game", "minecraft"), "'full', 'classic'"),
        (("show", "--text-format", "markdwon"), "markdown"),
        (("show", "--reveal", "positon"), "position"),
        (("show", "--seed", "-1"), "at least 0"),
        (("show", "--actions", "jump"), "closest names: up"),
        (("show", "--actions", "43"), "from 0 to 42"),
        (("show", "--picture", "world.jpg"), ".png"),
        (("show", "--picture", "no/such/folder/world.png"), "make the folder 'no/such/folder'"),
    ],
)
def test_bad_input_gives_one_line_with_the_cure_and_status_2(arguments: tuple[str, ...], cure: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("craftax-text: ")
    assert result.stderr.count("\n") == 1
    assert cure in result.stderr


def test_a_picture_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "folder.png"
    folder.mkdir()
    assert "folder" in run("show", "--picture", str(folder)).stderr
    closed = tmp_path / "closed.png"
    closed.symlink_to(tmp_path / "nowhere" / "world.png")
    result = run("show", "--game", "classic", "--picture", str(closed))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "choose another path" in result.stderr


def test_actions_after_the_end_of_the_episode_are_refused() -> None:
    result = run("show", "--game", "classic", "--actions", ",".join(["sleep"] * 4_000))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "the episode then ends" in result.stderr


@pytest.mark.parametrize("arguments", [("show", "--colour"), ("show", "--seed", "first"), ("play-chess",)])
def test_what_cannot_be_parsed_gives_status_2_and_no_traceback(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert "--help" in result.stderr


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["show", "--help"], ["eval", "--help"]])
def test_version_and_help_start_no_jax(arguments: list[str]) -> None:
    program = f"""
    import contextlib, io, json, sys
    from craftax_text_gym.cli import main
    sys.argv[1:] = {arguments!r}
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            main()
    except SystemExit as exit:
        print(json.dumps([exit.code, printed.getvalue(), "jax" in sys.modules]))
    """
    code, printed, has_jax = subprocesses.run(program)
    assert not code
    assert not has_jax
    assert (craftax_text_gym.__version__ if arguments == ["--version"] else "craftax-text") in printed


def test_a_real_process_prints_only_the_observation_on_stdout() -> None:
    arguments = ["show", "--game", "classic", "--seed", "5"]
    done = subprocess.run(
        [sys.executable, "-c", COMMAND.format(arguments=arguments)], capture_output=True, text=True, check=True
    )
    assert done.stdout == output(*arguments)


def test_a_real_process_fails_with_status_2() -> None:
    program = COMMAND.format(arguments=["show", "--game", "minecraft"])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == "craftax-text: Unknown game 'minecraft': expected one of 'full', 'classic', or an environment id.\n"
    )
