"""Where the text stands in an observation and in its space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gymnasium.spaces import Dict, Space, Text

from craftax_text_gym.spaces import ObservationText

Path = tuple[str, ...]
"""The keys that lead to the text; empty where the observation is the text itself."""


def find_text(space: Space[Any]) -> Path | None:
    """Where the text stands in the observations of a space.

    Args:
        space: A `Text`, or a `Dict` with one in it, at any depth.

    Returns:
        The keys that lead there; None where there is no text, or more than one.
    """
    paths = list(_paths(space))
    return paths[0] if len(paths) == 1 else None


def require_text(space: Space[Any], what: str) -> Path:
    """Where the text stands; for what cannot do without.

    Args:
        space: An observation space.
        what: What needs the text, for the message.

    Returns:
        The keys that lead there.

    Raises:
        ValueError: If there is no text, or more than one.
    """
    path = find_text(space)
    if path is None:
        raise ValueError(
            f"{what} needs one text in the observation, got {space}. "
            f'Make the environment with obs_mode="text" or "both".'
        )
    return path


def _paths(space: Space[Any]) -> Iterator[Path]:
    if isinstance(space, Text):
        yield ()
    elif isinstance(space, Dict):
        for key, inner in space.spaces.items():
            for path in _paths(inner):
                yield (key, *path)


def get_text(observation: Any, path: Path) -> Any:
    """The text of an observation, or the texts of a batch's."""
    for key in path:
        observation = observation[key]
    return observation


def put_text(observation: Any, path: Path, text: Any) -> Any:
    """The observation with another text, or a batch with other texts; the old one stays as it was."""
    if not path:
        return text
    return {**observation, path[0]: put_text(observation[path[0]], path[1:], text)}


def grow_space(space: Space[Any], path: Path, room: int, times: int = 1) -> Space[Any]:
    """The observation space whose texts may be longer.

    Args:
        space: An observation space.
        path: Where its text stands.
        room: How many more characters.
        times: How often a whole text is to fit.

    Returns:
        A new space, equal in all else.
    """
    if isinstance(space, Text):
        return ObservationText(times * space.max_length + room)
    if not isinstance(space, Dict):
        raise TypeError(f"Expected a Text or a Dict, got {space}.")
    inner = {key: grow_space(sub, path[1:], room, times) if key == path[0] else sub for key, sub in space.items()}
    return Dict(inner)
