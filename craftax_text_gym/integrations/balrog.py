"""The games as an environment of BALROG. It does not import BALROG, which is not on PyPI, at import time.

BALROG makes environments by name, in `make_env`, and wraps them in an `EnvWrapper` that supports only its own. So
replace that function before the evaluator runs, and configure the new name:

    import balrog.evaluator
    from craftax_text_gym.integrations import balrog as craftax

    balrog.evaluator.make_env = craftax.make_env

    python eval.py envs.names=craftax +tasks.craftax_tasks=[classic,full] +eval.num_episodes.craftax=10 \
        +envs.craftax_kwargs.max_steps=10000
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from PIL import Image

from craftax_text_gym import games
from craftax_text_gym.rendering import frames
from craftax_text_gym.session import TextSession
from craftax_text_gym.spaces import NamedDiscrete, ObservationText
from craftax_text_gym.utils.words import spaced

ENV_NAME = "craftax"
"""The name under which `make_env` makes this environment."""

_PRESET = "balrog"


class BalrogEnv(gym.Env[Any, Any]):
    """One game with the interface of BALROG's environments and of their `EnvWrapper`.

    Action names have spaces instead of underscores, since BALROG's agents strip all but letters from a reply.

    Attributes:
        language_action_space: The names of the actions, by number.
        default_action: The action played for an invalid reply.
        max_steps: The cap on steps per episode.
        failed_candidates: The invalid replies.
    """

    def __init__(self, task: str = "classic", *, images: bool = False, **settings: Any) -> None:
        """Make the environment; no game is compiled before the first reset.

        Args:
            task: `"classic"` or `"full"`.
            images: Whether observations contain the game's picture.
            **settings: Arguments of `TextSession`.

        Raises:
            ValueError: If there is no such game.
        """
        spec = games.get(task)
        self.language_action_space = [spaced(name) for name in spec.actions]
        self.default_action = self.language_action_space[0]
        self.failed_candidates: list[str] = []
        self.action_space = NamedDiscrete(self.language_action_space)
        self.observation_space = gym.spaces.Dict({"text": ObservationText()})
        self._images = images
        self._session = TextSession(spec, **{"text_format": _PRESET, **settings})
        self.max_steps = self._session.max_steps

    @property
    def actions(self) -> list[str]:
        """The names of the actions."""
        return self.language_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: The seed of the world; None for a random one.
            options: Not used.

        Returns:
            BALROG's observation, and an empty info.
        """
        super().reset(seed=seed, options=options)
        self.failed_candidates = []
        text = self._session.reset(seed)
        return self._observation(text), {}

    def step(self, action: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play one step.

        Args:
            action: A name of `language_action_space`.

        Returns:
            BALROG's observation, reward, terminated, truncated, info.
        """
        turn = self._session.act(action)
        record = self._session.record()
        info = {"new_achievements": list(turn.info["new_achievements"])}
        return self._observation(turn.text), turn.reward, record.terminated, record.truncated, info

    def get_text_action(self, action: int) -> str:
        """The name of an action.

        Args:
            action: Its number.

        Returns:
            Its name.
        """
        return self.language_action_space[action]

    def check_action_validity(self, candidate_action: str) -> str:
        """Map an agent's reply to the action to play.

        Args:
            candidate_action: The reply.

        Returns:
            The reply if it is the name of an action, else the default action.
        """
        if candidate_action in self.language_action_space:
            return candidate_action
        self.failed_candidates.append(candidate_action)
        return self.default_action

    def get_instruction_prompt(self, instructions: str | None = None) -> str:  # noqa: ARG002
        """The rules, how to read an observation, and the names of the actions.

        Args:
            instructions: Not used; BALROG passes it for other environments.

        Returns:
            The first message to the model.
        """
        rules = self._session.system_prompt
        names = ", ".join(self.language_action_space)
        return f"{rules}\n\nThe only valid actions, to be written as they are here: {names}.\n\nPLAY!"

    def get_stats(self) -> dict[str, Any]:
        """The score as BALROG's evaluator writes it to disk.

        Returns:
            JSON-able: `score` (number of unlocked achievements), `progression` (their share of all), `achievements`
            (key -> whether it is unlocked).
        """
        unlocked = self._session.record().achievements
        keys = self._session.game.achievement_keys
        share = len(unlocked) / len(keys)
        return {"score": len(unlocked), "progression": share, "achievements": {key: key in unlocked for key in keys}}

    def close(self) -> None:
        """Free the game."""
        self._session.close()

    def _observation(self, text: str) -> dict[str, Any]:
        image = Image.fromarray(frames.render(self._session.scene)) if self._images else None
        return {"text": {"long_term_context": text, "short_term_context": ""}, "image": image}


def make_env(env_name: str, task: str, config: Any, render_mode: str | None = None) -> Any:
    """Replacement for BALROG's function of the same name.

    Args:
        env_name: `ENV_NAME`, or a name that BALROG knows.
        task: `"classic"` or `"full"`.
        config: BALROG's configuration; `envs.craftax_kwargs` holds arguments of `BalrogEnv`.
        render_mode: Not used for this environment.

    Returns:
        The environment.
    """
    if env_name == ENV_NAME:
        return BalrogEnv(task, **dict(config.envs.get(f"{ENV_NAME}_kwargs", {})))
    from balrog.environments import make_env as make_other

    return make_other(env_name, task, config, render_mode=render_mode)
