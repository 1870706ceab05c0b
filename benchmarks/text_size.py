"""How many tokens an observation takes, by preset, over a fixed recipe of scenes."""

from __future__ import annotations

import json
import os
import pickle
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import bpe_openai
import jax
import numpy as np
from craftax.craftax.renderer import render_craftax_text

from benchmarks.measure import publish
from benchmarks.scenes import play_rows, play_states
from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.text import PRESETS, TextFormat
from craftax_text_gym.text.writer import get_writer

ENCODING = "o200k_base"
NUM_SCENES = 500
EVERY_FOR_PEERS = 100
LIMITS = {
    ("classic", "markdown"): 230,
    ("full", "markdown"): 330,
    ("classic", "compact"): 130,
    ("full", "compact"): 200,
}


def moments(spec: GameSpec) -> list[Moment]:
    """The recipe's 500 scenes, spread evenly over its episodes."""
    steps = [step for episode in play_rows(spec.key) for step in episode]
    chosen = steps[:: len(steps) // NUM_SCENES][:NUM_SCENES]
    found = []
    for before, action, after in chosen:
        scene, earlier = Scene(spec, after), Scene(spec, before)
        found.append(Moment(scene, scene.action_mask, earlier, action))
    return found


def row(game: str, name: str, sizes: Sequence[int]) -> dict[str, object]:
    """Median and 95th percentile, and the limit if there is one."""
    cuts = statistics.quantiles(sizes, n=20)
    found: dict[str, object] = {"game": game, "format": name, "scenes": len(sizes)}
    found |= {"median": statistics.median(sizes), "p95": cuts[18]}
    return found | ({"limit": LIMITS[game, name]} if (game, name) in LIMITS else {})


def peers(encoding: bpe_openai.Encoding) -> list[dict[str, object]]:
    """Upstream's own text of the full game, and craftaxlm's of Classic where `CRAFTAXLM_PYTHON` names its Python.

    Both take long, so they write 50 of the same recipe's scenes.
    """
    texts = [render_craftax_text(state) for state in play_states("full", EVERY_FOR_PEERS)]
    rows = [row("full", "upstream's render_craftax_text", [len(encoding.encode(text)) for text in texts])]
    python = os.environ.get("CRAFTAXLM_PYTHON")
    if python:
        states = [jax.tree.map(np.asarray, state) for state in play_states("classic", EVERY_FOR_PEERS)]
        leaves = [[np.asarray(leaf) for leaf in jax.tree.leaves(state)] for state in states]
        script = Path(__file__).with_name("peer_craftaxlm.py")
        with tempfile.NamedTemporaryFile(suffix=".pickle") as file:
            file.write(pickle.dumps(leaves))
            file.flush()
            done = subprocess.run([python, script, file.name], capture_output=True, text=True, check=True)
        for name, written in json.loads(done.stdout.splitlines()[-1]).items():
            rows.append(row("classic", f"craftaxlm, {name}", [len(encoding.encode(text)) for text in written]))
    return rows


_GRIDS: tuple[Literal["dense", "spaced", "labelled"], ...] = ("dense", "spaced", "labelled")
GRIDS: dict[str, TextFormat] = {
    f"markdown, {grid} grid{'' if legend else ', no legend'}": TextFormat(grid=grid, legend=legend)
    for grid in _GRIDS
    for legend in (True, False)
    if (grid, legend) != ("dense", True)
}
"""The ways to set the default text's grid, but for the default itself."""


def main() -> None:
    """Count every preset and every grid on both games."""
    encoding = bpe_openai.get_encoding(ENCODING)
    rows = []
    for spec in games.ALL:
        scenes = moments(spec)
        for name, text_format in {**PRESETS, **GRIDS}.items():
            writer = get_writer(spec, text_format)
            rows.append(row(spec.key, name, [len(encoding.encode(writer.write(moment))) for moment in scenes]))
    publish("text_size", f"{ENCODING} tokens an observation", rows + peers(encoding))


if __name__ == "__main__":
    main()
