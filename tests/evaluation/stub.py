"""A game without JAX in the place of Classic, for tests of how episodes are played and kept."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from craftax_text_gym.evaluation import evaluate
from craftax_text_gym.games import CLASSIC
from craftax_text_gym.spaces import NamedDiscrete, ObservationText
from craftax_text_gym.text import resolve

NAME = f"{__name__}:StubEnv"
VECTOR_NAME = f"{__name__}:make_stub_vector"


class StubEnv(gym.Env[Any, Any]):
    """Unlocks achievements and dies by chance, from its seed and the actions alone."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]
    pause: ClassVar[float] = 0.0

    def __init__(self, game: str = "classic", text_format: Any = "markdown", **settings: Any) -> None:
        assert game == "classic"
        self.game = CLASSIC
        self.text_format = resolve(text_format)
        self.reveal = tuple(settings.get("reveal", ()))
        self.env_params = dict(settings.get("env_params", {}))
        self.obs_mode = "text"
        self.actions = self.action_space = NamedDiscrete(CLASSIC.actions)
        self.observation_space = ObservationText()
        self._seed = self._timestep = 0
        self._unlocked: set[str] = set()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        assert seed is not None
        self._seed, self._timestep, self._unlocked = seed, 0, set()
        return "begun", self._info((), "")

    def step(self, action: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        time.sleep(self.pause)
        self._timestep += 1
        luck = np.random.default_rng([self._seed, self._timestep, self.actions.resolve(action)])
        key = CLASSIC.achievement_keys[int(luck.integers(len(CLASSIC.achievements)))]
        new = (key,) if luck.random() < 0.2 and key not in self._unlocked else ()
        self._unlocked.update(new)
        dead = bool(luck.random() < 0.04)
        text = f"step {self._timestep}, {len(self._unlocked)} unlocked"
        return text, float(len(new)), dead, False, self._info(new, "death" if dead else "")

    def _info(self, new: tuple[str, ...], end_reason: str) -> dict[str, Any]:
        return {
            "episode_seed": self._seed,
            "timestep": self._timestep,
            "executed_action": 0,
            "achievements": np.array([key in self._unlocked for key in CLASSIC.achievement_keys]),
            "new_achievements": new,
            "action_mask": np.arange(len(CLASSIC.actions), dtype=np.int8) % 2,
            "reward_achievements": float(len(new)),
            "reward_health": 0.0,
            "end_reason": end_reason,
        }


def make_stub_vector(
    num_envs: int, autoreset_mode: AutoresetMode, max_episode_steps: int, game: str, **settings: Any
) -> SyncVectorEnv:
    """Several stubs side by side, in place of the native vector environment."""

    def make() -> gym.Env[Any, Any]:
        return TimeLimit(StubEnv(game, **settings), max_episode_steps)

    return SyncVectorEnv([make] * num_envs, autoreset_mode=autoreset_mode)


class Walker:
    """Answers at once, from what it has read and been told; keeps count within an episode."""

    text_format = "json"

    def __init__(self, stride: int = 1) -> None:
        self.stride = stride
        self.reset(0)

    def reset(self, seed: int) -> None:
        self._seed, self._turn = seed, 0

    def act(self, observation: Any, info: Mapping[str, Any]) -> str | int:
        self._turn += self.stride
        return (self._seed + self._turn + len(observation) + int(info["timestep"])) % len(CLASSIC.actions)


class SlowWalker(Walker):
    """The same, but behind a network of sorts."""

    async def act(self, observation: Any, info: Mapping[str, Any]) -> str | int:  # type: ignore[override]
        await asyncio.sleep(0.0005 * ((self._seed + self._turn) % 3))
        return super().act(observation, info)


def install() -> None:
    """Put the stub into the place of Classic."""
    gym.registry.pop(CLASSIC.env_id)
    gym.register(
        CLASSIC.env_id,
        NAME,
        max_episode_steps=CLASSIC.max_steps,
        kwargs={"game": "classic"},
        vector_entry_point=VECTOR_NAME,
    )


def main(folder: Path, episodes: int) -> None:
    """Evaluate in a folder, going on with what is there; slow enough to be killed."""
    install()
    StubEnv.pause = 0.0005
    evaluate(Walker, "classic", episodes=episodes, max_steps=60, output=folder, resume=True, num_envs=3)
    assert "jax" not in sys.modules


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
