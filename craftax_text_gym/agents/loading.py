"""Make agents: by name, from a user's own class or function, or by copying an instance."""

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

_PACKAGE = "craftax_text_gym.agents"

AGENTS: Mapping[str, str] = {
    "random": f"{_PACKAGE}.random:RandomAgent",
    "noop": f"{_PACKAGE}.noop:NoopAgent",
    "scripted": f"{_PACKAGE}.scripted:ScriptedAgent",
    "llm": f"{_PACKAGE}.llm:LLMAgent",
}
"""Name -> `"module:Class"`."""

_SECRET_OPTIONS = ("api_key",)
_LITERALS = {"true": True, "false": False, "none": None}
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True, slots=True)
class AgentRecipe:
    """How to make an agent, any number of times. Picklable if the factory is.

    Attributes:
        name: A key of `AGENTS`, or `"package.module:Name"`.
        options: Keyword arguments for its constructor.
        factory: Makes the agent; None to load it by name.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    factory: Callable[..., Agent] | None = None

    @property
    def recorded_options(self) -> dict[str, Any]:
        """The options to record, JSON-able and without secrets."""
        options = {key: value for key, value in self.options.items() if key not in _SECRET_OPTIONS}
        recorded: dict[str, Any] = json.loads(json.dumps(options, default=repr))
        return recorded

    def make(self, **defaults: Any) -> Agent:
        """Make an agent.

        Args:
            **defaults: Options such as `game`, used if the constructor accepts them and the recipe does not set them.

        Returns:
            A new agent, not reset yet.

        Raises:
            ImportError: If it needs an extra that is not installed.
            TypeError: If the factory does not make an agent.
            ValueError: If there is no such agent, or an option is unknown or missing.
        """
        factory = self.factory or _load(self.name)
        accepted = _parameters(factory)
        options = {**{key: value for key, value in defaults.items() if key in accepted}, **self.options}
        _check_options(self.name, accepted, options)
        agent: Any = factory(**options)
        if not all(callable(getattr(agent, name, None)) for name in ("reset", "act")):
            raise TypeError(f"Expected {self.name!r} to make an agent with reset and act, got {agent!r}.")
        made: Agent = agent
        return made


def recipe_of(agent: str | Callable[..., Agent] | Agent, options: Mapping[str, Any] | None = None) -> AgentRecipe:
    """Turn what a user passes as an agent into a recipe.

    Args:
        agent: A name of `AGENTS`, a user's own `"package.module:Name"`, a class or function that makes agents, or an
            agent instance, of which each concurrent episode gets a deep copy.
        options: Keyword arguments for the constructor.

    Returns:
        The recipe.

    Raises:
        TypeError: If it is none of these, or options are given for an agent instance.
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
    return AgentRecipe(_name_of(type(agent)), {}, _CopyFactory(agent))


def parse_options(texts: Iterable[str]) -> dict[str, Any]:
    """Parse options given as `key=value`.

    Args:
        texts: The options. Values are JSON, such as `3`, `true` or `["a"]`; anything else is a string.

    Returns:
        Key -> value, with hyphens in keys replaced by underscores.

    Raises:
        ValueError: If an option has no `=`, or a key occurs twice.
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
class _CopyFactory:
    """Makes deep copies of an agent."""

    agent: Agent

    def __call__(self) -> Agent:
        return copy.deepcopy(self.agent)


def _parse_value(text: str) -> Any:
    if text.lower() in _LITERALS:
        return _LITERALS[text.lower()]
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


def _check_options(name: str, accepted: Mapping[str, inspect.Parameter], options: Mapping[str, Any]) -> None:
    kinds = {parameter.kind for parameter in accepted.values()}
    named = [key for key, parameter in accepted.items() if parameter.kind not in _VARIADIC]
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        for key in options:
            if not named:
                raise ValueError(f"Agent {name!r} takes no options, got {key!r}.")
            check_choice(f"option of agent {name!r}", key, named)
    missing = [key for key in named if accepted[key].default is inspect.Parameter.empty and key not in options]
    if missing:
        raise ValueError(f"Agent {name!r} needs the option {missing[0]!r}: pass --agent-option {missing[0]}=VALUE")


def _name_of(factory: Any) -> str:
    return f"{getattr(factory, '__module__', None)}:{getattr(factory, '__qualname__', type(factory).__qualname__)}"
