"""The last observations and actions of every game in one text each."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import iterate

from craftax_text_gym.text.location import get_text, grow_space, put_text, require_text
from craftax_text_gym.vector.episodes import Flags, entry
from craftax_text_gym.wrappers.history import make_turns
from craftax_text_gym.wrappers.turns import ESTIMATE, FRAME, INFO_KEYS, name_actions
from craftax_text_gym.wrappers.vector.base import GameVectorWrapper, VectorResult, final_text, put_final_texts


class History(GameVectorWrapper):
    """Shows in every game the last turns of its episode before the newest observation.

    Observation: as `wrappers.History` has it, `final_obs` included. Each game's turns are forgotten at its resets.
    Action, infos: as they are.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        length: int,
        budget_tokens: int | None = None,
        count_tokens: str = ESTIMATE,
    ) -> None:
        """Show the last turns.

        Args:
            env: A vector environment of this package, wrapped or not, that observes in words.
            length: The most past turns to show.
            budget_tokens: The most tokens of each text, the newest observation excepted; None for any number.
            count_tokens: What counts them, as in `wrappers.History`.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If a number is below 1, the function cannot be loaded, or the observations have no text.
        """
        super().__init__(env)
        self._path = require_text(env.single_observation_space, "History")
        self._turns = [make_turns(length, budget_tokens, count_tokens) for _ in range(self.num_envs)]
        self._texts = [""] * self.num_envs
        room = (length + 1) * FRAME
        self._set_observation_space(grow_space(env.single_observation_space, self._path, room, length + 1))

    def step(self, actions: Any) -> VectorResult:
        """Play a step in every game.

        Args:
            actions: The actions for the environment within.

        Returns:
            Observations, rewards, terminated, truncated, infos.
        """
        asked = list(actions) if isinstance(actions, list | tuple) else list(iterate(self.action_space, actions))
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        begun, final = self.episodes.step(terminated, truncated)
        ends: dict[int, str] = {}
        for index, text in enumerate(get_text(observations, self._path)):
            turns = self._turns[index]
            if begun[index] and not final[index]:
                self._texts[index] = turns.begin(text)
                continue
            names = name_actions(asked[index], entry(infos, index, bool(final[index]), INFO_KEYS), self.game)
            if final[index]:
                ends[index] = turns.add(names, final_text(infos, index, self._path))
                self._texts[index] = turns.begin(text)
            else:
                self._texts[index] = turns.add(names, text)
        observations = put_text(observations, self._path, tuple(self._texts))
        return observations, rewards, terminated, truncated, put_final_texts(infos, self._path, ends)

    def _begun(self, observations: Any, infos: dict[str, Any], begun: Flags) -> tuple[Any, dict[str, Any]]:
        texts = get_text(observations, self._path)
        for index in np.flatnonzero(begun).tolist():
            self._texts[index] = self._turns[index].begin(texts[index])
        return put_text(observations, self._path, tuple(self._texts)), infos
