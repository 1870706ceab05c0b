"""`craftax-text show`: print one observation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import gymnasium as gym
import typer
from PIL import Image

from craftax_text_gym import games
from craftax_text_gym.cli.errors import check_at_least, check_path, fail, failing_on
from craftax_text_gym.cli.options import Format, Game, Reveal, split
from craftax_text_gym.rendering import frames

_TILE_SIZE = 32


def show(
    game: Game = "full",
    seed: Annotated[int, typer.Option(help="Seed of the world.")] = 0,
    actions: Annotated[str, typer.Option(help="Actions to play first: names or numbers, comma-separated.")] = "",
    text_format: Format = "markdown",
    reveal: Reveal = "",
    picture: Annotated[Path | None, typer.Option(help="Also write the game's picture to this PNG file.")] = None,
) -> None:
    """Print one observation as an agent reads it, and nothing else."""
    check_at_least("--seed", seed, 0)
    if picture is not None:
        check_path("--picture", picture, ".png")
    with failing_on(ValueError):
        env_id = games.get(game).env_id
        env = gym.make(env_id, text_format=text_format, reveal=split(reveal)).unwrapped
    observation = _play(env, seed, split(actions))
    if picture is not None:
        _write_picture(env, picture)
    typer.echo(observation)


def _play(env: Any, seed: int, actions: list[str]) -> str:
    with failing_on(ValueError):
        numbers = [env.action_space.resolve(int(name) if name.isdecimal() else name) for name in actions]
    observation, _ = env.reset(seed=seed)
    terminated = False
    for played, number in enumerate(numbers):
        if terminated:
            fail(f"Expected at most {played} actions, as the episode then ends, got {len(numbers)}.")
        observation, _, terminated, _, _ = env.step(number)
    return str(observation)


def _write_picture(env: Any, path: Path) -> None:
    image = Image.fromarray(frames.render(env.scene, _TILE_SIZE))
    try:
        image.save(path)
    except OSError as error:
        fail(f"Cannot write '{path}' ({error.strerror or error}): choose another path.")
