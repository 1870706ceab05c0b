"""The last observations and actions in one text."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from craftax_text_gym.text.location import get_text, grow_space, put_text, require_text
from craftax_text_gym.utils.validation import check_count
from craftax_text_gym.wrappers.base import GameWrapper, StepResult
from craftax_text_gym.wrappers.turns import ESTIMATE, FRAME, Turns, name_actions


class History(GameWrapper):
    """Shows the last turns of the episode before the newest observation.

    It trims by whole turns, oldest first, and never the newest observation. The turns are forgotten at every reset, and
    where the game has been restored or edited since the last step. `copy.deepcopy` copies them.

    Observation: the text becomes that of the last turns, under a heading each, with an observation and the names of the
    actions that followed it, then the newest observation. Whatever the markup, the whole is plain text. The space has
    room for `length` + 1 observations.
    Action, info: as they are.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        length: int,
        budget_tokens: int | None = None,
        count_tokens: str = ESTIMATE,
    ) -> None:
        """Show the last turns.

        Args:
            env: An environment of this package, wrapped or not, that observes in words.
            length: The most past turns to show.
            budget_tokens: The most tokens of the whole text, the newest observation excepted; None for any number.
            count_tokens: What counts them: `"estimate"` (one for every two characters, which needs no tokenizer), or a
                function of your own as `"package.module:function"` that takes a text and gives an int.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If a number is below 1, the function cannot be loaded, or the observation has no text.
        """
        super().__init__(env, length=length, budget_tokens=budget_tokens, count_tokens=count_tokens)
        self._path = require_text(env.observation_space, "History")
        self._turns = make_turns(length, budget_tokens, count_tokens)
        self.observation_space = grow_space(env.observation_space, self._path, (length + 1) * FRAME, length + 1)
        self._scene: Any = None
        self._episode_seed = -1

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and forget the last one."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._begin(observation, info), info

    def step(self, action: Any) -> StepResult:
        """Play a step.

        Args:
            action: The action for the environment within.

        Returns:
            Observation, reward, terminated, truncated, info.
        """
        was_changed = self._scene != self.game_env.scene
        observation, reward, terminated, truncated, info = self.env.step(action)
        if was_changed or info["episode_seed"] != self._episode_seed:
            observation = self._begin(observation, info)
        else:
            names = name_actions(action, info, self.game_env.game)
            told = self._turns.add(names, get_text(observation, self._path))
            observation = put_text(observation, self._path, told)
            self._scene = self.game_env.scene
        return observation, float(reward), terminated, truncated, info

    def _begin(self, observation: Any, info: dict[str, Any]) -> Any:
        self._scene, self._episode_seed = self.game_env.scene, info["episode_seed"]
        return put_text(observation, self._path, self._turns.begin(get_text(observation, self._path)))


def make_turns(length: int, budget_tokens: int | None, count_tokens: str) -> Turns:
    """Check the arguments of a history, and make it; see `History`."""
    check_count("length", length)
    if budget_tokens is not None:
        check_count("budget_tokens", budget_tokens)
    if not isinstance(count_tokens, str):
        raise TypeError(f"Expected count_tokens as 'package.module:function' or {ESTIMATE!r}, got {count_tokens!r}.")
    return Turns(length, budget_tokens, count_tokens)
