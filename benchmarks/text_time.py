"""Time to write one observation from a packed row, by preset on played scenes, and in a vector of 64 games."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.measure import publish, spread
from benchmarks.scenes import play_rows, play_vector
from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.text import PRESETS, TextFormat
from craftax_text_gym.text.writer import Writer

LIMITS = {"markdown": 30.0}
LIMIT_OF_ANY = 80.0
LIMIT_IN_A_BATCH = 25.0
NUM_ENVS = 64
WARM_UP = 300
STEPS = 200
STEPS_NOT_TIMED = 100
"""Steps that fill the phrase caches, as in normal use."""


def one_by_one(spec: GameSpec, text_format: TextFormat) -> list[float]:
    """Microseconds for each text of the recipe's episodes; the first episode only warms up."""
    writer, times = Writer(spec, text_format), []
    for number, episode in enumerate(play_rows(spec.key)):
        earlier = Scene(spec, episode[0][0])
        for before, action, after in episode:
            earlier = earlier if earlier.data == before else Scene(spec, before)  # another world
            start = time.perf_counter()
            scene = Scene(spec, after)
            writer.write(Moment(scene, scene.action_mask, earlier, action))
            if number:
                times.append((time.perf_counter() - start) * 1e6)
            earlier = scene
    return times


def in_a_batch(spec: GameSpec, text_format: TextFormat) -> list[float]:
    """Microseconds per text, for each step of a vector of random games; the first steps only warm up."""
    writer, times = Writer(spec, text_format), []
    scenes: list[Scene | None] = [None] * NUM_ENVS
    for number, step in enumerate(play_vector(spec.key, NUM_ENVS, WARM_UP, STEPS)):
        masks = np.stack([Scene(spec, row).action_mask for row, _ in step])
        start = time.perf_counter()
        for game, (row, action) in enumerate(step):
            scene, before = Scene(spec, row), None if action is None else scenes[game]
            writer.write(Moment(scene, masks[game], before, action))
            scenes[game] = scene
        if number >= STEPS_NOT_TIMED:
            times.append((time.perf_counter() - start) / NUM_ENVS * 1e6)
    return times


def main() -> None:
    """Time each preset on both games, and the default one in a batch."""
    rows: list[dict[str, Any]] = []
    for spec in games.ALL:
        for name, text_format in PRESETS.items():
            times = one_by_one(spec, text_format)
            limit = LIMITS.get(name, LIMIT_OF_ANY)
            rows.append({"game": spec.key, "preset": name, "texts": len(times), **spread(times), "limit": limit})
        times = in_a_batch(spec, PRESETS["markdown"])
        row = {"game": spec.key, "preset": f"markdown, {NUM_ENVS} games", "texts": len(times) * NUM_ENVS}
        rows.append(row | spread(times) | {"limit": LIMIT_IN_A_BATCH})
    publish("text_time", "microseconds from a packed row to its text, each once, one after another in play", rows)


if __name__ == "__main__":
    main()
