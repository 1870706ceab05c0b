"""The settings that decide the outcome of a run, and the environments and agents made from them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym

from craftax_text_gym import games, wrappers
from craftax_text_gym.agents import Agent, AgentRecipe
from craftax_text_gym.evaluation import protocols
from craftax_text_gym.games import GameSpec
from craftax_text_gym.recording import stamping
from craftax_text_gym.utils import provenance

DEFAULT_FORMAT = "markdown"
_IGNORED = frozenset({"kind", "format", "command", "backend", "versions"})
_COMPARED_VERSIONS = (*provenance.SHAPES_RANDOMNESS, "craftax-text-gym")


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings that decide the outcome of a run. Picklable if the agent's recipe is.

    Attributes:
        game: `"classic"` or `"full"`.
        agent: The recipe of the agents.
        seeds: One per episode, all different, each below 2**32.
        max_steps: The cap on steps per episode.
        max_decisions: The cap on decisions per episode; None for no cap.
        max_actions: The maximum number of actions per reply.
        stop_on: The events that stop a sequence of actions early; see `ActionSequence`.
        protocol: The name of the protocol; None without one.
        text_format: The format the user asks for; None for the one the agent prefers.
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
        """Make an agent, for one episode or for several in sequence.

        Raises:
            ImportError: If the agent needs an extra that is not installed.
            TypeError, ValueError: If the agent cannot be made; the message says why.
        """
        arguments: dict[str, Any] = {
            "game": self.spec,
            "max_actions": self.max_actions,
            "max_steps": self.max_steps,
            "max_decisions": self.max_decisions,
        }
        if self.protocol is not None and not protocols.get(self.protocol).allows_strategy:
            arguments["strategy"] = False
        if self.text_format is not None:
            arguments["text_format"] = self.text_format
        return self.agent.make(**arguments)

    def env_arguments(self, agent: Agent) -> dict[str, Any]:
        """The arguments for `gym.make` and `gym.make_vec`, besides the id.

        Args:
            agent: Its `text_format` is used unless the user asks for another.
        """
        text_format = self.text_format
        if text_format is None:
            text_format = getattr(agent, "text_format", DEFAULT_FORMAT)
        return {"text_format": text_format, "max_episode_steps": self.max_steps, **self.env_options}

    def make_env(self, agent: Agent) -> gym.Env[Any, Any]:
        """Make a single environment with the wrappers that an agent needs.

        Args:
            agent: The agent that will play.
        """
        env: gym.Env[Any, Any] = gym.make(self.spec.env_id, **self.env_arguments(agent))
        if self.max_actions > 1:
            env = wrappers.ActionSequence(env, self.max_actions, self.stop_on)
        if replies_in_text(agent):
            env = wrappers.TextActions(env, on_invalid="noop")
        if self.max_decisions is not None:
            env = wrappers.StepCap(env, self.max_decisions, unit="decision")
        return env

    def header(self) -> dict[str, Any]:
        """The header of the results: the settings and the output of `stamping.stamp`, JSON-able."""
        agent = self.make_agent()
        env = gym.make(self.spec.env_id, **self.env_arguments(agent))
        stamp = stamping.stamp(env)
        env.close()
        return {
            "kind": "header",
            "format": 1,
            **stamp,
            "agent": self.agent.name,
            "agent_options": self.agent.recorded_options,
            **({"agent_stamp": dict(agent.stamp)} if hasattr(agent, "stamp") else {}),
            "protocol": self.protocol,
            "seeds": list(self.seeds),
            "max_steps": self.max_steps,
            "max_decisions": self.max_decisions,
            "max_actions": self.max_actions,
            "stop_on": list(self.stop_on),
            "command": command_of(self),
        }


def replies_in_text(agent: Agent) -> bool:
    """Whether an agent's replies are text, to be read by `parse_actions`."""
    return bool(getattr(agent, "replies", False))


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Describe how two headers differ in what decides the outcome.

    Args:
        old: The header of existing results.
        new: The header of the run that would resume them.

    Returns:
        Sentences such as `"max_steps is 300 there, 200 here"`.
    """
    versions = {f"version of {name}" for name in _COMPARED_VERSIONS}
    old, new = _flat(old), _flat(new)
    keys = [
        key for key in {**old, **new} if key not in _IGNORED and (not key.startswith("version of") or key in versions)
    ]
    return [
        f"{key} is {old.get(key, 'missing')!r} there, {new.get(key, 'missing')!r} here"
        for key in keys
        if old.get(key) != new.get(key)
    ]


def _flat(header: Mapping[str, Any]) -> dict[str, Any]:
    return {**header, **{f"version of {name}": number for name, number in header.get("versions", {}).items()}}


def command_of(settings: RunSettings) -> str:
    """The shell command that repeats a run.

    Args:
        settings: The settings of the run.

    Returns:
        One line. An agent that was made in Python is named by its class.
    """
    words = ["craftax-text", "eval", "--game", settings.game, "--agent", settings.agent.name]
    for key, value in settings.agent.recorded_options.items():
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
