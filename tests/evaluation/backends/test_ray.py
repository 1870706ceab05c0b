from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from craftax_text_gym.agents import RandomAgent
from craftax_text_gym.evaluation import evaluate
from craftax_text_gym.evaluation.report import Report
from tests.integrations.frameworks import require
from tests.integrations.servers import COMMAND
from tests.proof import count

ray: Any = require("ray", "ray")
from ray.cluster_utils import Cluster  # noqa: E402

SEEDS = range(20, 20 + count(40, 10))
STEPS = 60


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[str]:
    """Two nodes with one worker each."""
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    ray.init(nodes.address, log_to_driver=False)
    assert (len(ray.nodes()), ray.cluster_resources()["CPU"]) == (2, 2)
    yield nodes.address
    ray.shutdown()
    nodes.shutdown()


def play(agent: Any, backend: str, **arguments: Any) -> Report:
    return evaluate(agent, "classic", seeds=SEEDS, max_steps=STEPS, backend=backend, num_envs=3, **arguments)


def by_seed(report: Report) -> dict[int, Any]:
    assert [episode.seed for episode in report.episodes] == list(SEEDS)
    return {episode.seed: episode.to_json() for episode in report.episodes}


class Traitor(RandomAgent):
    """Kills its own process in the middle of an episode, but only so many times in all."""

    def __init__(self, folder: str, num_kills: int, **_: Any) -> None:
        super().__init__()
        self._folder = Path(folder)
        self._num_kills = num_kills
        self._num_steps = 0

    def act(self, observation: Any, info: Mapping[str, Any]) -> Any:
        self._num_steps += 1
        if self._num_steps % 50 == 0 and self._may_kill():
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(observation, info)

    def _may_kill(self) -> bool:
        for number in range(self._num_kills):
            try:
                (self._folder / str(number)).touch(exist_ok=False)
            except FileExistsError:
                continue
            return True
        return False


class Broken(RandomAgent):
    """Fails in the middle of an episode."""

    def __init__(self, **_: Any) -> None:
        super().__init__()

    def act(self, observation: Any, info: Mapping[str, Any]) -> Any:
        if info["timestep"] == 20:
            raise ValueError("I cannot go on.")
        return super().act(observation, info)


@pytest.fixture(scope="module")
def locally() -> dict[int, Any]:
    return by_seed(play("random", "local"))


def test_every_episode_is_the_local_backends(locally: dict[int, Any]) -> None:
    assert by_seed(play("random", "ray")) == locally


def test_agents_that_answer_in_words_are_the_local_backends_too() -> None:
    settings = {"max_actions": 3, "max_decisions": 20}
    assert by_seed(play("random", "ray", **settings)) == by_seed(play("random", "local", **settings))


@pytest.mark.parametrize("num_kills", [1, count(8, 3)])
def test_workers_that_are_killed_lose_nothing(locally: dict[int, Any], num_kills: int, tmp_path: Path) -> None:
    options = {"folder": str(tmp_path), "num_kills": num_kills}
    report = play("tests.evaluation.backends.test_ray:Traitor", "ray", agent_options=options)
    assert len(list(tmp_path.iterdir())) == num_kills
    assert by_seed(report) == locally


def test_a_task_whose_worker_always_dies_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("craftax_text_gym.evaluation.backends.ray.MAX_LOSSES", 1)
    options = {"folder": str(tmp_path), "num_kills": 1000}
    with pytest.raises(RuntimeError, match="was lost 2 times at the episodes of seeds"):
        play("tests.evaluation.backends.test_ray:Traitor", "ray", agent_options=options)


@pytest.mark.parametrize("address", ["", "cluster"])
def test_the_command_plays_on_a_cluster_of_its_own_or_on_one_that_is_named(address: str, cluster: str) -> None:
    arguments = ("--game", "classic", "--episodes", "4", "--max-steps", "30", "--json")
    outputs = []
    for backend in ("local", "ray"):
        done = subprocess.run(
            [COMMAND, "eval", *arguments, "--backend", backend],
            env={**os.environ, "RAY_ADDRESS": cluster} if address else os.environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        outputs.append(json.loads(done.stdout))
    local, remote = outputs
    assert remote["episodes"] == local["episodes"]


def test_what_an_agent_raises_comes_back() -> None:
    with pytest.raises(ValueError, match="I cannot go on"):
        play("tests.evaluation.backends.test_ray:Broken", "ray")


def test_a_run_that_is_cut_short_goes_on(locally: dict[int, Any], tmp_path: Path) -> None:
    """Whatever the backend: the results are the same."""
    whole = play("random", "ray", output=tmp_path)
    path = next(tmp_path.glob("*.jsonl"))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]))
    assert by_seed(play("random", "ray", output=tmp_path, resume=True)) == by_seed(whole) == locally
