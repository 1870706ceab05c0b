"""Writing one observation from a packed row, by preset, on scenes as they come in play."""

from __future__ import annotations

import time

from benchmarks.measure import publish, spread
from benchmarks.scenes import play_rows
from craftax_text_gym import games
from craftax_text_gym.scene import Scene
from craftax_text_gym.text import PRESETS
from craftax_text_gym.text.moment import Moment
from craftax_text_gym.text.writer import Writer

LIMITS = {"markdown": 30.0}
LIMIT_OF_ANY = 80.0


def main() -> None:
    """Time each preset on both games; the first episode only warms up."""
    rows = []
    for spec in games.ALL:
        episodes = play_rows(spec.key)
        for name, text_format in PRESETS.items():
            writer = Writer(spec, text_format)
            times = []
            for number, episode in enumerate(episodes):
                earlier = Scene(spec, episode[0][0])
                for before, action, after in episode:
                    earlier = earlier if earlier.data == before else Scene(spec, before)  # another world
                    start = time.perf_counter()
                    scene = Scene(spec, after)
                    writer.write(Moment(scene, scene.action_mask, earlier, action))
                    if number:
                        times.append((time.perf_counter() - start) * 1e6)
                    earlier = scene
            limit = LIMITS.get(name, LIMIT_OF_ANY)
            rows.append({"game": spec.key, "preset": name, "texts": len(times), **spread(times), "limit": limit})
    publish("text_time", "microseconds from a packed row to its text, each scene once, one after another in play", rows)


if __name__ == "__main__":
    main()
