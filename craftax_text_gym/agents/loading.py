"""Making agents: by name, from a user's own class, or from one that is at hand."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from craftax_text_gym.agents.agent import Agent
from craftax_text_gym.utils.plugins import load
from craftax_text_gym.utils.validation import check_choice

_HERE = "craftax_text_gym.agents"

AGENTS: Mapping[str, str] = {
    "random": f"{_HERE}.random:RandomAgent",
    "noop": f"{_HERE}.noop:NoopAgent",
    "scripted": f"{_HERE}.scripted:ScriptedAgent",
    "llm": f"{_HERE}.llm:LLMAgent",
}
"""Name -> `"module:Class"`."""

_SECRET = ("api_key",)
_WORDS = {"true": True, "false": False, "none": None}
_STARRED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True, slots=True)
class AgentRecipe:
    """How to make an agent, any number of times. It can be pickled where the factory can.

    Attributes:
        name: A key of `AGENTS`, or `"package.module:Name"`.
        options: What its constructor is given by keyword.
        factory: Makes the agent; None where the name says enough.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    factory: Callable[..., Agent] | None = None

    @property
    def recorded_options(self) -> dict[str, Any]:
        """The options to record, JSON-able and without secrets."""
        options = {key: value for key, value in self.options.items() if key not in _SECRET}
        recorded: dict[str, Any] = json.loads(json.dumps(options, default=repr))
        return recorded

    def make(self, **given: Any) -> Agent:
        """Make an agent.

        Args:
            **given: Options for a constructor that has them, unless the recipe has them itself: `game`, …

        Returns:
            A new agent, not reset yet.

        Raises:
            ImportError: If it needs an extra that is not installed.
            TypeError: If what is made is no agent.
            ValueError: If there is no such agent, or an option is unknown or missing.
        """
        factory = self.factory or _load(self.name)
        taken = _parameters(factory)
        options = {**{key: value for key, value in given.items() if key in taken}, **self.options}
        _check_options(self.name, taken, options)
        agent: Any = factory(**options)
        if not all(callable(getattr(agent, name, None)) for name in ("reset", "act")):
            raise TypeError(f"Expected {self.name!r} to make an agent with reset and act, got {agent!r}.")
        made: Agent = agent
        return made


def recipe_of(agent: str | Callable[..., Agent] | Agent, options: Mapping[str, Any] | None = None) -> AgentRecipe:
    """The recipe for what a user passes as an agent.

    Args:
        agent: A name of `AGENTS`, a user's own `"package.module:Name"`, a class or function that makes agents, or an
            agent, of which each episode that runs at the same time gets a deep copy.
        options: What the constructor is given by keyword.

    Returns:
        The recipe.

    Raises:
        TypeError: If it is none of these, or there are options for an agent that is made already.
        ValueError: If there is no such agent.
    """
    options = dict(options or {})
    if isinstance(agent, str):
        check_choice("agent", agent, AGENTS, custom=True)
        return AgentRecipe(agent, options)
    if callable(agent):
        return AgentRecipe(_name_of(agent), options, agent)
    if options:
        raise TypeError(f"Expected options with the name or the class of an agent only, got a {type(agent).__name__}.")
    return AgentRecipe(_name_of(type(agent)), {}, _Copies(agent))


def parse_options(texts: Iterable[str]) -> dict[str, Any]:
    """Read options that were typed as `key=value`.

    Args:
        texts: Values in JSON, such as `3`, `true` or `["a"]`; anything else is taken as a string.

    Returns:
        Key -> value, hyphens in keys turned into underscores.

    Raises:
        ValueError: If one has no `=`, or a key occurs twice.
    """
    options: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or not key.isidentifier():
            raise ValueError(f"Expected an agent's option as key=value, got {text!r}.")
        if key in options:
            raise ValueError(f"Expected each agent's option once, got {key!r} twice.")
        options[key] = _parse_value(value)
    return options


@dataclass(frozen=True, slots=True)
class _Copies:
    """Makes deep copies of an agent."""

    agent: Agent

    def __call__(self) -> Agent:
        return copy.deepcopy(self.agent)


def _parse_value(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return json.loads(text)
    except ValueError:
        return text


def _load(name: str) -> Callable[..., Agent]:
    if name not in AGENTS:
        factory: Callable[..., Agent] = load("agent", name, {})
        return factory
    module, _, attribute = AGENTS[name].partition(":")
    built_in: Callable[..., Agent] = getattr(import_module(module), attribute)
    return built_in


def _parameters(factory: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return {
        name: parameter
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.kind is not inspect.Parameter.POSITIONAL_ONLY
    }


def _check_options(name: str, taken: Mapping[str, inspect.Parameter], options: Mapping[str, Any]) -> None:
    kinds = {parameter.kind for parameter in taken.values()}
    named = [key for key, parameter in taken.items() if parameter.kind not in _STARRED]
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        for key in options:
            if not named:
                raise ValueError(f"Agent {name!r} takes no options, got {key!r}.")
            check_choice(f"option of agent {name!r}", key, named)
    missing = [key for key in named if taken[key].default is inspect.Parameter.empty and key not in options]
    if missing:
        raise ValueError(f"Agent {name!r} needs the option {missing[0]!r}: pass --agent-option {missing[0]}=VALUE")


def _name_of(factory: Any) -> str:
    return f"{getattr(factory, '__module__', None)}:{getattr(factory, '__qualname__', type(factory).__qualname__)}"
