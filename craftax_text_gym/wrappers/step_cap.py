"""An end to an episode after so many steps of the game, or so many decisions."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium as gym
from gymnasium.error import ResetNeeded

from craftax_text_gym.text.location import Path, grow_space, require_text
from craftax_text_gym.text.notes import put_notes, room_for
from craftax_text_gym.utils.validation import check_choice, check_count, check_flag
from craftax_text_gym.wrappers.base import GameWrapper, StepResult

Unit = Literal["step", "decision"]

_REASONS: dict[Unit, str] = {"step": "step_cap", "decision": "decision_cap"}
_NOTE = 64


class StepCap(GameWrapper):
    """Truncates an episode after a number of game steps, or of decisions.

    Steps are counted by `info["timestep"]`, so they are right wherever the wrapper stands and after
    `env.unwrapped.restore`. Outside of `ActionSequence`, a batch is cut short at exactly the cap. Decisions are the
    calls of `step` that reach this wrapper: outside of `ActionSequence` a batch is one, outside of `TextActions` an
    invalid reply is one too. A snapshot does not hold their number; `copy.deepcopy` of the whole stack does.

    Observation: with `announce`, a note at the end of the text says how much is left; the space has room for it.
    Action: as it is.
    Info: `end_reason` is `"step_cap"` or `"decision_cap"` where this cap ended the episode, also where `TimeLimit`
    did so in the same step. An episode that ends by itself in its last step is terminated, not truncated.
    """

    def __init__(self, env: gym.Env[Any, Any], max_steps: int, unit: Unit = "step", announce: bool = False) -> None:
        """Cap the episodes.

        Args:
            env: An environment of this package, wrapped or not.
            max_steps: How many steps or decisions an episode may have.
            unit: `"step"` for steps of the game, `"decision"` for calls of `step`.
            announce: Whether the text says how much is left.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If `max_steps` is below 1, the unit is unknown, or there is no text to announce in.
        """
        super().__init__(env, max_steps=max_steps, unit=unit, announce=announce)
        check_count("max_steps", max_steps)
        check_choice("unit", unit, _REASONS)
        check_flag("announce", announce)
        self.max_steps = max_steps
        self.unit: Unit = unit
        self._start = self._decisions = 0
        self._episode_seed = -1
        self._limits_batches = unit == "step" and env.has_wrapper_attr("step_budget")
        self._path: Path | None = None
        if announce:
            self._path = require_text(env.observation_space, "StepCap(announce=True)")
            self.observation_space = grow_space(env.observation_space, self._path, room_for(1, _NOTE))

    @property
    def remaining(self) -> int:
        """How many steps or decisions the episode has left.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        timestep = self.game_env.scene.timestep
        used = timestep - self._start if self.unit == "step" else self._decisions
        return max(0, self.max_steps - used)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and count anew."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._start, self._decisions, self._episode_seed = info["timestep"], 0, info["episode_seed"]
        return self._told(observation), info

    def step(self, action: Any) -> StepResult:
        """Play a step, and truncate where the cap is reached.

        Args:
            action: The action for the environment within.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            gymnasium.error.ResetNeeded: After the end of an episode.
        """
        if not self.remaining:
            raise ResetNeeded(f"The episode is over, for its {self.unit} cap is reached: call reset() first.")
        observation, reward, terminated, truncated, info = self._play(action)
        self._decisions += 1
        if info["episode_seed"] != self._episode_seed:  # another game: an Autoreset within, or a snapshot of another
            self._start, self._decisions, self._episode_seed = 0, int(info["timestep"] > 0), info["episode_seed"]
        if not self.remaining and not terminated:
            truncated = True
            info = {**info, "end_reason": info["end_reason"] or _REASONS[self.unit]}
        return self._told(observation), float(reward), terminated, truncated, info

    def _play(self, action: Any) -> Any:
        if not self._limits_batches:
            return self.env.step(action)
        outer = self.env.get_wrapper_attr("step_budget")
        budget = self.remaining if outer is None else min(outer, self.remaining)
        self.env.set_wrapper_attr("step_budget", budget, force=False)
        try:
            return self.env.step(action)
        finally:
            self.env.set_wrapper_attr("step_budget", None, force=False)

    def _told(self, observation: Any) -> Any:
        note = f"{self.unit.capitalize()}s left in this episode: {self.remaining}."
        return put_notes(observation, self._path, [note], self.markup)
