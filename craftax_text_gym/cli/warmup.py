"""`craftax-text warmup`: compile games in advance, so that later processes start at once."""

from __future__ import annotations

import time
from typing import Annotated

import gymnasium as gym
import typer

from craftax_text_gym import games
from craftax_text_gym.cli.errors import check_at_least, fail, failing_on


def warmup(
    game: Annotated[str, typer.Option(help="'full', 'classic' or 'both'.")] = "both",
    num_envs: Annotated[int | None, typer.Option(help="Also compile a vector of this many games.")] = None,
    obs_mode: Annotated[str, typer.Option(help="'text', 'symbolic' or 'both'.")] = "text",
) -> None:
    """Compile games into the cache folder, or load them from it."""
    from craftax_text_gym.engine import cache

    if num_envs is not None:
        check_at_least("--num-envs", num_envs, 1)
    folder = cache.folder()
    if folder is None:
        fail(f"The cache is switched off by {cache.CACHE_ENV_VAR}: unset it, or name a folder.")
    with failing_on(ValueError):
        specs = games.ALL if game == "both" else (games.get(game),)
        for spec in specs:
            started = time.perf_counter()
            _play(spec.env_id, num_envs, obs_mode)
            typer.echo(f"{spec.title}: ready after {time.perf_counter() - started:.1f} s")
    if not folder.is_dir():
        fail(f"Nothing could be kept in '{folder}': set {cache.CACHE_ENV_VAR} to a folder that you may write to.")
    typer.echo(f"kept in {folder}")


def _play(env_id: str, num_envs: int | None, obs_mode: str) -> None:
    env = gym.make(env_id, obs_mode=obs_mode)
    env.reset(seed=0)
    env.step(0)
    if num_envs is not None:
        envs = gym.make_vec(env_id, num_envs=num_envs, obs_mode=obs_mode)
        envs.reset(seed=0)
        envs.step([0] * num_envs)
        envs.close()
