"""Replay a trajectory, and compare every step with the recording."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

import gymnasium as gym

from craftax_text_gym import games
from craftax_text_gym.env import CraftaxTextEnv
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.recording import stack, stamping
from craftax_text_gym.recording.stack import ReplayRefusedError
from craftax_text_gym.recording.trajectory import Trajectory
from craftax_text_gym.text import resolve
from craftax_text_gym.text.location import find_text, get_text
from craftax_text_gym.utils import provenance


class ReplayDifferenceError(ValueError):
    """A replay differs from its recording; the message shows the first difference."""


def make_env(header: Mapping[str, Any]) -> gym.Env[Any, Any]:
    """Make the environment of a trajectory, with its wrappers and caps.

    Args:
        header: The trajectory's header.

    Returns:
        The environment.

    Raises:
        ReplayRefusedError: If the text format or the stack of wrappers cannot be rebuilt.
    """
    if resolve(header["text_format"]).digest != header["text_format_digest"]:
        raise ReplayRefusedError(
            f"Expected a text format of digest {header['text_format_digest']}, got "
            f"{resolve(header['text_format']).digest}: this version writes the format differently. "
            f"Recorded by craftax-text-gym {header['versions']['craftax-text-gym']}."
        )
    env: gym.Env[Any, Any] = gym.make(
        games.get(header["game"]).env_id,
        max_episode_steps=-1,  # the cap is among the recorded wrappers
        disable_env_checker=True,
        text_format=header["text_format"],
        reveal=header["reveal"],
        env_params=header["env_params"],
        obs_mode=header["obs_mode"],
    )
    return stack.build(env, header["wrappers"])


def check_versions(header: Mapping[str, Any], stamp: Mapping[str, Any]) -> None:
    """Refuse a replay that cannot be equal: with other versions that affect randomness, or another backend.

    Args:
        header: The trajectory's header.
        stamp: The output of `stamping.stamp` in this process.

    Raises:
        ReplayRefusedError: If they differ; the message has the reason.
    """
    facts = {name: (header["versions"].get(name), stamp["versions"][name]) for name in provenance.SHAPES_RANDOMNESS}
    for fact in ("backend", "jax_threefry_partitionable"):
        if header[fact] is not None and stamp[fact] is not None:
            facts[fact] = header[fact], stamp[fact]
    for name, (recorded, here) in facts.items():
        if recorded != here:
            cure = f'Run: pip install "{name}=={recorded}".' if name in provenance.SHAPES_RANDOMNESS else ""
            raise ReplayRefusedError(
                f"Recorded with {name} {recorded}, but here it is {here}, and the same seed may give another game. "
                f"{cure}".rstrip()
            )


def play(trajectory: Trajectory, *, check: bool = True) -> Iterator[Scene]:
    """Replay a trajectory; each scene is yielded after its comparison.

    Args:
        trajectory: The recorded episode.
        check: Whether to compare the steps, and to refuse a replay that cannot be equal.

    Yields:
        The scene at the reset and after each step.

    Raises:
        ReplayRefusedError: If the trajectory cannot be replayed here.
        ReplayDifferenceError: At the first difference.
    """
    header = trajectory.header
    env = make_env(header)
    game_env: Any = env.unwrapped
    path = find_text(env.observation_space)
    try:
        observation, info = env.reset(seed=header["seed"])
        if check:
            check_versions(header, stamping.stamp(env))
            seen = {"text": None if path is None else get_text(observation, path), "t": info["timestep"]}
            _compare(0, trajectory.start, seen)
        yield game_env.scene
        for number, line in enumerate(trajectory.steps, 1):
            observation, reward, terminated, truncated, info = env.step(_action(game_env, line))
            if check:
                seen = {
                    "text": None if path is None else get_text(observation, path),
                    "t": info["timestep"],
                    "reward": float(reward),
                    "achievements": list(info["new_achievements"]),
                    "terminated": terminated,
                    "truncated": truncated,
                    "end_reason": info["end_reason"],
                }
                _compare(number, line, seen)
            yield game_env.scene
            if (terminated or truncated) and number < len(trajectory.steps):
                raise ReplayDifferenceError(
                    f"Step {number}: the episode ended, but {len(trajectory.steps)} are recorded."
                )
    finally:
        env.close()


def check(trajectory: Trajectory) -> int:
    """Replay a trajectory and compare every step.

    Args:
        trajectory: The recorded episode.

    Returns:
        The number of steps compared; all are equal.

    Raises:
        ReplayRefusedError: If the trajectory cannot be replayed here.
        ReplayDifferenceError: At the first difference.
    """
    return sum(1 for _ in play(trajectory)) - 1


def _action(env: CraftaxTextEnv, line: Mapping[str, Any]) -> Any:
    if "reply" in line:
        return line["reply"]
    action = line["action"]
    return (
        tuple(map(env.action_space.index_of, action)) if isinstance(action, list) else env.action_space.index_of(action)
    )


def _compare(number: int, recorded: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
    for name, value in seen.items():
        if recorded[name] == value:
            continue
        if name != "text" or recorded[name] is None or value is None:
            raise ReplayDifferenceError(
                f"Step {number}: {name} was {recorded[name]!r}, and is {value!r} in the replay."
            )
        lines = difflib.unified_diff(
            recorded[name].splitlines(), value.splitlines(), "recorded", "replayed", lineterm="", n=1
        )
        raise ReplayDifferenceError("\n".join([f"Step {number}: the text differs.", *lines]))
