"""What an environment is made with, checked once: the game, what is shown, and how."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Dict

from craftax_text_gym import games
from craftax_text_gym.games import GameSpec, params
from craftax_text_gym.observation import layout
from craftax_text_gym.spaces import ObservationText
from craftax_text_gym.text import TextFormat, resolve
from craftax_text_gym.utils.validation import check_choice

ObsMode = Literal["text", "symbolic", "both"]
RENDER_MODES: tuple[str, ...] = ("ansi", "rgb_array")
SEED_LIMIT = 2**32

_OBS_MODES: tuple[ObsMode, ...] = ("text", "symbolic", "both")


@dataclass(frozen=True)
class Settings:
    """The arguments of an environment or a vector environment. Get it from `check`.

    Attributes:
        game: The game.
        text_format: How observations are written.
        reveal: Facts that are shown though the official observation hides them, in the order of their bits.
        env_params: The fields of Craftax's `EnvParams` that differ from its own.
        obs_mode: `"text"`, `"symbolic"` or `"both"`.
        render_mode: None, `"ansi"` or `"rgb_array"`.
    """

    game: GameSpec
    text_format: TextFormat
    reveal: tuple[str, ...]
    env_params: Mapping[str, bool | int | float]
    obs_mode: ObsMode
    render_mode: str | None

    @classmethod
    def check(
        cls,
        game: str,
        text_format: str | Mapping[str, object] | TextFormat,
        reveal: Iterable[str],
        env_params: Mapping[str, object] | None,
        obs_mode: ObsMode,
        render_mode: str | None,
    ) -> Self:
        """Check what a user passed.

        Args:
            game: As all others, see `CraftaxTextEnv`.
            text_format: See there.
            reveal: See there.
            env_params: See there.
            obs_mode: See there.
            render_mode: See there.

        Returns:
            The settings.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If a name is unknown; the message has the nearest valid choices.
        """
        spec = games.get(game)
        text = resolve(text_format)
        shown = _check_reveal(reveal)
        changed = params.check(spec, {} if env_params is None else env_params)
        check_choice("obs_mode", obs_mode, _OBS_MODES)
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        return cls(spec, text, shown, changed, obs_mode, render_mode)

    @cached_property
    def reveal_bits(self) -> int:
        """`reveal` as the engine takes it."""
        return sum(1 << layout.REVEALABLE.index(fact) for fact in self.reveal)

    def observation_space(self) -> gym.Space[Any]:
        """A new space of the observations of one game."""
        text = ObservationText()
        symbolic = Box(0.0, _symbolic_high(self.game, self.env_params), (self.game.symbolic_size,), np.float32)
        spaces = {"text": text, "symbolic": symbolic, "both": Dict({"text": text, "symbolic": symbolic})}
        return spaces[self.obs_mode]


def fold_seed(seed: int) -> int:
    """A seed of any size as one below 2**32, the same one if it is.

    Args:
        seed: Not negative.

    Returns:
        The seed of a world.
    """
    return int(seed) if seed < SEED_LIMIT else int(np.random.SeedSequence(seed).generate_state(1)[0])


def _symbolic_high(game: GameSpec, env_params: Mapping[str, Any]) -> float:
    """A bound of upstream's symbolic observation, which has the vitals in tenths and the numbers of enchantments."""
    attribute = max([1, *(env_params.get(p.name, p.default) for p in game.params if p.name == "max_attribute")])
    vitals = [math.ceil((base + factor * attribute) / 10) for base, _, factor in game.maxima.values()]
    return float(max(*vitals, len(game.enchantments) - 1))


def _check_reveal(reveal: Iterable[str]) -> tuple[str, ...]:
    if isinstance(reveal, str) or not isinstance(reveal, Iterable):
        raise TypeError(f"Expected reveal as a sequence of names from {layout.REVEALABLE}, got {reveal!r}.")
    chosen = tuple(reveal)
    for fact in chosen:
        check_choice("reveal", fact, layout.REVEALABLE)
    return tuple(fact for fact in layout.REVEALABLE if fact in chosen)
