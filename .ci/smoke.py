"""A few steps of both games with the installed package: run by `.ci/smoke` in an empty environment and folder."""

from __future__ import annotations

import importlib.util
import re
from importlib.metadata import requires, version
from pathlib import Path

import gymnasium as gym

import craftax_text_gym

folder = Path(craftax_text_gym.__file__).parent
assert "site-packages" in folder.parts, folder
assert (folder / "py.typed").is_file()
assert (folder / "wrappers").is_dir()
assert not (folder / "wrappers").is_symlink()
for unwanted in ("tests", "wrappers", "benchmarks", "examples"):
    assert importlib.util.find_spec(unwanted) is None, unwanted
for env_id in ("CraftaxText-v0", "CraftaxClassicText-v0"):
    env = gym.make(env_id, render_mode="rgb_array")
    observation, info = env.reset(seed=0)
    for name in ("left", "do", "up", "noop", "place_table"):
        observation, reward, terminated, truncated, info = env.step(name)
    assert observation in env.observation_space
    assert info["timestep"] == 5
    print(env_id, "works:", len(observation), "characters, picture", env.render().shape)
requirements = [requirement for requirement in requires("craftax-text-gym") or [] if "extra ==" not in requirement]
names = ["craftax-text-gym", *(re.split(r"[^\w-]", requirement)[0] for requirement in requirements)]
print(", ".join(f"{name} {version(name)}" for name in names))
