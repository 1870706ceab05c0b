from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from craftax_text_gym import games
from tests.integrations.frameworks import require
from tests.proof import IS_PROOF
from tests.subprocesses import ROOT, run_example

if not IS_PROOF:
    pytest.skip("torch is too heavy for CI: nox -s sb3", allow_module_level=True)
require("sb3", "stable_baselines3")
from stable_baselines3 import PPO  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv  # noqa: E402

IDS = tuple(spec.env_id for spec in games.ALL)


def make(env_id: str, obs_mode: str = "symbolic") -> Any:
    return gym.make(env_id, obs_mode=obs_mode, max_episode_steps=100)


@pytest.mark.parametrize("env_id", IDS)
def test_its_checker_takes_the_environment(env_id: str) -> None:
    check_env(make(env_id), skip_render_check=True)


@pytest.mark.parametrize("env_id", IDS)
def test_ppo_learns_from_the_symbolic_observation(env_id: str) -> None:
    envs = DummyVecEnv([lambda: Monitor(make(env_id))] * 2)
    model = PPO("MlpPolicy", envs, n_steps=64, batch_size=64, n_epochs=2, seed=0, device="cpu")
    before = {name: value.clone() for name, value in model.policy.state_dict().items()}
    model.learn(total_timesteps=512)
    after = model.policy.state_dict()
    assert all(np.isfinite(value.numpy()).all() for value in after.values())
    assert any((before[name] != after[name]).any() for name in before)
    assert model.num_timesteps == 512
    assert model.ep_info_buffer
    assert all(episode["l"] <= 100 for episode in model.ep_info_buffer)
    observation, _ = make(env_id).reset(seed=0)
    action, _ = model.predict(observation, deterministic=True)
    assert envs.action_space.contains(action)


def test_equal_seeds_give_equal_policies() -> None:
    def learn() -> Any:
        env = Monitor(make(IDS[1]))
        model = PPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, seed=3, device="cpu")
        return model.learn(128).policy.state_dict()

    one, other = learn(), learn()
    assert all((one[name] == other[name]).all() for name in one)


def test_the_example_runs(tmp_path: Path) -> None:
    printed = run_example(ROOT / "examples" / "frameworks" / "ppo_symbolic.py", tmp_path, timeout=600)
    assert printed.endswith("\nachievements\n")
