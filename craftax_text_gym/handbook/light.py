"""Day and night, darkness and torches."""

from __future__ import annotations

import math
from collections.abc import Iterator

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook.making import torch_words
from craftax_text_gym.handbook.rule import Rule, parameter
from craftax_text_gym.utils.words import listed


def rules(spec: GameSpec) -> tuple[Rule, ...]:
    """The rules of the topic."""
    return tuple(_rules(spec))


def _rules(spec: GameSpec) -> Iterator[Rule]:
    length = parameter(spec, "day_length")
    light = [daylight(spec, step) for step in range(length)]
    night = [step for step in range(length) if light[step] < 0.5]
    yield Rule(
        "light.day",
        f"A day lasts {length} steps. Each is brightest at its step {light.index(max(light))} and darkest at "
        f"{light.index(min(light))}; daylight is below 50% from step {night[0]} to {night[-1]}.",
    )
    yield Rule("light.night", "Night hides nothing from your view.")
    if spec.key == "classic":
        return
    dark = [str(number) for number, floor in enumerate(spec.floors) if floor.dark]
    yield Rule(
        "light.dark",
        f"Floors {listed(dark)} are dark, but for the surroundings of lava and, mostly, of the place where you "
        "arrive. Of an unlit tile, called darkness, you see neither the ground nor who or what is there.",
        floor=int(dark[0]),
    )
    yield Rule(
        "light.torch",
        f"A torch lights tiles up to {torch_words(spec)} away, as the crow flies.",
        floor=int(dark[0]),
    )
    yield Rule("light.lasting", "Torches burn for ever; you cannot take one back.", floor=int(dark[0]))


def daylight(spec: GameSpec, step: int) -> float:
    """The daylight at a step of the game, from 0 to 1."""
    progress = step / parameter(spec, "day_length") % 1 + 0.3
    return 1 - abs(math.cos(math.pi * progress)) ** 3
