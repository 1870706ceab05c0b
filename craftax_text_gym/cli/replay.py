"""`craftax-text replay`: replay a recorded episode, to check it, film it or write it as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from craftax_text_gym.cli.errors import check_at_least, check_path, fail
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.recording import film, replay, trajectory, viewer
from craftax_text_gym.recording.trajectory import Trajectory
from craftax_text_gym.rendering.frames import MIN_TILE_SIZE


def replay_file(
    file: Annotated[Path, typer.Argument(help="A trajectory written by RecordTrajectory.")],
    check: Annotated[bool, typer.Option("--check", help="Compare every step with the recording.")] = False,
    gif: Annotated[Path | None, typer.Option(help="Write a film to this GIF file.")] = None,
    mp4: Annotated[Path | None, typer.Option(help='Write a film to this MP4 file, with the extra "video".')] = None,
    html: Annotated[Path | None, typer.Option(help="Write a self-contained page to watch it in a browser.")] = None,
    tile_size: Annotated[int, typer.Option(help="Size of a tile in the films, in pixels.")] = 16,
    fps: Annotated[float, typer.Option(help="Frames per second of the films.")] = film.FPS,
) -> None:
    """Replay a recorded episode. The exit status is 1 if it differs, 2 if it cannot be replayed."""
    if not (check or gif or mp4 or html):
        fail("Expected what to do with the replay: --check, --gif FILE, --mp4 FILE or --html FILE.")
    check_at_least("--tile-size", tile_size, MIN_TILE_SIZE)
    films = {path: suffix for path, suffix in ((gif, ".gif"), (mp4, ".mp4")) if path is not None}
    for path, suffix in (films if html is None else {**films, html: ".html"}).items():
        check_path(f"--{suffix[1:]}", path, suffix)
    recorded = _read(file)
    # A page shows recorded texts beside replayed pictures, so these must be checked to match.
    scenes = _play(recorded, check or html is not None, keep=bool(films or html))
    if check:
        typer.echo(f"{file}: {len(recorded.steps)} steps are equal{_caveat(recorded)}")
    for path, suffix in films.items():
        write = film.write_gif if suffix == ".gif" else film.write_mp4
        try:
            count = write(path, scenes, tile_size=tile_size, fps=fps)
        except OSError as error:
            fail(f"Cannot write '{path}' ({error.strerror or error}): choose another path.")
        except (ImportError, ValueError) as error:
            fail(str(error))
        typer.echo(f"{path}: {count} frames")
    if html is not None:
        _write_page(html, recorded, scenes)


def _write_page(path: Path, recorded: Trajectory, scenes: list[Scene]) -> None:
    try:
        count = viewer.write_html(path, recorded, scenes)
    except OSError as error:
        fail(f"Cannot write '{path}' ({error.strerror or error}): choose another path.")
    typer.echo(f"{path}: {count} frames")


def _read(file: Path) -> Trajectory:
    try:
        return trajectory.read(file)
    except OSError as error:
        fail(f"Cannot read '{file}' ({error.strerror or error}).")
    except ValueError as error:
        fail(str(error))


def _play(recorded: Trajectory, check: bool, keep: bool) -> list[Scene]:
    try:
        scenes = [scene for scene in replay.play(recorded, check=check) if keep]
    except replay.ReplayDifferenceError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    except (ValueError, TypeError, KeyError) as error:
        fail(f"Cannot replay it: {error}")
    else:
        return scenes


def _caveat(recorded: Trajectory) -> str:
    torn = f"; {recorded.num_torn} torn lines skipped" if recorded.num_torn else ""
    return torn if recorded.record is not None else f"; the recording is incomplete, as its process was killed{torn}"
