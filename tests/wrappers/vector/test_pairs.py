"""Every vector wrapper works above and below every other one, ours and Gymnasium's, over the ends of episodes."""

from __future__ import annotations

import functools
import itertools
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import NormalizeReward, RecordEpisodeStatistics, TransformReward

from tests.proof import crossed
from tests.subprocesses import CLASSIC_ID, plain
from tests.wrappers.stacks import VECTOR, Wrap
from tests.wrappers.test_conformance import make_vector

CAP, NUM_STEPS = 2, 6
THEIRS: dict[str, Wrap] = {
    "NormalizeReward": lambda envs, _: NormalizeReward(envs),
    "RecordEpisodeStatistics": lambda envs, _: RecordEpisodeStatistics(envs),
    "TransformReward": lambda envs, _: TransformReward(envs, lambda rewards: 2 * rewards),
}
WRAPPERS = {name: wrap for name, wrap in (VECTOR | THEIRS).items() if " of " not in name}
WATCHERS = {"AchievementLogger", "EpisodeScores", "RecordEpisodeStatistics", "RecordTrajectory"}
REFUSED = {  # what reads replies stands over a game's own actions; the statistics have but one name
    *itertools.product(("TextActions", "TextActions noop"), repeat=2),
    ("RecordEpisodeStatistics", "RecordEpisodeStatistics"),
}
KINDS = ("sync", "vector_entry_point")


@pytest.mark.parametrize(
    ("outer", "inner", "mode", "kind"),
    crossed(WRAPPERS, WRAPPERS, AutoresetMode, KINDS, allowed=lambda outer, inner, *_: (outer, inner) not in REFUSED),
)
def test_every_pair_plays_over_the_ends_of_episodes(outer: str, inner: str, mode: AutoresetMode, kind: str) -> None:
    steps = play((inner, outer), mode, kind)
    assert sum(int(ended.sum()) for _, _, ended, _ in steps) >= 4
    above, below = play((outer,), mode, kind), play((inner,), mode, kind)
    for step, step_above, step_below in zip(steps, above, below, strict=True):
        assert keys(step[-1]) == keys(step_above[-1]) | keys(step_below[-1])
        if outer in WATCHERS:
            assert [plain(part) for part in step[:-1]] == [plain(part) for part in step_below[:-1]]
            assert told(step[-1], step_below[-1]) == told(step_below[-1], step_below[-1])


@functools.cache
def play(names: tuple[str, ...], mode: AutoresetMode, kind: str) -> list[Any]:
    """Observations, rewards, where episodes ended, and infos, of the reset and each step under wrappers."""
    with tempfile.TemporaryDirectory() as folder:
        envs = make_vector(CLASSIC_ID, kind, mode, CAP, text_format="compact")
        for number, name in enumerate(names):
            path = Path(folder, str(number))
            path.mkdir()
            envs = WRAPPERS[name](envs, path)
        steps = _play(envs, mode, "TextActions" in " ".join(names))
        envs.close()
    return steps


def _play(envs: Any, mode: AutoresetMode, in_words: bool) -> list[Any]:
    observations, infos = envs.reset(seed=0)
    steps = [(observations, np.zeros(2), np.zeros(2, bool), infos)]
    for _ in range(NUM_STEPS):
        observations, rewards, terminated, truncated, infos = envs.step(
            ("do", "left") if in_words else np.array([5, 1])
        )
        ended = terminated | truncated
        assert observations in envs.observation_space
        steps.append((observations, rewards, ended, infos))
        if mode is AutoresetMode.DISABLED and ended.any():
            envs.reset(options={"reset_mask": ended})
    return steps


def keys(infos: dict[str, Any]) -> set[str]:
    """The keys of infos, those of the last steps included."""
    return set(infos) | {f"final {key}" for key in infos.get("final_info", {})}


def told(infos: Any, wanted: Any) -> Any:
    """Those entries of infos that are wanted, as JSON has them, but for how long things took."""
    if isinstance(wanted, dict):
        return {key: told(infos[key], value) for key, value in wanted.items() if key != "t"}
    return plain(infos)
