from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from craftax_text_gym.agents import RandomAgent
from craftax_text_gym.evaluation import evaluate
from craftax_text_gym.evaluation.report import Report
from tests.evaluation import stub
from tests.integrations.frameworks import require
from tests.integrations.servers import COMMAND
from tests.proof import count

ray: Any = require("ray", "ray")
from ray.cluster_utils import Cluster  # noqa: E402

SEEDS = range(20, 20 + count(40, 10))
STEPS = 60
PATIENCE = 600.0
HERE = "tests.evaluation.backends.test_ray"
BACKEND = "craftax_text_gym.evaluation.backends.ray"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[str]:
    """Two nodes with one worker each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")  # with Ray's 15, whatever else this machine does would starve them
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.delenv("RAY_ADDRESS", raising=False)
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


class Stubbed(RandomAgent):
    """Puts the game without JAX into the place of Classic, in the worker too: agents are made before games."""

    def __init__(self, **_: Any) -> None:
        super().__init__()
        stub.install()


class Traitor(Stubbed):
    """Kills its own process in the middle of an episode, but only so many times in all."""

    def __init__(self, folder: str, num_kills: int, **_: Any) -> None:
        super().__init__()
        self._folder = Path(folder)
        self._num_kills = num_kills
        self._num_steps = 0

    def act(self, observation: Any, info: Mapping[str, Any]) -> Any:
        self._num_steps += 1
        if self._num_steps % 15 == 0 and self._may_kill():
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


class Broken(Stubbed):
    """Fails in the middle of an episode."""

    def act(self, observation: Any, info: Mapping[str, Any]) -> Any:
        if info["timestep"] == 2:
            raise ValueError("I cannot go on.")
        return super().act(observation, info)


class Stuck(Stubbed):
    """Plays some episodes and is stuck in the others."""

    def act(self, observation: Any, info: Mapping[str, Any]) -> Any:
        if info["episode_seed"] >= SEEDS[len(SEEDS) // 2]:
            time.sleep(PATIENCE)
        return super().act(observation, info)


@pytest.fixture(scope="module")
def locally() -> dict[int, Any]:
    return by_seed(play("random", "local"))


@pytest.fixture
def stubbed_locally(stubbed: None) -> dict[int, Any]:  # noqa: ARG001  the game that is played
    return by_seed(play(Stubbed, "local"))


def test_every_episode_is_the_local_backends_and_nothing_is_compiled_anew(locally: dict[int, Any]) -> None:
    # In a process without JAX's own cache, from which nothing can be stored in ours; this one plays in batches of two.
    environment = {name: value for name, value in os.environ.items() if name != "JAX_COMPILATION_CACHE_DIR"}
    subprocess.run([COMMAND, "warmup", "--game", "classic", "--num-envs", "3"], env=environment, check=True)
    compiled = entries_of_three()
    assert compiled
    assert by_seed(play("random", "ray")) == locally
    assert entries_of_three() == compiled


def entries_of_three() -> dict[Path, int]:
    """The stored functions for batches of three; a function that is stored again has another inode."""
    from craftax_text_gym.engine import cache

    folder = cache.folder()
    assert folder is not None
    return {path: path.stat().st_ino for path in folder.glob("classic-*-3b-*")}


def test_several_actions_at_once_are_the_local_backends_too() -> None:
    settings = {"max_actions": 3, "max_decisions": 20}
    assert by_seed(play("random", "ray", **settings)) == by_seed(play("random", "local", **settings))


@pytest.mark.parametrize("address", ["", "cluster"])
def test_the_command_plays_on_a_cluster_of_its_own_or_on_one_that_is_named(
    locally: dict[int, Any], address: str, cluster: str
) -> None:
    numbers = {"--seed": SEEDS[0], "--episodes": len(SEEDS), "--max-steps": STEPS, "--num-envs": 3}
    arguments = [word for name, number in numbers.items() for word in (name, str(number))]
    done = subprocess.run(
        [COMMAND, "eval", "--backend", "ray", "--game", "classic", *arguments, "--json"],
        env={**os.environ, "RAY_ADDRESS": cluster if address else ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert {episode["seed"]: episode for episode in json.loads(done.stdout)["episodes"]} == locally


@pytest.mark.parametrize("num_kills", [1, count(8, 3)])
def test_workers_that_are_killed_lose_nothing(
    stubbed_locally: dict[int, Any], num_kills: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{BACKEND}.MAX_LOSSES", num_kills)
    report = play(f"{HERE}:Traitor", "ray", agent_options={"folder": str(tmp_path), "num_kills": num_kills})
    assert len(list(tmp_path.iterdir())) == num_kills
    assert by_seed(report) == stubbed_locally


@pytest.mark.usefixtures("stubbed")
def test_a_worker_that_always_dies_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{BACKEND}.MAX_LOSSES", 1)
    with pytest.raises(RuntimeError, match="was lost 2 times at the episodes of seeds"):
        play(f"{HERE}:Traitor", "ray", agent_options={"folder": str(tmp_path), "num_kills": 1000})


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize("_", range(count(20, 2)))
def test_what_an_agent_raises_comes_back(_: int) -> None:
    """Both workers end at about the same time, and one of them is stopped."""
    with pytest.raises(ValueError, match=r"I cannot go on\."):
        play(f"{HERE}:Broken", "ray")


@pytest.mark.usefixtures("stubbed")
def test_closing_stops_the_workers_in_the_middle_of_an_episode() -> None:
    from craftax_text_gym.evaluation.backends import ExecutionConfig
    from craftax_text_gym.evaluation.backends import ray as backend
    from craftax_text_gym.evaluation.runner import make_settings

    settings = make_settings(f"{HERE}:Stuck", "classic", seeds=SEEDS, max_steps=STEPS)
    played = backend.play(settings, settings.seeds, ExecutionConfig(num_envs=1))
    assert next(played).seed in SEEDS
    played.close()
    end = time.monotonic() + PATIENCE / 10
    while ray.available_resources().get("CPU") != 2:
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_run_that_is_cut_short_goes_on(stubbed_locally: dict[int, Any], tmp_path: Path) -> None:
    """Whatever the backend: the results are the same."""
    whole = play(Stubbed, "ray", output=tmp_path)
    path = next(tmp_path.glob("*.jsonl"))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]))
    assert by_seed(play(Stubbed, "ray", output=tmp_path, resume=True)) == by_seed(whole) == stubbed_locally
