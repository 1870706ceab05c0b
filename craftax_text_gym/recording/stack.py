"""Describe the wrappers around an environment as data, and rebuild them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pkgutil import resolve_name
from typing import Any

import gymnasium as gym
from gymnasium.wrappers import TimeLimit

from craftax_text_gym.utils.gymnasium_internals import constructor_kwargs
from craftax_text_gym.vector.env import CraftaxTextVectorEnv

_TRUSTED = ("craftax_text_gym.wrappers.", "gymnasium.wrappers.")
"""The only sources of wrappers: a file must not decide what code is imported."""

_PASSIVE = frozenset(
    {
        "AchievementLogger",
        "EpisodeScores",
        "HumanRendering",
        "OrderEnforcing",
        "PassiveEnvChecker",
        "RecordEpisodeStatistics",
        "RecordTrajectory",
        "RecordVideo",
    }
)
"""Wrappers that do not change episodes. They are left out: rebuilt, they would log the replay."""


class ReplayRefusedError(ValueError):
    """A trajectory cannot be replayed here; the message has the reason."""


def describe(env: gym.Env[Any, Any]) -> dict[str, Any]:
    """Describe the stack of wrappers around an environment.

    Args:
        env: An environment, wrapped or not.

    Returns:
        JSON-able: `max_episode_steps` (the lowest `TimeLimit`; None without one) and `wrappers`, the innermost first,
        each with `entry_point` and `kwargs`, which is None if it is not JSON-able.
    """
    wrappers: list[dict[str, Any]] = []
    cap = None
    while isinstance(env, gym.Wrapper):
        if isinstance(env, TimeLimit):
            steps = (constructor_kwargs(env) or {})["max_episode_steps"]
            cap = steps if cap is None else min(cap, steps)
        if type(env).__name__ not in _PASSIVE:
            wrappers.insert(0, _wrapper(env))
        env = env.env
    return {"max_episode_steps": cap, "wrappers": wrappers}


def describe_vector(envs: gym.vector.VectorEnv[Any, Any, Any]) -> dict[str, Any]:
    """Describe the wrappers around each game of a vector environment.

    Args:
        envs: A vector environment, wrapped or not.

    Returns:
        As `describe`. Vector wrappers that change episodes are among the wrappers, without `kwargs`.
    """
    outer: list[dict[str, Any]] = []
    base: Any = envs
    while isinstance(base, gym.vector.VectorWrapper):
        if type(base).__name__ not in _PASSIVE:
            outer.insert(0, _wrapper(base))
        base = base.env
    inner = getattr(base, "envs", None)
    if inner:
        inner_stack = describe(inner[0])
    else:
        cap = base.max_episode_steps if isinstance(base, CraftaxTextVectorEnv) else _registered_cap(base)
        limit = {"entry_point": "gymnasium.wrappers.common:TimeLimit", "kwargs": {"max_episode_steps": cap}}
        inner_stack = {"max_episode_steps": cap, "wrappers": [] if cap is None else [limit]}
    return {**inner_stack, "wrappers": inner_stack["wrappers"] + outer}


def _registered_cap(envs: Any) -> int | None:
    cap: int | None = None if envs.spec is None else envs.spec.max_episode_steps
    return None if cap is None or cap < 0 else cap


def build(env: gym.Env[Any, Any], wrappers: Sequence[Mapping[str, Any]]) -> gym.Env[Any, Any]:
    """Rebuild a stack of wrappers.

    Args:
        env: The environment to wrap.
        wrappers: The `wrappers` of `describe`.

    Returns:
        The wrapped environment.

    Raises:
        ReplayRefusedError: If a wrapper is neither Gymnasium's nor this package's, or its arguments are unknown.
    """
    for wrapper in wrappers:
        entry_point, kwargs = wrapper["entry_point"], wrapper["kwargs"]
        if not entry_point.startswith(_TRUSTED):
            raise ReplayRefusedError(
                f"Expected only wrappers of Gymnasium and craftax_text_gym, got {entry_point}: record within it."
            )
        if kwargs is None:
            raise ReplayRefusedError(f"The arguments of {entry_point} cannot be written down: record within it.")
        make: Any = resolve_name(entry_point)
        if not (isinstance(make, type) and issubclass(make, gym.Wrapper)):
            raise ReplayRefusedError(f"Expected a wrapper of single environments, got {entry_point}: record within it.")
        env = make(env, **kwargs)
    return env


def _wrapper(env: Any) -> dict[str, Any]:
    kind = type(env)
    try:
        kwargs = json.loads(json.dumps(constructor_kwargs(env)))
    except (TypeError, ValueError):
        kwargs = None
    return {"entry_point": f"{kind.__module__}:{kind.__qualname__}", "kwargs": kwargs}
