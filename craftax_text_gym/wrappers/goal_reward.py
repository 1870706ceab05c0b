"""One achievement as the task."""

from __future__ import annotations

import math
from typing import Any

import gymnasium as gym
from gymnasium.error import ResetNeeded

from craftax_text_gym.games.spec import Achievement, GameSpec
from craftax_text_gym.text.location import Path, grow_space, require_text
from craftax_text_gym.text.notes import put_notes, room_for
from craftax_text_gym.utils.validation import check_choice, check_flag
from craftax_text_gym.wrappers.base import GameWrapper, StepResult

NOTE = 128
"""The most characters of the note that tells the goal."""


class GoalReward(GameWrapper):
    """Pays for one achievement, once an episode, and ends the episode there if asked to.

    Inside of `ActionSequence` it ends a batch too; outside, a batch may go on past the goal.

    Observation: with `announce`, a note at the end of the text tells the goal; the space has room for it.
    Action: as it is.
    Reward: `reward` in the step that reaches the goal, else 0; with `keep_game_reward`, the game's beside it.
    Info: `goal_reached` (bool: in this episode). `end_reason` is `"goal"` where the goal ended it (`terminated`), also
    where a cap within did so in the same step.
    `reward_achievements` and `reward_health` stay the game's.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        achievement: str,
        reward: float = 1.0,
        terminate: bool = True,
        keep_game_reward: bool = False,
        announce: bool = False,
    ) -> None:
        """Set the goal.

        Args:
            env: An environment of this package, wrapped or not.
            achievement: The key of the achievement, such as `"collect_wood"`.
            reward: What it pays.
            terminate: Whether it ends the episode.
            keep_game_reward: Whether the game's own reward is paid too.
            announce: Whether the text tells the goal.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If there is no such achievement, the reward is not finite, or there is no text to announce in.
        """
        super().__init__(
            env,
            achievement=achievement,
            reward=reward,
            terminate=terminate,
            keep_game_reward=keep_game_reward,
            announce=announce,
        )
        self.goal = find_goal(self.game_env.game, achievement)
        check_reward(reward)
        for name, flag in (("terminate", terminate), ("keep_game_reward", keep_game_reward), ("announce", announce)):
            check_flag(name, flag)
        self._reward = float(reward)
        self._terminate = terminate
        self._keep_game_reward = keep_game_reward
        self._path: Path | None = None
        if announce:
            self._path = require_text(env.observation_space, "GoalReward(announce=True)")
            self.observation_space = grow_space(env.observation_space, self._path, room_for(1, NOTE))

    @property
    def reached(self) -> bool:
        """Whether the goal has been reached in this episode.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        return self.goal.key in self.game_env.scene.achievements

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._told(observation), {**info, "goal_reached": self.reached}

    def step(self, action: Any) -> StepResult:
        """Play a step, and pay for the goal.

        Args:
            action: The action for the environment within.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            gymnasium.error.ResetNeeded: After the end of an episode.
        """
        if self._terminate and self.reached:
            raise ResetNeeded(f"The episode is over, for its goal {self.goal.key} is reached: call reset() first.")
        observation, game_reward, terminated, truncated, info = self.env.step(action)
        reward = self._reward if self.goal.key in info["new_achievements"] else 0.0
        if self._keep_game_reward:
            reward += float(game_reward)
        info = {**info, "goal_reached": self.reached}
        if self._terminate and self.reached and not terminated:
            terminated = True
            info["end_reason"] = "goal"
        return self._told(observation), reward, terminated, truncated, info

    def _told(self, observation: Any) -> Any:
        note = goal_note(self.goal, self.reached)
        return put_notes(observation, self._path, [note], self.markup)


def find_goal(game: GameSpec, achievement: str) -> Achievement:
    """An achievement of a game.

    Args:
        game: The game.
        achievement: Its key.

    Returns:
        The achievement.

    Raises:
        TypeError: If it is no string.
        ValueError: If there is none; the closest ones are in the message.
    """
    check_choice("achievement", achievement, game.achievement_keys)
    return game.achievements[game.achievement_keys.index(achievement)]


def check_reward(reward: object) -> None:
    """Check a reward; raises `TypeError` where it is no number, `ValueError` where it is not finite."""
    if isinstance(reward, bool) or not isinstance(reward, int | float):
        raise TypeError(f"Expected reward as a number, got {reward!r} of type {type(reward).__name__}.")
    if not math.isfinite(reward):
        raise ValueError(f"Expected a finite reward, got {reward}.")


def goal_note(goal: Achievement, reached: bool) -> str:
    """What an agent is told of its goal."""
    return f"Your goal: {goal.label}.{' You have reached it.' if reached else ''}"
