"""Named rules under which scores can be compared: how many episodes, from which seeds, how long, which score."""

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
        summary: What it is, in one line.
        episodes: How many episodes, from the seeds `FIRST_SEED` on.
        score: The score that ranks agents, one of `scoring.SCORES`.
        max_steps: The cap on an episode's steps; None for the game's own.
        max_decisions: The cap on how often the agent is asked; None for none.
        max_actions: How many actions one reply may ask for; None to leave it to the user.
    """

    name: str
    summary: str
    episodes: int
    score: str
    max_steps: int | None = None
    max_decisions: int | None = None
    max_actions: int | None = None

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
        ),
    )
}
"""Name -> protocol."""


def get(name: str) -> Protocol:
    """Look a protocol up.

    Args:
        name: A key of `PROTOCOLS`.

    Returns:
        The protocol.

    Raises:
        TypeError: If the name is no string.
        ValueError: If there is no such protocol; the closest ones are in the message.
    """
    check_choice("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]
