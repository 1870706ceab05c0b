"""Games that are played from a recorded stream, so that no JAX starts. Importing this starts none either."""

from __future__ import annotations

from typing import Any

import numpy as np

from craftax_text_gym.env import CraftaxTextEnv
from craftax_text_gym.games import CLASSIC

TEXT = "## Status\nHealth: 9 of 9\n" * 20


class RecordedEnv(CraftaxTextEnv):
    """Classic without a game: every other step unlocks an achievement, and an episode has `length` steps."""

    def __init__(self, length: int = 30) -> None:
        super().__init__("classic")
        self.length = length
        self._step = 0
        self._seed = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:  # noqa: ARG002
        self._seed, self._step = int(seed or 0), 0
        return self._said(), self._told(())

    def step(self, action: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:  # noqa: ARG002
        self._step += 1
        new: tuple[str, ...] = ()
        if self._step % 2 and self._step // 2 < len(CLASSIC.achievements):
            new = (CLASSIC.achievement_keys[self._step // 2],)
        return self._said(), float(len(new)), self._step == self.length, False, self._told(new)

    def _said(self) -> str:
        return f"{TEXT}Step {self._step}"

    def _told(self, new: tuple[str, ...]) -> dict[str, Any]:
        return {
            "episode_seed": self._seed,
            "timestep": self._step,
            "executed_action": 0 if self._step else -1,
            "achievements": np.arange(len(CLASSIC.achievements)) < (self._step + 1) // 2,
            "new_achievements": new,
            "action_mask": np.ones(len(CLASSIC.actions), np.int8),
            "reward_achievements": float(len(new)),
            "reward_health": 0.0,
            "end_reason": "death" if self._step == self.length else "",
        }
