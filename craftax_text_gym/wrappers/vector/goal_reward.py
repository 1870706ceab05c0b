"""One achievement as the task of every game."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv

from craftax_text_gym.text.location import Path, get_text, grow_space, put_text, require_text
from craftax_text_gym.text.notes import add_notes, room_for
from craftax_text_gym.utils.validation import check_flag
from craftax_text_gym.vector.episodes import Flags, entry, put_everywhere
from craftax_text_gym.wrappers.goal_reward import NOTE, check_reward, find_goal, goal_note
from craftax_text_gym.wrappers.vector.base import GameVectorWrapper, VectorResult, final_text, put_final_texts


class GoalReward(GameVectorWrapper):
    """Pays every game for one achievement, once an episode. It ends none.

    Observation, action, reward and info are those of `wrappers.GoalReward` with `terminate=False`, as arrays.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        achievement: str,
        reward: float = 1.0,
        terminate: bool = False,
        keep_game_reward: bool = False,
        announce: bool = False,
    ) -> None:
        """Set the goal.

        Args:
            env: A vector environment of this package, wrapped or not.
            achievement: The key of the achievement, such as `"collect_wood"`.
            reward: What it pays.
            terminate: Must be False: a wrapper outside of a vector environment cannot end one of its games.
            keep_game_reward: Whether the game's own reward is paid too.
            announce: Whether the text tells the goal.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If there is no such achievement, the reward is not finite, there is no text to announce in, or
                `terminate` is asked for.
        """
        super().__init__(env)
        self.goal = find_goal(self.game, achievement)
        check_reward(reward)
        for name, flag in (("terminate", terminate), ("keep_game_reward", keep_game_reward), ("announce", announce)):
            check_flag(name, flag)
        if terminate:
            raise ValueError(
                "Expected terminate=False, for a vector wrapper cannot end one of its games. Put the single GoalReward "
                "inside: gym.make_vec(id, num_envs=n, vectorization_mode='sync', "
                "wrappers=[lambda env: GoalReward(env, achievement)])."
            )
        self._reward = float(reward)
        self._keep_game_reward = keep_game_reward
        self._index = self.game.achievement_keys.index(self.goal.key)
        self._reached: Flags = np.zeros(self.num_envs, bool)
        self._path: Path | None = None
        if announce:
            self._path = require_text(env.single_observation_space, "GoalReward(announce=True)")
            self._set_observation_space(grow_space(env.single_observation_space, self._path, room_for(1, NOTE)))

    def step(self, actions: Any) -> VectorResult:
        """Play a step in every game, and pay for the goal.

        Args:
            actions: The actions for the environment within.

        Returns:
            Observations, rewards (float64 `[num_envs]`), terminated, truncated, infos.
        """
        observations, game_rewards, terminated, truncated, infos = self.env.step(actions)
        _, final = self.episodes.step(terminated, truncated)
        rewards = np.array(game_rewards, np.float64) if self._keep_game_reward else np.zeros(self.num_envs)
        last = self._reached.copy()
        for index in range(self.num_envs):
            info = entry(infos, index, bool(final[index]), ("achievements", "new_achievements"))
            last[index] = bool(info["achievements"][self._index])
            if self.goal.key in info["new_achievements"]:
                rewards[index] += self._reward
        self._reached = np.where(final, False, last)
        every = np.ones(self.num_envs, bool)
        now, then = {"goal_reached": self._reached.tolist()}, {"goal_reached": last.tolist()}
        infos = put_everywhere(infos, now, then, every, final)
        observations, infos = self._told(observations, infos, final, last)
        return observations, rewards, terminated, truncated, infos

    def _begun(self, observations: Any, infos: dict[str, Any], begun: Flags) -> tuple[Any, dict[str, Any]]:
        self._reached = self._reached & ~begun
        infos = put_everywhere(infos, {"goal_reached": self._reached.tolist()}, {}, begun, np.zeros_like(begun))
        return self._told(observations, infos, np.zeros_like(begun), self._reached)

    def _told(self, observations: Any, infos: dict[str, Any], final: Flags, last: Flags) -> tuple[Any, dict[str, Any]]:
        if self._path is None:
            return observations, infos
        texts = get_text(observations, self._path)
        told = tuple(
            [
                add_notes(text, [goal_note(self.goal, bool(reached))], markup)
                for text, reached, markup in zip(texts, self._reached, self.markups, strict=True)
            ]
        )
        ends = {
            index: add_notes(
                final_text(infos, index, self._path), [goal_note(self.goal, bool(last[index]))], self.markups[index]
            )
            for index in np.flatnonzero(final).tolist()
        }
        return put_text(observations, self._path, told), put_final_texts(infos, self._path, ends)
