"""The example that trains with TRL: how it is wired, without torch, and a real training where torch is."""

from __future__ import annotations

import ast
import json
import re
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from craftax_text_gym.session import TextSession
from tests.integrations.frameworks import require
from tests.subprocesses import ROOT, run_example

EXAMPLE = ROOT / "examples" / "frameworks" / "trl_grpo.py"


class _Call:
    """Stands for a class: keeps the arguments of its one instance."""

    def __init__(self, **arguments: Any) -> None:
        self.arguments = arguments
        self.state = SimpleNamespace(log_history=[{"reward": 0.25}, {"reward": 0.5}, {"train_runtime": 1.0}])

    def train(self) -> None:
        """Nothing to do."""

    def save_model(self) -> None:
        """Nothing to do."""


def _wired(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> _Call:
    """Run the example with stand-ins for what needs torch; what it gave the trainer."""
    stand_ins: dict[str, dict[str, Any]] = {
        "datasets": {"Dataset": SimpleNamespace(from_list=list)},
        "trl": {"GRPOConfig": _Call, "GRPOTrainer": _Call},
    }
    for name, members in stand_ins.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    monkeypatch.setattr(sys, "argv", [EXAMPLE.name, *arguments])
    trainer: _Call = runpy.run_path(str(EXAMPLE), run_name="__main__")["trainer"]
    return trainer


def _class_of(package: str, path: str, name: str) -> ast.ClassDef:
    """A class of an installed package, from its source, for importing it would need torch."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse((Path(spec.origin).parent / path).read_text())
    (found,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    return found


def _fields(definition: ast.ClassDef) -> set[str]:
    return {node.target.id for node in definition.body if isinstance(node, ast.AnnAssign)}  # type: ignore[union-attr]


def test_the_trainer_has_what_the_example_gives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    require("trl", "trl")
    trainer = _class_of("trl", "trainer/grpo_trainer.py", "GRPOTrainer")
    (init,) = [node for node in trainer.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    settings = (
        _fields(_class_of("trl", "trainer/grpo_config.py", "GRPOConfig"))
        | _fields(_class_of("trl", "trainer/base_config.py", "_BaseConfig"))
        | _fields(_class_of("transformers", "training_args.py", "TrainingArguments"))
    )
    given = _wired(monkeypatch).arguments
    assert set(given) <= {argument.arg for argument in init.args.args}
    assert set(given["args"].arguments) <= settings


def test_a_row_of_its_data_set_begins_an_episode(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = _wired(monkeypatch, "--worlds", "3", "--game-steps", "2", "--episodes", "4").arguments
    assert capsys.readouterr().out == "reward of an episode: 0.25 at the first update, 0.50 at the last\n"
    assert [row["seed"] for row in given["train_dataset"]] == [0, 1, 2]
    environment = given["environment_factory"]()
    session = TextSession("classic", text_format="compact", max_steps=2)
    assert environment.reset(**given["train_dataset"][1]) == session.reset(1)
    assert [environment.act("do"), environment.act("do")] == [session.act("do").text, session.act("do").text]
    assert environment.get_reward() == session.score()["total_reward"] == 1.0
    assert environment.act("do") == "The episode is over."
    config = given["args"].arguments
    assert config["num_generations"] == config["per_device_train_batch_size"] == 4
    assert config["max_tool_calling_iterations"] == 2


def test_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    with pytest.raises(SystemExit, match='Run: pip install "trl>=1.16"'):
        runpy.run_path(str(EXAMPLE), run_name="__main__")


def test_the_example_trains_a_tiny_model(tmp_path: Path) -> None:
    require("grpo", "torch", "datasets", "trl", "transformers")
    from tests.integrations import tiny_model

    model, output = tmp_path / "model", tmp_path / "trained"
    tiny_model.save(model)
    size = {"updates": 4, "worlds": 2, "episodes": 8, "game-steps": 8, "learning-rate": 0.01}
    arguments = ["--cpu", *[f"--{name}={value}" for name, value in size.items()]]
    printed = run_example(
        EXAMPLE, tmp_path, "--model", model, "--output", output, *arguments, timeout=900, HF_HUB_OFFLINE="1"
    )
    told = re.search(r"^reward of an episode: (\S+) at the first update, (\S+) at the last$", printed, re.MULTILINE)
    assert told is not None
    (state,) = output.glob("checkpoint-*/trainer_state.json")
    log = [entry for entry in json.loads(state.read_text())["log_history"] if "reward" in entry]
    assert len(log) == 4
    assert [f"{log[0]['reward']:.2f}", f"{log[-1]['reward']:.2f}"] == list(told.groups())
    for entry in log:
        assert entry["tools/call_frequency"] == 8.0  # every episode was played to its end
        assert entry["tools/failure_frequency"] == 0.0
        assert entry["reward"] == entry["rewards/ClassicEnvironment/mean"]
    assert any(entry["reward"] > 0 and entry["grad_norm"] > 0 for entry in log)
    before, after = tiny_model.weights(model), tiny_model.weights(output)
    assert all(bool(value.isfinite().all()) for value in after.values())
    assert any(bool((before[name] != after[name]).any()) for name in before)
