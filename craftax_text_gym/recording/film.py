"""Write scenes as films. Frames are rendered only while a film is written."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.rendering import frames
from craftax_text_gym.utils.plugins import require_extra

FPS = 5
"""Frames per second by default: the environment's `render_fps`."""


def write_gif(path: str | os.PathLike[str], scenes: Iterable[Scene], *, tile_size: int = 16, fps: float = FPS) -> int:
    """Write a GIF.

    Args:
        path: The file, replaced if it exists.
        scenes: At least one scene.
        tile_size: Width and height of a tile in pixels.
        fps: Frames per second, at most 50: most viewers play no faster GIF.

    Returns:
        The number of frames.

    Raises:
        ValueError: If there is no scene, or `fps` is out of range.
        OSError: If the file cannot be written.
    """
    if not 0 < fps <= 50:
        raise ValueError(f"Expected fps above 0 and at most 50, got {fps}.")
    source = _FrameSource()
    images = (
        Image.fromarray(frame).quantize(256, dither=Image.Dither.NONE) for frame in source.render(scenes, tile_size)
    )
    first = next(images, None)
    if first is None:
        raise ValueError("Expected at least one scene, got none.")
    with Path(path).open("wb") as file:
        first.save(file, "GIF", save_all=True, append_images=images, duration=round(1000 / fps), loop=0)
    return source.num_frames


def write_mp4(path: str | os.PathLike[str], scenes: Iterable[Scene], *, tile_size: int = 16, fps: float = FPS) -> int:
    """Write an MP4 (H.264), with the extra `video`.

    Args:
        path: The file, replaced if it exists.
        scenes: At least one scene.
        tile_size: Width and height of a tile in pixels, even.
        fps: Frames per second, above 0.

    Returns:
        The number of frames.

    Raises:
        ImportError: If the extra is not installed.
        ValueError: If there is no scene, `tile_size` is odd, or `fps` is out of range.
        OSError: If the file cannot be written.
    """
    with require_extra("video"):
        import imageio_ffmpeg  # type: ignore[import-untyped, unused-ignore]
    if not fps > 0:
        raise ValueError(f"Expected fps above 0, got {fps}.")
    if tile_size % 2:
        raise ValueError(f"Expected an even tile_size, for H.264 has no odd widths, got {tile_size}.")
    with Path(path).open("ab"):
        pass  # fail early: ffmpeg reports an unwritable path in many lines
    source = _FrameSource()
    images = source.render(scenes, tile_size)
    first = next(images, None)
    if first is None:
        raise ValueError("Expected at least one scene, got none.")
    _encode(imageio_ffmpeg.get_ffmpeg_exe(), os.fspath(path), fps, itertools.chain([first], images), first.shape)
    return source.num_frames


def _encode(program: str, path: str, fps: float, images: Iterable[NDArray[np.uint8]], shape: tuple[int, ...]) -> None:
    """Feed the frames to ffmpeg. Not by imageio, which forks: that can hang once JAX runs."""
    height, width, _ = shape
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(fps), "-i", "-"]
    target = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-f", "mp4", path]
    command = [program, "-y", "-loglevel", "error", *source, *target]
    with tempfile.TemporaryFile() as log, subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log) as encoder:
        assert encoder.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # ffmpeg has exited; its status is checked below
            for image in images:
                encoder.stdin.write(image.tobytes())
            encoder.stdin.close()
        if encoder.wait():
            log.seek(0)
            raise OSError(f"ffmpeg failed: {log.read().decode(errors='replace').strip()}")


class _FrameSource:
    """Renders scenes one by one, and counts the frames."""

    def __init__(self) -> None:
        self.num_frames = 0

    def render(self, scenes: Iterable[Scene], tile_size: int) -> Iterator[NDArray[np.uint8]]:
        for scene in scenes:
            self.num_frames += 1
            yield frames.render(scene, tile_size)
