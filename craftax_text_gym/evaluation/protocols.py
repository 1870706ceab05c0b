"""Evaluation protocols: named rules that make scores comparable. They fix episodes, seeds, caps and the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from craftax_text_gym.utils.validation import check_choice

FIRST_SEED = 10_000
"""The first seed of every protocol. Tune agents on others."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """What a protocol fixes.

    Attributes:
        name: Its name.
        summary: One line about it.
        episodes: The number of episodes; their seeds start at `FIRST_SEED`.
        score: The score that ranks agents, one of `scoring.SCORES`.
        max_steps: The cap on steps per episode; None for the game's own.
        max_decisions: The cap on decisions per episode; None for no cap.
        max_actions: The maximum number of actions per reply; None to let the user choose.
        allows_strategy: Whether an agent's prompt may hold a plan; not where models are compared by their own.
    """

    name: str
    summary: str
    episodes: int
    score: str
    max_steps: int | None = None
    max_decisions: int | None = None
    max_actions: int | None = None
    allows_strategy: bool = False

    @property
    def seeds(self) -> tuple[int, ...]:
        """The episodes' seeds."""
        return tuple(range(FIRST_SEED, FIRST_SEED + self.episodes))


PROTOCOLS: Mapping[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        Protocol(
            "craftaxlm",
            "craftaxlm's leaderboard: 5 rollouts of at most 300 actions, log score in % of the maximum",
            episodes=5,
            score="log_score_percent",
            max_steps=300,
        ),
        Protocol(
            "craftaxlm-2025",
            "craftaxlm's later leaderboard: 10 rollouts of at most 30 decisions of up to 5 actions, log score in % of "
            "the maximum",
            episodes=10,
            score="log_score_percent",
            max_decisions=30,
            max_actions=5,
        ),
        Protocol(
            "balrog",
            "BALROG's rules for Crafter: 10 episodes of at most 2,000 steps, progress in % of the achievements",
            episodes=10,
            score="progress_percent",
            max_steps=2_000,
            max_actions=1,
        ),
        Protocol(
            "craftax",
            "the Craftax paper's measure: 20 episodes at full length, reward for achievements in % of all there is",
            episodes=20,
            score="reward_percent",
            allows_strategy=True,
        ),
    )
}
"""Name -> protocol."""


def get(name: str) -> Protocol:
    """Look up a protocol.

    Args:
        name: A key of `PROTOCOLS`.

    Returns:
        The protocol.

    Raises:
        TypeError: If the name is not a string.
        ValueError: If there is no such protocol; the message lists the closest names.
    """
    check_choice("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]
