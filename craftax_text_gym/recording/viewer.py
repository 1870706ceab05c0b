"""Write a trajectory as a self-contained HTML page: pictures, texts, replies, rewards and achievements.

The page loads nothing, and its `Content-Security-Policy` blocks all other code, so texts and replies stay plain text.
Steps are stored in compressed chunks, which the page unpacks when it shows them: ten thousand steps load as fast as
ten.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from craftax_text_gym import games
from craftax_text_gym.games import GameSpec
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.recording.trajectory import REASONING, Trajectory
from craftax_text_gym.recording.viewer_tiles import SHEET_COLUMNS, TileSheet
from craftax_text_gym.scoring.episode import UNFINISHED
from craftax_text_gym.utils.words import spaced

TILE_SIZE = 32
"""Width and height of a tile in pixels."""

CHUNK_STEPS = 256
"""The number of steps per compressed chunk."""

_CURVE_POINTS = 600
"""The maximum number of points of the return curve."""

_FIRST_CHARACTER = 0x100
"""Small numbers are encoded as characters from this code point on, which is beyond all that JSON escapes."""


def write_html(path: str | os.PathLike[str], recorded: Trajectory, scenes: Iterable[Scene]) -> int:
    """Write the page of a trajectory.

    Args:
        path: The file, replaced if it exists.
        recorded: The trajectory.
        scenes: The scene at the reset and after every step.

    Returns:
        The number of frames.

    Raises:
        ValueError: If the number of scenes is wrong.
        OSError: If the file cannot be written.
    """
    page = build_page(recorded, scenes)
    Path(path).write_text(page, encoding="utf-8", newline="\n")
    return 1 + len(recorded.steps)


def build_page(recorded: Trajectory, scenes: Iterable[Scene]) -> str:
    """Build the page of a trajectory.

    Args:
        recorded: The trajectory.
        scenes: The scene at the reset and after every step.

    Returns:
        The text of an HTML file.

    Raises:
        ValueError: If the number of scenes is wrong.
    """
    spec = games.get(recorded.header["game"])
    lines = (recorded.start, *recorded.steps)
    sheet = TileSheet(TILE_SIZE)
    frames = [_frame(sheet, scene) for scene in scenes]
    if len(frames) != len(lines):
        raise ValueError(f"Expected {len(lines)} scenes, one for each line of the trajectory, got {len(frames)}.")
    _add_texts(frames, lines)
    chunks = [_compress(frames[start : start + CHUNK_STEPS]) for start in range(0, len(frames), CHUNK_STEPS)]
    data = {
        "game": spec.key,
        "window": spec.window,
        "tileSize": TILE_SIZE,
        "sheet": sheet.to_url(),
        "sheetColumns": SHEET_COLUMNS,
        "firstCharacter": _FIRST_CHARACTER,
        "length": len(frames),
        "chunkLength": CHUNK_STEPS,
        "curve": _curve([frame["total"] for frame in frames]),
        "goals": len(spec.achievements),
        "achievements": _achievements(spec, lines),
        "facts": _facts(spec, recorded),
        "chunks": chunks,
    }
    return _fill(f"{spec.title}, seed {recorded.header['seed']}", data)


def _frame(sheet: TileSheet, scene: Scene) -> dict[str, Any]:
    """The picture of a step: its tiles, and how they are darkened."""
    frame: dict[str, Any] = {"tiles": _as_characters(sheet.add(scene).ravel().tolist())}
    if scene.is_full:
        frame["light"] = _as_characters(np.rint(scene.light * 255).astype(int).ravel().tolist())
    if scene.floor == 0 and scene.daylight != 1:
        frame["day"] = round(scene.daylight, 5)
    if scene.sleeping:
        frame["asleep"] = True
    return frame


def _as_characters(numbers: Sequence[int]) -> str:
    """Encode small numbers as a string, which compresses better than a list. No tile number reaches the surrogates."""
    return "".join([chr(_FIRST_CHARACTER + number) for number in numbers])


def _add_texts(frames: list[dict[str, Any]], lines: Sequence[Mapping[str, Any]]) -> None:
    """Add to each frame its text, the action that led to it, and the agent's next action."""
    total = 0.0
    for frame, line in zip(frames, lines, strict=True):
        reward = float(line.get("reward", 0.0))
        total += reward
        frame |= {"t": line["t"], "text": _as_text(line["text"] or ""), "total": round(total, 4)}
        if "action" in line:
            frame |= {"action": _as_text(line["action"]), "reward": round(reward, 4)}
        if _end(line):
            frame["end"] = _end(line)
    for frame, (_, following) in zip(frames, pairwise(lines), strict=False):
        frame["next"] = _as_text(following.get("action", ""))
        if following.get("reply") is not None:
            frame |= _reply_parts(following["reply"])


def _reply_parts(reply: Any) -> dict[str, str]:
    """What an agent replied and, if it gave a message with its reasoning, what it thought."""
    if not isinstance(reply, Mapping) or not reply.get(REASONING):
        return {"reply": _as_text(reply)}
    said = reply.get("content") or reply.get("tool_calls") or ""
    return {"thoughts": _as_text(reply[REASONING]), "reply": _as_text(said)}


def _as_text(value: Any) -> str:
    """A text, the names of several actions, or other values as JSON, as text that can be encoded in UTF-8."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        text = ", ".join(value)
    else:
        text = json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8")


def _compress(frames: Sequence[Mapping[str, Any]]) -> str:
    text = json.dumps(frames, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _curve(totals: Sequence[float]) -> list[float]:
    """The return at evenly spaced steps, including the first and the last."""
    places = np.linspace(0, len(totals) - 1, min(len(totals), _CURVE_POINTS)).round().astype(int)
    return [totals[place] for place in places.tolist()]


def _achievements(spec: GameSpec, lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The frame, timestep and label of each unlocked achievement."""
    labels = {achievement.key: achievement.label for achievement in spec.achievements}
    return [
        {"frame": frame, "t": line["t"], "label": labels.get(key, key)}
        for frame, line in enumerate(lines)
        for key in line.get("achievements", ())
    ]


def _facts(spec: GameSpec, recorded: Trajectory) -> list[tuple[str, str]]:
    """Facts about the whole episode, as pairs of name and value."""
    lines = (recorded.start, *recorded.steps)
    unlocked = sum(len(line.get("achievements", ())) for line in lines)
    facts = {
        "env": spec.env_id,
        "steps": f"{lines[-1]['t']:,}",
        "achievements": f"{unlocked} of {len(spec.achievements)}",
        "end": spaced(_end(lines[-1]) or UNFINISHED),
        "reveal": ", ".join(recorded.header["reveal"]),
    }
    versions = {name: version for name, version in recorded.header["versions"].items() if name.startswith("craftax")}
    return [(name, _as_text(value)) for name, value in (facts | versions).items() if value]


def _end(line: Mapping[str, Any]) -> str:
    """The end reason, if the episode ended with this line; else `""`."""
    return (line["end_reason"] or "step_cap") if line.get("terminated") or line.get("truncated") else ""


def _fill(title: str, data: Mapping[str, Any]) -> str:
    """Fill the template with data, style and script."""
    folder = files("craftax_text_gym.recording")
    template, style, script = (
        (folder / f"viewer.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
    )
    parts = {
        "TITLE": html.escape(title),
        "STYLE_HASH": _digest(style),
        "SCRIPT_HASH": _digest(script),
        "STYLE": style,
        "SCRIPT": script,
        "DATA": _escape_json(data),
    }
    before, *pieces = template.split("{{")
    for piece in pieces:
        name, rest = piece.split("}}", 1)
        before += parts[name] + rest
    return before


def _digest(source: str) -> str:
    return base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


def _escape_json(data: Mapping[str, Any]) -> str:
    """JSON without `<`, which could begin or end an element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
