"""How many tokens an observation takes, by preset, over a fixed recipe of scenes."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import bpe_openai

from benchmarks.measure import publish
from benchmarks.scenes import play_rows
from craftax_text_gym import games
from craftax_text_gym.actions.availability import action_mask
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.scene import Scene
from craftax_text_gym.text import PRESETS
from craftax_text_gym.text.moment import Moment
from craftax_text_gym.text.writer import get_writer

ENCODING = "o200k_base"
NUM_SCENES = 500
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
        allowed = bool(action_mask(spec, earlier.rows)[0][action])
        found.append(Moment(scene, action_mask(spec, scene.rows)[0], earlier, action, allowed))
    return found


def row(game: str, name: str, sizes: Sequence[int]) -> dict[str, object]:
    """Median and 95th percentile, and the limit if there is one."""
    cuts = statistics.quantiles(sizes, n=20)
    found: dict[str, object] = {"game": game, "format": name, "scenes": len(sizes)}
    found |= {"median": statistics.median(sizes), "p95": cuts[18]}
    return found | ({"limit": LIMITS[game, name]} if (game, name) in LIMITS else {})


def main() -> None:
    """Count every preset on both games."""
    encoding = bpe_openai.get_encoding(ENCODING)
    rows = []
    for spec in games.ALL:
        scenes = moments(spec)
        for name, text_format in PRESETS.items():
            writer = get_writer(spec, text_format)
            rows.append(row(spec.key, name, [len(encoding.encode(writer.write(moment))) for moment in scenes]))
    publish("text_size", f"{ENCODING} tokens an observation", rows)


if __name__ == "__main__":
    main()
