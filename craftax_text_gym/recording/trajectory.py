"""Trajectories: the file format, its writer and its reader.

The format is JSON Lines: a `header` (the output of `stamping.stamp`, the seed, the caps and the wrappers), a `reset`,
one `step` per call of `step`, and an `episode` (the `EpisodeRecord`). If the last one is missing, the process was
killed. Pictures are not stored, but rendered at replay.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from craftax_text_gym.recording import json_lines
from craftax_text_gym.scoring.episode import EpisodeRecord, EpisodeTally

REASONING = "reasoning_content"
"""The key of a model's reasoning, in a reply that is a message."""

FORMAT = 1
"""The version of the file format."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A recorded episode.

    Attributes:
        header: The output of `stamping.stamp`, with `seed`, `max_episode_steps` and `wrappers`.
        start: The line of the reset.
        steps: The lines of the steps.
        record: The record of the episode; None if the recording process was killed.
        num_torn: The number of torn lines.
    """

    header: dict[str, Any]
    start: dict[str, Any]
    steps: tuple[dict[str, Any], ...]
    record: EpisodeRecord | None
    num_torn: int


class TrajectoryWriter:
    """Writes the episodes of one game into a folder, one file each."""

    def __init__(
        self, folder: str, action_names: tuple[str, ...], settings: Mapping[str, Any], in_words: bool = False
    ) -> None:
        """Prepare the writer. Nothing is written yet.

        Args:
            folder: The folder of the files, created if needed.
            action_names: The names of the game's actions, by number.
            settings: `max_episode_steps` and `wrappers`, for the header.
            in_words: Whether actions are replies to be parsed, such as text.
        """
        self.path: Path | None = None
        self._folder = Path(folder).absolute()
        self._names = action_names
        self._settings = settings
        self._in_words = in_words
        self._tally: EpisodeTally | None = None

    def begin(self, text: str | None, info: Mapping[str, Any], stamp: Mapping[str, Any]) -> None:
        """Begin a file; an episode in progress is recorded as unfinished.

        Args:
            text: The text of the observation; None if it has none.
            info: The info of the reset.
            stamp: The output of `stamping.stamp`.

        Raises:
            json_lines.RecordingError: If the file cannot be written.
        """
        self.close()
        seed = int(info["episode_seed"])
        name = f"{stamp['game']}-{seed}-{uuid.uuid4().hex[:12]}.jsonl"
        json_lines.make_folder(self._folder)
        self.path = self._folder / name
        header = {"kind": "header", "format": FORMAT, **stamp, "seed": seed, **self._settings}
        json_lines.create(self.path, header)
        json_lines.append(self.path, {"kind": "reset", "t": int(info["timestep"]), "text": text})
        self._tally = EpisodeTally.begin(stamp["game"], info)

    def add(
        self,
        action: Any,
        text: str | None,
        reward: float,
        terminated: bool,
        truncated: bool,
        info: Mapping[str, Any],
    ) -> None:
        """Write a step, and the record if the episode ends.

        Args:
            action: The argument of `step`: a number, a name, a sequence of them, or a reply.
            text: The text of the observation; None if it has none.
            reward: The reward.
            terminated: Whether the game itself ended.
            truncated: Whether a cap ended it.
            info: The info.

        Raises:
            json_lines.RecordingError: If the file cannot be written.
        """
        if self._tally is None or self.path is None:
            return
        self._tally.add(reward, terminated, truncated, info)
        line = {
            "kind": "step",
            "t": int(info["timestep"]),
            **self._action_fields(action, info),
            "reward": float(reward),
            "text": text,
            "achievements": list(info["new_achievements"]),
            "terminated": bool(terminated),
            "truncated": bool(truncated),
            "end_reason": info["end_reason"],
        }
        json_lines.append(self.path, line)
        if terminated or truncated:
            self.close()

    def close(self) -> None:
        """End the file with the record of the episode.

        Raises:
            json_lines.RecordingError: If the file cannot be written.
        """
        tally, self._tally = self._tally, None
        if tally is not None and self.path is not None:
            json_lines.append(self.path, {"kind": "episode", **tally.record().to_json()})

    def __getstate__(self) -> dict[str, Any]:
        # A copied or unpickled stack plays on by itself: it records from its next reset on.
        return {**self.__dict__, "path": None, "_tally": None}

    def _action_fields(self, action: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        """The entries of a line about the action: the names played and, if there is one, the reply."""
        if self._in_words:
            return {"action": self._executed(info), "reply": action}
        if isinstance(action, str):
            return {"action": action}
        if isinstance(action, list | tuple):
            return {"action": [name if isinstance(name, str) else self._names[name] for name in action]}
        return {"action": self._names[int(action)]}

    def _executed(self, info: Mapping[str, Any]) -> list[str]:
        played = info.get("actions_taken", (info["executed_action"],))
        return [self._names[number] for number in played if number >= 0]


def read(path: str | os.PathLike[str]) -> Trajectory:
    """Read a trajectory.

    Args:
        path: The file.

    Returns:
        The recorded episode, as far as it was written.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it is not a trajectory, or its format version is unknown.
    """
    lines = json_lines.read(path)
    kinds = [line.get("kind") for line in lines.values]
    if kinds[:1] != ["header"]:
        raise ValueError(f"Expected a trajectory with a header as RecordTrajectory writes it, got '{path}'.")
    header = lines.values[0]
    if header.get("format") != FORMAT:
        raise ValueError(f"Expected a trajectory of format {FORMAT}, got format {header.get('format')} in '{path}'.")
    if kinds[1:2] != ["reset"]:
        raise ValueError(f"Expected a reset in the second line of '{path}': its process was killed before it.")
    ended = kinds[-1] == "episode"
    steps = lines.values[2 : -1 if ended else None]
    for number, line in enumerate(steps, 3):
        if line.get("kind") != "step":
            raise ValueError(f"Expected a step in line {number} of '{path}', got {line.get('kind')!r}.")
    record = EpisodeRecord.from_json(lines.values[-1]) if ended else None
    return Trajectory(header, lines.values[1], steps, record, lines.num_torn)
