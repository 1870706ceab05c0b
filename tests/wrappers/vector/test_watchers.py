"""The vector wrappers that only watch, against the single ones in each game, in every autoreset mode."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from craftax_text_gym import scoring
from craftax_text_gym.recording import json_lines, replay, trajectory
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.wrappers import vector as watchers
from tests.subprocesses import CLASSIC_ID

NUM_ENVS = 3
CAP = 7
SEEDS: Any = [10, 20, 30]
MODES = tuple(AutoresetMode)


def has_native() -> bool:
    return gym.spec(CLASSIC_ID).vector_entry_point is not None


def make(mode: AutoresetMode, kind: str, **kwargs: Any) -> gym.vector.VectorEnv[Any, Any, Any]:
    if kind == "sync":
        return gym.make_vec(
            CLASSIC_ID,
            num_envs=NUM_ENVS,
            vectorization_mode="sync",
            vector_kwargs={"autoreset_mode": mode},
            max_episode_steps=CAP,
            **kwargs,
        )
    return gym.make_vec(CLASSIC_ID, num_envs=NUM_ENVS, autoreset_mode=mode, max_episode_steps=CAP, **kwargs)


KINDS = ("sync", pytest.param("native", marks=pytest.mark.skipif(not has_native(), reason="no vector entry point")))
every_kind = pytest.mark.parametrize("kind", KINDS)
every_mode = pytest.mark.parametrize("mode", MODES)


def play(envs: gym.vector.VectorEnv[Any, Any, Any], num_steps: int) -> list[tuple[Any, dict[str, Any]]]:
    """Play, resetting in Disabled mode those that ended, and return each step's flags and infos."""
    rng = np.random.default_rng(0)
    told = []
    envs.reset(seed=SEEDS)
    for _ in range(num_steps):
        _, _, terminated, truncated, infos = envs.step(rng.integers(17, size=NUM_ENVS))
        ended = terminated | truncated
        told.append((ended, infos))
        if ended.any() and envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            envs.reset(options={"reset_mask": ended})
    return told


@every_mode
@every_kind
def test_trajectories_replay_exactly(tmp_path: Path, mode: AutoresetMode, kind: str) -> None:
    envs = watchers.RecordTrajectory(make(mode, kind, text_format="compact"), tmp_path)
    play(envs, 2 * CAP + 4)
    envs.close()
    recorded = [trajectory.read(path) for path in tmp_path.iterdir()]
    lengths = sorted(len(told.steps) for told in recorded)
    assert lengths == ([2] * 3 if mode is AutoresetMode.NEXT_STEP else [4] * 3) + [CAP] * 6
    for told in recorded:
        assert told.record is not None
        assert told.record.end_reason == ("step_cap" if len(told.steps) == CAP else "unfinished")
        assert replay.check(told) == len(told.steps)


@every_mode
@every_kind
def test_logs_and_scores_are_those_of_the_trajectories(tmp_path: Path, mode: AutoresetMode, kind: str) -> None:
    inner = watchers.AchievementLogger(make(mode, kind), tmp_path / "log.jsonl")
    envs = watchers.EpisodeScores(watchers.RecordTrajectory(inner, tmp_path / "folder"))
    told = play(envs, 2 * CAP + 4)
    envs.close()
    read = json_lines.read(tmp_path / "log.jsonl")
    episodes = [EpisodeRecord.from_json(line) for line in read.values if line["kind"] == "episode"]
    records = [trajectory.read(path).record for path in (tmp_path / "folder").iterdir()]
    key = lambda record: (record.seed, record.length)  # noqa: E731
    assert sorted(episodes, key=key) == sorted((record for record in records if record), key=key)
    assert [record for record in episodes if record.finished] == list(envs.records)
    assert envs.summary() == scoring.summary(envs.records)
    unlocks = [line for line in read.values if line["kind"] == "unlock"]
    assert len(unlocks) == sum(len(record.achievements) for record in episodes)
    seen = 0
    for ended, infos in told:
        source = infos.get("final_info", {}) if mode is AutoresetMode.SAME_STEP else infos
        assert ("episode_scores" in source) == ended.any()
        if ended.any():
            np.testing.assert_array_equal(source["_episode_scores"], ended)
            seen += int(ended.sum())
            assert source["episode_scores"]["episodes"].max() == seen
            scores = scoring.scores(envs.records[:seen])
            for name, score in scores.items():
                assert source["episode_scores"][name][np.flatnonzero(ended)[-1]] == pytest.approx(score)
    assert seen == len(envs.records) == 6


def test_a_game_that_is_reset_early_is_unfinished(tmp_path: Path) -> None:
    envs = watchers.AchievementLogger(make(AutoresetMode.DISABLED, "sync"), tmp_path / "log.jsonl")
    envs.reset(seed=SEEDS)
    envs.step(np.zeros(NUM_ENVS, int))
    options = {"reset_mask": np.array([False, True, False])}
    envs.reset(options=options)
    assert "reset_mask" in options
    episodes = json_lines.read(tmp_path / "log.jsonl").values
    assert [(line["seed"], line["end_reason"]) for line in episodes if line["kind"] == "episode"] == [
        (20, "unfinished")
    ]
    envs.close()


def test_vector_wrappers_of_other_packages_environments_are_refused(tmp_path: Path) -> None:
    envs = gym.make_vec("CartPole-v1", num_envs=2, vectorization_mode="sync")
    for wrap in (watchers.EpisodeScores, lambda envs: watchers.RecordTrajectory(envs, tmp_path)):
        with pytest.raises(TypeError, match="vector environment of craftax_text_gym"):
            wrap(envs)
    envs.close()
