"""Trajectories: the file format, its writer and its reader.

JSON Lines. First a `header`: what `stamping.stamp` tells, the seed, the caps and the wrappers. Then a `reset`, a
`step` for each call of `step`, and an `episode`: the `EpisodeRecord`. Where that last line is missing, the process was
killed. No pictures are stored: they are drawn at replay.
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

FORMAT = 1
"""The version of the file format."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A recorded episode.

    Attributes:
        header: What shaped it: see `stamping.stamp`; also `seed`, `max_episode_steps` and `wrappers`.
        start: The line of the reset.
        steps: The lines of the steps.
        record: What came of it; None where the process that recorded it was killed.
        num_torn: How many lines were torn.
    """

    header: dict[str, Any]
    start: dict[str, Any]
    steps: tuple[dict[str, Any], ...]
    record: EpisodeRecord | None
    num_torn: int


class TrajectoryWriter:
    """Writes one game's episodes, a file each, into a folder."""

    def __init__(
        self, folder: str, action_names: tuple[str, ...], settings: Mapping[str, Any], in_words: bool = False
    ) -> None:
        """Write nothing yet.

        Args:
            folder: Where the files go; made if there is none.
            action_names: The game's actions, by number.
            settings: `max_episode_steps` and `wrappers`, for the header.
            in_words: Whether `step` is given replies in words.
        """
        self.path: Path | None = None
        self._folder = Path(folder).absolute()
        self._names = action_names
        self._settings = settings
        self._in_words = in_words
        self._tally: EpisodeTally | None = None

    def begin(self, text: str | None, info: Mapping[str, Any], stamp: Mapping[str, Any]) -> None:
        """Begin a file; an episode that is still being played is recorded as unfinished.

        Args:
            text: The observation in words; None where there is none.
            info: Of the reset.
            stamp: From `stamping.stamp`.

        Raises:
            json_lines.RecordingError: If the file cannot be written.
        """
        self.close()
        seed = int(info["episode_seed"])
        name = f"{stamp['game']}-{seed}-{uuid.uuid4().hex[:12]}.jsonl"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise json_lines.RecordingError(
                f"Cannot make the folder '{self._folder}' ({error.strerror}): choose another one."
            ) from error
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
        """Add a step, and the record if the episode ends.

        Args:
            action: What `step` was given: a number, a name, a batch of them, or a reply in words.
            text: The observation in words; None where there is none.
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
            **self._told(action, info),
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
        """End the file, with what came of the episode.

        Raises:
            json_lines.RecordingError: If the file cannot be written.
        """
        tally, self._tally = self._tally, None
        if tally is not None and self.path is not None:
            json_lines.append(self.path, {"kind": "episode", **tally.record().to_json()})

    def __getstate__(self) -> dict[str, Any]:
        # A copy of a stack, or a pickled one, plays a future of its own: it records from its next reset on.
        return {**self.__dict__, "path": None, "_tally": None}

    def _told(self, action: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        """The names of the actions, and the words where they came in words."""
        if self._in_words:
            return {"action": self._played(info), "reply": action}
        if isinstance(action, str):
            return {"action": action}
        if isinstance(action, list | tuple):
            return {"action": [name if isinstance(name, str) else self._names[name] for name in action]}
        return {"action": self._names[int(action)]}

    def _played(self, info: Mapping[str, Any]) -> list[str]:
        played = info.get("actions_taken", (info["executed_action"],))
        return [self._names[number] for number in played if number >= 0]


def read(path: str | os.PathLike[str]) -> Trajectory:
    """Read a trajectory.

    Args:
        path: The file.

    Returns:
        The recorded episode, as far as it was written.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it is no trajectory, or of a format that this version does not know.
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
