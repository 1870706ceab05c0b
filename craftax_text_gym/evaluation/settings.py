"""What decides the outcome of an evaluation: its settings, and the environment and agent that they stand for."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym

from craftax_text_gym import games
from craftax_text_gym.agents import Agent, AgentRecipe
from craftax_text_gym.games import GameSpec
from craftax_text_gym.recording import stamping
from craftax_text_gym.utils import provenance

DEFAULT_FORMAT = "markdown"
_IGNORED = frozenset({"kind", "format", "command", "backend", "versions"})
_COMPARED_VERSIONS = (*provenance.SHAPES_RANDOMNESS, "craftax-text-gym")


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What decides the outcome of an evaluation. It can be pickled where the agent's recipe can.

    Attributes:
        game: `"classic"` or `"full"`.
        agent: How the agents are made.
        seeds: One an episode, all different, each below 2**32.
        max_steps: The cap on an episode's steps.
        max_decisions: The cap on how often the agent is asked in an episode; None for none.
        max_actions: How many actions one reply may ask for.
        stop_on: What stops a sequence of actions early; see `ActionSequence`.
        protocol: The name of the protocol; None without one.
        text_format: What the user asks for; None for what the agent wants to read.
        env_options: Further arguments of `gym.make`: `reveal`, `env_params`, `obs_mode`.
    """

    game: str
    agent: AgentRecipe
    seeds: tuple[int, ...]
    max_steps: int
    max_decisions: int | None = None
    max_actions: int = 1
    stop_on: tuple[str, ...] = ("death",)
    protocol: str | None = None
    text_format: Any = None
    env_options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def spec(self) -> GameSpec:
        """The game's facts."""
        return games.get(self.game)

    def make_agent(self) -> Agent:
        """An agent of its own for an episode, or for several one after another.

        Raises:
            ImportError: If it needs an extra that is not installed.
            TypeError, ValueError: If it cannot be made; the message says why.
        """
        given = {"game": self.spec, "max_actions": self.max_actions}
        if self.text_format is not None:
            given["text_format"] = self.text_format
        return self.agent.make(**given)

    def env_arguments(self, agent: Agent) -> dict[str, Any]:
        """What `gym.make` and `gym.make_vec` are given beside the id.

        Args:
            agent: Says which format it wants to read, where the user does not.
        """
        wanted = self.text_format if self.text_format is not None else getattr(agent, "text_format", DEFAULT_FORMAT)
        return {"text_format": wanted, "max_episode_steps": self.max_steps, **self.env_options}

    def make_env(self, agent: Agent) -> gym.Env[Any, Any]:
        """A stack of wrappers over a single environment, for an agent.

        Args:
            agent: Says what it wants to read, and whether it answers in words.
        """
        from craftax_text_gym import wrappers

        env: gym.Env[Any, Any] = gym.make(self.spec.env_id, **self.env_arguments(agent))
        if self.max_actions > 1:
            env = wrappers.ActionSequence(env, self.max_actions, self.stop_on)
        if answers_in_words(agent):
            env = wrappers.TextActions(env, on_invalid="noop")
        if self.max_decisions is not None:
            env = wrappers.StepCap(env, self.max_decisions, unit="decision")
        return env

    def header(self) -> dict[str, Any]:
        """What is recorded with the results: all of this, and what `stamping.stamp` tells."""
        agent = self.make_agent()
        env = gym.make(self.spec.env_id, **self.env_arguments(agent))
        stamp = stamping.stamp(env)
        env.close()
        return {
            "kind": "header",
            "format": 1,
            **stamp,
            "agent": self.agent.name,
            "agent_options": self.agent.told,
            "protocol": self.protocol,
            "seeds": list(self.seeds),
            "max_steps": self.max_steps,
            "max_decisions": self.max_decisions,
            "max_actions": self.max_actions,
            "stop_on": list(self.stop_on),
            "command": command_of(self),
        }


def answers_in_words(agent: Agent) -> bool:
    """Whether an agent's replies are read by `parse_actions`."""
    return bool(getattr(agent, "replies", False))


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Where two headers differ in what decides the outcome.

    Args:
        old: The header of results.
        new: The header of a run that would go on with them.

    Returns:
        Sentences such as `"max_steps is 300 there, 200 here"`.
    """
    versions = {f"version of {name}" for name in _COMPARED_VERSIONS}
    old, new = _flat(old), _flat(new)
    keys = [
        key for key in {**old, **new} if key not in _IGNORED and (not key.startswith("version of") or key in versions)
    ]
    return [
        f"{key} is {old.get(key, 'not told')!r} there, {new.get(key, 'not told')!r} here"
        for key in keys
        if old.get(key) != new.get(key)
    ]


def _flat(header: Mapping[str, Any]) -> dict[str, Any]:
    return {**header, **{f"version of {name}": number for name, number in header.get("versions", {}).items()}}


def command_of(settings: RunSettings) -> str:
    """The command that makes the same run.

    Args:
        settings: Of the run.

    Returns:
        A line for a shell; of an agent that was made in Python it names the class.
    """
    words = ["craftax-text", "eval", "--game", settings.game, "--agent", settings.agent.name]
    for key, value in settings.agent.told.items():
        words += ["--agent-option", f"{key}={value}"]
    if settings.protocol is None:
        words += ["--episodes", str(len(settings.seeds)), "--seed", str(settings.seeds[0])]
        words += ["--max-steps", str(settings.max_steps)]
        if settings.max_decisions is not None:
            words += ["--max-decisions", str(settings.max_decisions)]
    else:
        words += ["--protocol", settings.protocol]
    if settings.max_actions > 1 and settings.protocol is None:
        words += ["--max-actions", str(settings.max_actions)]
    if isinstance(settings.text_format, str):
        words += ["--text-format", settings.text_format]
    if settings.env_options.get("reveal"):
        words += ["--reveal", ",".join(settings.env_options["reveal"])]
    return shlex.join(words)
