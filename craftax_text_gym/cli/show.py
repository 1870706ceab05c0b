"""`craftax-text show`: one observation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import gymnasium as gym
import typer
from PIL import Image

from craftax_text_gym import frames, games
from craftax_text_gym.cli.problems import check_at_least, explained, fail
from craftax_text_gym.engine.layout import REVEALABLE
from craftax_text_gym.text import PRESETS

_TILE_SIZE = 32


def show(
    game: Annotated[str, typer.Option(help="'full' or 'classic'.")] = "full",
    seed: Annotated[int, typer.Option(help="Chooses the world.")] = 0,
    actions: Annotated[str, typer.Option(help="Actions to play first: names or numbers, with commas between.")] = "",
    text_format: Annotated[str, typer.Option(help=f"How it is written: {', '.join(PRESETS)}.")] = "markdown",
    reveal: Annotated[
        str, typer.Option(help=f"Hidden facts to show, with commas between: of {', '.join(REVEALABLE)}.")
    ] = "",
    picture: Annotated[Path | None, typer.Option(help="Write the game's picture to this PNG file too.")] = None,
) -> None:
    """Print what an agent reads: one observation, and nothing else."""
    check_at_least("--seed", seed, 0)
    _check_picture(picture)
    with explained(ValueError):
        env_id = games.get(game).env_id
        env = gym.make(env_id, text_format=text_format, reveal=_split(reveal)).unwrapped
    observation = _play(env, seed, _split(actions))
    if picture is not None:
        _write_picture(env, picture)
    typer.echo(observation)


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _play(env: Any, seed: int, actions: list[str]) -> str:
    with explained(ValueError):
        numbers = [env.action_space.resolve(int(name) if name.isdecimal() else name) for name in actions]
    observation, _ = env.reset(seed=seed)
    terminated = False
    for played, number in enumerate(numbers):
        if terminated:
            fail(f"Expected at most {played} actions, for then the episode is over, got {len(numbers)}.")
        observation, _, terminated, _, _ = env.step(number)
    return str(observation)


def _check_picture(path: Path | None) -> None:
    """Find out before the game is compiled what can be found out so early."""
    if path is None:
        return
    if path.suffix.lower() != ".png":
        fail(f"Expected --picture as a path that ends in .png, got '{path}'.")
    if path.is_dir():
        fail(f"Expected --picture as the path of a file, got the folder '{path}'.")
    if not path.parent.is_dir():
        fail(f"Cannot write '{path}': make the folder '{path.parent}' first, or choose another path.")


def _write_picture(env: Any, path: Path) -> None:
    image = Image.fromarray(frames.render(env.scene, _TILE_SIZE))
    try:
        image.save(path)
    except OSError as error:
        fail(f"Cannot write '{path}' ({error.strerror or error}): choose another path.")
