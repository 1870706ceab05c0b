"""Programs in fresh processes, and what they and the tests play alike. Importing this starts no JAX."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np

from craftax_text_gym import games
from craftax_text_gym.spaces import NamedDiscrete, ObservationText

IDS = tuple(spec.env_id for spec in reversed(games.ALL))
CLASSIC_ID, FULL_ID = IDS
ROOT = Path(__file__).parent.parent
QUICKLY = "--xla_backend_optimization_level=0"
"""XLA's flag to compile in less time, where the speed of what is compiled does not matter."""


def run(program: str, *arguments: object, timeout: float = 300, **environ: str) -> Any:
    """Run a program in a fresh Python; it prints one line of JSON, last, which is returned."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), *map(json.dumps, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # its children too, which hold the pipes
        output, errors = process.communicate()
        raise AssertionError(f"No end after {timeout} s.\n{output}\n{errors}") from None
    assert process.returncode == 0, f"{output}\n{errors}"
    return json.loads(output.splitlines()[-1])


def run_example(path: Path, folder: Path, *arguments: object, timeout: float = 300, **environ: str) -> str:
    """Run an example as a user does, in a folder that has nothing to do with it; what it prints."""
    done = subprocess.run(
        [sys.executable, path, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environ},
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def plain(value: Any) -> Any:
    """An observation or info as JSON has it."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [plain(entry) for entry in value] if isinstance(value, tuple) else value


def actions_of(env: gym.Env[Any, Any], num_steps: int, seed: int = 0) -> list[int]:
    """Random actions that need no state of the environment."""
    return [int(action) for action in np.random.default_rng(seed).integers(env.action_space.n, size=num_steps)]  # type: ignore[attr-defined]


def transcript(env: gym.Env[Any, Any], seed: int | None = 0, num_steps: int = 60) -> list[Any]:
    """All that an environment gives for a seed and random actions; it is reset without a seed at each end."""
    outputs = [plain(env.reset(seed=seed))]
    for action in actions_of(env, num_steps):
        observation, reward, terminated, truncated, info = env.step(action)
        outputs.append(plain((observation, reward, terminated, truncated, info)))
        if terminated or truncated:
            outputs.append(plain(env.reset()))
    return json.loads(json.dumps(outputs))  # type: ignore[no-any-return]


def batch_transcript(envs: gym.vector.VectorEnv[Any, Any, Any], num_steps: int = 12) -> tuple[list[Any], list[Any]]:
    """The observations of a vector environment, read at once and again at the end; seeds 0, 1, …"""
    rng = np.random.default_rng(0)
    size = envs.single_action_space.n  # type: ignore[attr-defined]
    kept, at_once = [], []
    for step in range(num_steps + 1):
        observations = envs.reset(seed=0)[0] if step == 0 else envs.step(rng.integers(size, size=envs.num_envs))[0]
        kept.append(observations)
        at_once.append(plain_batch(observations))
    return at_once, [plain_batch(observations) for observations in kept]


def plain_batch(observations: Any) -> Any:
    """A batch's observations as JSON has them."""
    if isinstance(observations, dict):
        return {"text": list(observations["text"]), "symbolic": plain_batch(observations["symbolic"])}
    if isinstance(observations, np.ndarray):
        return observations.sum(axis=1).tolist()
    return list(observations)


class Echo(gym.Env[str, np.int64]):
    """Says at each step a text of its own, of any length; needs no game."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]

    def __init__(self, max_length: int = 300) -> None:
        self.texts = self.observation_space = ObservationText(max_length)
        self.action_space = NamedDiscrete(("a", "b", "c"))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        return self._say(), {}

    def step(self, action: np.int64) -> tuple[str, float, bool, bool, dict[str, Any]]:
        return f"{self._say()[:-1]}{action}", 0.0, False, False, {}

    def _say(self) -> str:
        length = int(self.np_random.integers(1, self.texts.max_length + 1))
        return "".join(self.np_random.choice(list(self.texts.character_list), size=length))
