"""One episode: its record, and the tally that builds it from the environment's steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

UNFINISHED = "unfinished"
"""The end reason of an episode that was reset or closed before it ended."""


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """The outcome of an episode. Immutable and JSON-able.

    Attributes:
        game: `"classic"` or `"full"`.
        seed: `info["episode_seed"]`, below 2**32: it replays the episode.
        length: Steps of the game.
        total_reward: The sum of the rewards, undiscounted.
        reward_achievements: The part of it from achievements.
        reward_health: The part of it from changes in health.
        achievements: Key -> the step at which it was unlocked, in the order of unlocking.
        terminated: Whether the game itself ended.
        truncated: Whether a cap ended the episode.
        end_reason: `"death"`, `"boss_defeated"`, `"step_cap"`, `"decision_cap"`, or `"unfinished"`.
        decisions: The number of decisions; equal to `length` if each decision is one action.
        invalid_replies: The number of replies that named no action.
        input_tokens: Tokens that a model read; None without a model.
        output_tokens: Tokens that a model wrote; None without a model.
        cost: Their price in US dollars; None if unknown.
        cached_tokens: Those of the tokens read that the endpoint had in its cache; None without a model.
        reasoning_tokens: Those of the tokens written that were reasoning; None without a model.
        cut_replies: The number of replies that the token limit cut off; None without a model.
        empty_replies: The number of replies without a word and without a tool call; None without a model.
    """

    game: str
    seed: int
    length: int
    total_reward: float
    reward_achievements: float
    reward_health: float
    achievements: Mapping[str, int]
    terminated: bool
    truncated: bool
    end_reason: str
    decisions: int
    invalid_replies: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    cut_replies: int | None = None
    empty_replies: int | None = None

    @property
    def finished(self) -> bool:
        """Whether the episode ended by itself or by a cap."""
        return self.terminated or self.truncated

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values, which `from_json` reads."""
        return {**dataclasses.asdict(self), "achievements": dict(self.achievements)}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> EpisodeRecord:
        """Invert `to_json`. Unknown keys are ignored, as logs hold more.

        Args:
            fields: The output of `to_json`.

        Returns:
            The record.

        Raises:
            ValueError: If a field is missing.
        """
        known = [entry for entry in dataclasses.fields(cls) if entry.name in fields]
        missing = [
            entry.name
            for entry in dataclasses.fields(cls)
            if entry not in known and entry.default is dataclasses.MISSING
        ]
        if missing:
            raise ValueError(f"Expected an episode's record with {', '.join(missing)}, got only {', '.join(fields)}.")
        return cls(**{entry.name: fields[entry.name] for entry in known})


@dataclass(slots=True)
class EpisodeTally:
    """The running totals of an episode. Begin a new tally at every reset.

    Attributes:
        game: `"classic"` or `"full"`.
        seed: `info["episode_seed"]`.
        start: `info["timestep"]` at the reset.
        decisions: The number of calls of `add`.
    """

    game: str
    seed: int
    start: int
    length: int = 0
    total_reward: float = 0.0
    reward_achievements: float = 0.0
    reward_health: float = 0.0
    achievements: dict[str, int] = field(default_factory=dict)
    terminated: bool = False
    truncated: bool = False
    end_reason: str = UNFINISHED
    decisions: int = 0
    invalid_replies: int = 0

    @classmethod
    def begin(cls, game: str, info: Mapping[str, Any]) -> EpisodeTally:
        """Begin an episode.

        Args:
            game: The game's key.
            info: The info of the reset.

        Returns:
            An empty tally.
        """
        return cls(game, int(info["episode_seed"]), int(info["timestep"]))

    def add(self, reward: float, terminated: bool, truncated: bool, info: Mapping[str, Any]) -> None:
        """Count one call of `step`.

        Args:
            reward: The reward.
            terminated: Whether the game itself ended.
            truncated: Whether a cap ended the episode.
            info: The info.
        """
        self.decisions += 1
        self.length = int(info["timestep"]) - self.start
        self.total_reward += float(reward)
        self.reward_achievements += float(info["reward_achievements"])
        self.reward_health += float(info["reward_health"])
        for key in info["new_achievements"]:
            self.achievements.setdefault(key, self.length)
        self.terminated, self.truncated = bool(terminated), bool(truncated)
        if terminated or truncated:
            self.end_reason = info["end_reason"] or "step_cap"

    def record(self, **extra: Any) -> EpisodeRecord:
        """Make the record of the episode so far.

        Args:
            **extra: Fields that the environment does not know: `input_tokens`, `output_tokens`, `cost`.

        Returns:
            The record.
        """
        fields = {entry.name: getattr(self, entry.name) for entry in dataclasses.fields(self) if entry.name != "start"}
        return EpisodeRecord(**{**fields, "achievements": dict(self.achievements), **extra})
