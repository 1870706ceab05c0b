"""An environment for SkyRL: `register()`, then `skyrl_gym.make("craftax_text", …)`.

SkyRL makes environments within its Ray tasks, so call `register` there too (in the entry point that it runs).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from craftax_text_gym.session import TextSession
from craftax_text_gym.utils.plugins import require_extra

with require_extra("skyrl"):
    import skyrl_gym
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

ENV_ID = "craftax_text"
"""The id under which `register` registers the environment."""

Conversation = list[dict[str, str]]


class CraftaxTextEnv(BaseTextEnv):
    """One game as a conversation.

    The data set's row, which SkyRL passes as `extras`, may have a `seed` and `max_turns`, the maximum number of
    replies; both may also be in its `extra_info`.
    """

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None) -> None:
        """Make the environment; no game is compiled before `init`.

        Args:
            env_config: Arguments of `TextSession`.
            extras: The row of the data set.
        """
        super().__init__()
        row = {**dict((extras or {}).get("extra_info") or {}), **dict(extras or {})}
        settings: dict[str, Any] = dict(env_config or {})
        if row.get("max_turns") is not None:
            settings["max_decisions"] = int(row["max_turns"])
        self._seed = None if row.get("seed") is None else int(row["seed"])
        self._session = TextSession(**settings)
        self.max_turns = self._session.max_decisions

    def init(self, prompt: Conversation) -> tuple[Conversation, dict[str, Any]]:
        """Begin the episode.

        Args:
            prompt: The row's prompt. If it has no system message, the rules of the game become one.

        Returns:
            The prompt with the first observation as the user's last message, and `seed`, which replays the episode.
        """
        observation = self._session.reset(self._seed)
        has_rules = any(message["role"] == "system" for message in prompt)
        rules = [] if has_rules else [{"role": "system", "content": self._session.system_prompt}]
        first = {"role": "user", "content": observation}
        return [*rules, *prompt, first], {"seed": self._session.record().seed}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Play a reply.

        Args:
            action: The model's reply.

        Returns:
            The next observation as a message, or none at the end; reward, done, and the achievements just unlocked.
        """
        turn = self._session.act(action)
        self.turns += 1
        return BaseTextEnvStepOutput(
            observations=[] if turn.done else [{"role": "user", "content": turn.text}],
            reward=turn.reward,
            done=turn.done,
            metadata={"new_achievements": list(turn.info["new_achievements"])},
        )

    def get_metrics(self) -> dict[str, Any]:
        """The score of the episode; SkyRL averages its numbers."""
        return self._session.score()

    def close(self) -> None:
        """Free the game."""
        self._session.close()


def register() -> None:
    """Register the environment with SkyRL, unless it is registered already."""
    if ENV_ID not in skyrl_gym.registry:
        skyrl_gym.register(id=ENV_ID, entry_point=CraftaxTextEnv)
