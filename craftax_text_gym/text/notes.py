"""The text within an observation: where it stands, how notes are added to it, how its space grows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from gymnasium.spaces import Dict, Space, Text

from craftax_text_gym.spaces import CHARSET, ObservationText

Path = tuple[str, ...]
"""The keys that lead to the text; empty where the observation is the text itself."""

_XML_END = "</observation>"
_XML_NOTES_END = f"</notes>\n{_XML_END}"
_WORST_ESCAPE = len("&amp;")
_NOTES_FRAME = 64
_NOTE_FRAME = 8


def find_text(space: Space[Any]) -> Path | None:
    """Where the text stands in the observations of a space.

    Args:
        space: A `Text`, or a `Dict` with one in it, at any depth.

    Returns:
        The keys that lead there; None where there is no text, or more than one.
    """
    paths = list(_paths(space))
    return paths[0] if len(paths) == 1 else None


def need_text(space: Space[Any], what: str) -> Path:
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


def room_for(num_notes: int, num_characters: int) -> int:
    """How much a text may grow by notes, whatever its markup makes of them.

    Args:
        num_notes: The number of notes.
        num_characters: The most characters of each; see `clip`.

    Returns:
        A number of characters.
    """
    return num_notes * (_WORST_ESCAPE * num_characters + _NOTE_FRAME) + _NOTES_FRAME


def clip(note: str, num_characters: int) -> str:
    """A note with none but an observation's characters, and no more of them than that."""
    note = "".join([character if character in CHARSET else "?" for character in note])
    return note if len(note) <= num_characters else f"{note[: num_characters - 3]}..."


def add_notes(text: str, notes: Sequence[str]) -> str:
    """Add notes at the end of a text, such that JSON stays JSON and XML stays XML.

    Args:
        text: An observation.
        notes: Sentences. In JSON they are the list `"notes"`, in XML the element `<notes>`, elsewhere lines after an
            empty one.

    Returns:
        The text with the notes; those of several calls stand in order.
    """
    if not notes:
        return text
    if text[:1] == "{" and text[-1:] == "}" and (data := _decoded(text)) is not None:
        data["notes"] = [*data.get("notes", []), *notes]
        return json.dumps(data, separators=(",", ":"))
    lines = "\n".join(notes)
    if text.endswith(_XML_END):
        lines = lines.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        if text.endswith(_XML_NOTES_END):
            return f"{text.removesuffix(_XML_NOTES_END)}{lines}\n{_XML_NOTES_END}"
        return f"{text.removesuffix(_XML_END)}<notes>\n{lines}\n{_XML_NOTES_END}"
    return f"{text}\n\n{lines}"


def put_notes(observation: Any, path: Path | None, notes: Sequence[str]) -> Any:
    """An observation with notes at the end of its text.

    Args:
        observation: It.
        path: Where its text stands; None where it has none, and is left as it is.
        notes: Sentences; see `add_notes`.

    Returns:
        The observation with the notes; the old one stays as it was.
    """
    return observation if path is None else put_text(observation, path, add_notes(get_text(observation, path), notes))


def _decoded(text: str) -> dict[str, Any] | None:
    """A JSON object, or None for what only looks like one, as a user's own markup may."""
    try:
        data = json.loads(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
