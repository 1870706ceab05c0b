from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import craftax_text_gym
from craftax_text_gym.agents import AgentError
from craftax_text_gym.cli import app
from craftax_text_gym.evaluation import Report, evaluate
from tests.evaluation import stub
from tests.evaluation.conftest import stubbed  # noqa: F401  a fixture
from tests.subprocesses import ROOT

WALKER = ("eval", "--game", "classic", "--agent", "tests.evaluation.stub:Walker", "--max-steps", "20")


class Failing(stub.Walker):
    """Cannot go on."""

    def act(self, observation: object, info: object) -> str:  # noqa: ARG002
        raise AgentError("There is no key: set\nOPENAI_API_KEY.")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, prog_name="craftax-text")


def test_eval_prints_what_came_of_the_episodes() -> None:
    arguments = ("eval", "--game", "classic", "--episodes", "3", "--seed", "4", "--max-steps", "60", "--available-only")
    result = run(*arguments, "--num-envs", "2")
    assert result.exit_code == 0, result.output
    table = " ".join(result.stdout.split())
    assert "random (available_only=True) in Craftax-Classic" in table
    for words in ("CraftaxClassicText-v0", "3 of 3, seeds 4 to 6", "at most 60 steps", "collect_wood", "%"):
        assert words in table
    assert f"craftax-text-gym {craftax_text_gym.__version__}, craftax 1." in table
    assert run(*arguments, "--num-envs", "1").stdout == result.stdout


@pytest.mark.usefixtures("stubbed")
def test_eval_counts_what_was_never_reached() -> None:
    result = run("eval", "--game", "classic", "--agent", "noop", "--episodes", "1", "--max-steps", "1", "--seed", "3")
    assert "1 of 1, seed 3" in result.stdout
    assert "all 22" in result.stdout
    assert "step_cap 1" in result.stdout


@pytest.mark.usefixtures("stubbed")
def test_json_is_the_report() -> None:
    printed = json.loads(run(*WALKER, "--episodes", "4", "--json").stdout)
    expected = evaluate(stub.Walker, "classic", episodes=4, max_steps=20)
    assert printed["episodes"] == [episode.to_json() for episode in expected.episodes]
    assert printed["scores"] == expected.scores


@pytest.mark.usefixtures("stubbed")
def test_a_run_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    folder = ("--output", str(tmp_path / "run"))
    first = run(*WALKER, "--episodes", "3", *folder)
    assert {path.name for path in (tmp_path / "run").iterdir()} == {
        "results.jsonl", "report.md", "report.json", "episodes.csv",
    }  # fmt: skip
    assert run(*WALKER, "--episodes", "3", *folder, "--resume").stdout == first.stdout
    assert f"--output {folder[1]}" not in Report.load(tmp_path / "run").header["command"]
    for arguments, cure in (
        ((*WALKER, "--episodes", "3", *folder), "--resume"),
        ((*WALKER, "--episodes", "4", *folder, "--resume"), "seeds is [0, 1, 2] there, [0, 1, 2, 3] here"),
    ):
        _check_one_line(run(*arguments), cure)


@pytest.mark.usefixtures("stubbed")
def test_charts_lie_in_the_folder(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert run(*WALKER, "--episodes", "2", "--output", str(tmp_path), "--charts").exit_code == 0
    assert (tmp_path / "achievements.png").is_file()


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        (("--game", "minecraft"), "'full', 'classic'"),
        (("--agent", "oracle"), "random"),
        (("--agent", "no.such:Agent"), "cannot be loaded"),
        (("--agent-option", "available"), "key=value"),
        (("--agent-option", "availble_only=true"), "available_only"),
        (("--agent", "llm"), "model"),
        (("--seed", "-1"), "at least 0"),
        (("--episodes", "0"), "at least 1"),
        (("--max-steps", "0"), "at least 1"),
        (("--max-actions", "0"), "at least 1"),
        (("--num-envs", "0"), "at least 1"),
        (("--agent", "noop", "--available-only"), "--agent random"),
        (("--protocol", "craftaxml"), "craftaxlm"),
        (("--protocol", "craftaxlm", "--seed", "3"), "leave --seed out"),
        (("--protocol", "craftaxlm", "--max-steps", "3"), "leave it out"),
        (("--text-format", "markdwon"), "markdown"),
        (("--reveal", "positon"), "position"),
        (("--resume",), "--output"),
        (("--trajectories",), "--output"),
        (("--charts",), "--output"),
        (("--output", "pyproject.toml"), "got the file"),
        (("--output", "pyproject.toml/run"), "choose another"),
        (("--backend", "lcoal"), "local"),
        (("--dry-run",), "--agent llm"),
        (("--game", "classic", "--agent", f"{__name__}:Failing"), "set OPENAI_API_KEY."),
    ],
)
def test_bad_input_gives_one_line_with_the_cure_and_status_2(arguments: tuple[str, ...], cure: str) -> None:
    _check_one_line(run("eval", *arguments), cure)


def _check_one_line(result: Result, cure: str) -> None:
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.startswith("craftax-text: ")
    assert result.stderr.count("\n") == 1
    assert cure in result.stderr


@pytest.mark.usefixtures("stubbed")
def test_charts_without_the_extra_are_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "craftax_text_gym.evaluation.charts", raising=False)
    monkeypatch.delattr("craftax_text_gym.evaluation.charts", raising=False)
    _check_one_line(run(*WALKER, "--output", str(tmp_path), "--charts"), 'pip install "craftax-text-gym[charts]"')
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_prints_the_first_messages_and_asks_nobody() -> None:
    arguments = ("--game", "classic", "--agent", "llm", "--agent-option", "model=some-model", "--protocol", "craftaxlm")
    result = run("eval", *arguments, "--dry-run")
    assert result.exit_code == 0, result.output
    assert "=== system (" in result.stdout
    assert "No model was asked." in result.stdout
    assert "5 x 300 turns at most" in result.stdout


SCRIPT = Path(sys.executable).parent / "craftax-text"


@pytest.mark.parametrize("is_safe", [False, True])
def test_the_command_finds_an_agent_in_the_current_folder_as_python_m_does(tmp_path: Path, is_safe: bool) -> None:
    (tmp_path / "my_agents.py").write_text("class Mine:\n    def __init__(self, depth):\n        self.depth = depth\n")
    environ = {**os.environ, "PYTHONPATH": str(ROOT)} | ({"PYTHONSAFEPATH": "1"} if is_safe else {})
    command = [str(SCRIPT), "eval", "--agent", "my_agents:Mine"]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False, timeout=120)
    found, hidden = "pass --agent-option depth=VALUE", "No module named 'my_agents'"
    assert (done.returncode, done.stdout) == (2, "")
    assert (hidden if is_safe else found) in done.stderr


PROGRAM = """
import signal
import sys
from tests.evaluation import stub
from craftax_text_gym.cli import main
stub.install()
stub.StubEnv.pause = float(sys.argv.pop(1))
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell ignores in what it runs in the background
main()
"""


def test_ctrl_c_says_how_to_go_on_and_loses_nothing(tmp_path: Path) -> None:
    command = [*WALKER, "--episodes", "40", "--output", str(tmp_path)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "0.01", *command], cwd=ROOT, env=environ, stderr=subprocess.PIPE, text=True
    )
    results = tmp_path / "results.jsonl"
    while process.poll() is None and not (results.exists() and '"kind":"episode"' in results.read_text()):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert errors == "craftax-text: Interrupted; the same command with --resume continues.\n"
    assert 0 < len(Report.load(tmp_path).episodes) < 40
    resume = [sys.executable, "-c", PROGRAM, "0", *command, "--resume"]
    subprocess.run(resume, cwd=ROOT, env=environ, check=True)
    assert Report.load(tmp_path).missing == ()
    assert (tmp_path / "results.jsonl").read_text().count('"kind":"episode"') == 40
