"""A few steps of both games with the installed package: run by `.ci/smoke` in an empty environment and folder."""

from __future__ import annotations

import importlib.util
import re
from importlib.metadata import requires, version
from pathlib import Path

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode

import craftax_text_gym

folder = Path(craftax_text_gym.__file__).parent
assert "site-packages" in folder.parts, folder
assert (folder / "py.typed").is_file()
assert (folder / "wrappers").is_dir()
assert not (folder / "wrappers").is_symlink()
for unwanted in ("tests", "wrappers", "benchmarks", "examples"):
    assert importlib.util.find_spec(unwanted) is None, unwanted
IDS = ("CraftaxText-v0", "CraftaxClassicText-v0")


def play(env_id: str) -> None:
    """Play a few steps of a single environment."""
    env = gym.make(env_id, render_mode="rgb_array")
    observation, info = env.reset(seed=0)
    for name in ("left", "do", "up", "noop", "place_table"):
        observation, _, _, _, info = env.step(name)
    assert observation in env.observation_space
    assert info["timestep"] == 5
    print(env_id, "works:", len(observation), "characters, picture", env.render().shape)


def play_vector(env_id: str, mode: AutoresetMode, **arguments: object) -> tuple[str, ...]:
    """Play two episodes of each game of a vector environment; its last observations."""
    envs = gym.make_vec(env_id, num_envs=2, max_episode_steps=3, **arguments)
    assert envs.metadata["autoreset_mode"] is mode
    observations, _ = envs.reset(seed=0)
    ends = 0
    for action in (1, 2, 5, 1, 3, 5, 4):
        observations, _, _, truncated, _ = envs.step(np.array([action, 0]))
        ends += int(truncated.sum())
        if mode is AutoresetMode.DISABLED and truncated.any():
            observations, _ = envs.reset(options={"reset_mask": truncated})
    assert observations in envs.observation_space
    assert ends == 4
    envs.close()
    return tuple(observations)


def main() -> None:
    """Play every kind of environment, and print the versions."""
    for env_id in IDS:
        play(env_id)
        for mode in AutoresetMode:
            native = play_vector(env_id, mode, autoreset_mode=mode)
            options = {"autoreset_mode": mode}
            assert native == play_vector(env_id, mode, vectorization_mode="sync", vector_kwargs=options)
            print(env_id, "works:", mode)
    mode = AutoresetMode.NEXT_STEP
    native = play_vector(IDS[1], mode, autoreset_mode=mode)
    options = {"autoreset_mode": mode, "context": "spawn"}
    assert native == play_vector(IDS[1], mode, vectorization_mode="async", vector_kwargs=options)
    print(IDS[1], "works: in processes of their own")
    requirements = [requirement for requirement in requires("craftax-text-gym") or [] if "extra ==" not in requirement]
    names = ["craftax-text-gym", *(re.split(r"[^\w-]", requirement)[0] for requirement in requirements)]
    print(", ".join(f"{name} {version(name)}" for name in names))


if __name__ == "__main__":  # the processes of an asynchronous vector import this file
    main()
