"""Gymnasium's own wrappers work above and below each of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.wrappers import (
    AddRenderObservation,
    Autoreset,
    OrderEnforcing,
    PassiveEnvChecker,
    RecordEpisodeStatistics,
    RecordVideo,
    TimeLimit,
    TransformObservation,
    TransformReward,
)

from craftax_text_gym.wrappers import ActionSequence, StepCap, TextActions
from tests.subprocesses import CLASSIC_ID
from tests.wrappers.stacks import SINGLE

THEIRS: dict[str, Callable[[Any], Any]] = {
    "RecordEpisodeStatistics": RecordEpisodeStatistics,
    "TimeLimit": lambda env: TimeLimit(env, 4),
    "TransformReward": lambda env: TransformReward(env, lambda reward: 2 * float(reward)),
    "TransformObservation": lambda env: TransformObservation(env, lambda observation: observation, None),
    "AddRenderObservation": lambda env: AddRenderObservation(env, render_only=False),
    "OrderEnforcing": OrderEnforcing,
    "PassiveEnvChecker": PassiveEnvChecker,
    "Autoreset": Autoreset,
}
pairs = pytest.mark.parametrize(("ours", "theirs"), [(ours, theirs) for ours in SINGLE for theirs in THEIRS])


def play(env: Any, num_steps: int = 9) -> list[Any]:
    env.action_space.seed(4)
    env.reset(seed=0)
    outputs = []
    for _ in range(num_steps):
        outputs.append(env.step(env.action_space.sample()))
        assert outputs[-1][0] in env.observation_space
        assert isinstance(outputs[-1][1], float)
        if outputs[-1][2] or outputs[-1][3]:
            env.reset()
    return outputs


@pairs
def test_ours_above_theirs(ours: str, theirs: str, tmp_path: Path) -> None:
    env = SINGLE[ours](THEIRS[theirs](gym.make(CLASSIC_ID, render_mode="rgb_array")), tmp_path)
    outputs = play(env, 25 if theirs == "TimeLimit" else 9)
    if theirs == "TimeLimit":
        assert any(output[3] for output in outputs)
        assert all(output[-1]["timestep"] <= 4 for output in outputs)
    env.close()


@pairs
def test_theirs_above_ours(ours: str, theirs: str, tmp_path: Path) -> None:
    env = THEIRS[theirs](SINGLE[ours](gym.make(CLASSIC_ID, render_mode="rgb_array"), tmp_path))
    outputs = play(env)
    if theirs == "TimeLimit":
        assert outputs[3][3] or outputs[3][2]
    if theirs == "AddRenderObservation":
        assert outputs[0][0]["pixels"].dtype == np.uint8
    env.close()


@pytest.mark.parametrize("ours", [name for name in SINGLE if name != "TextActions feedback"])
def test_statistics_above_ours_are_a_hand_count(ours: str, tmp_path: Path) -> None:
    env: Any = RecordEpisodeStatistics(SINGLE[ours](gym.make(CLASSIC_ID, max_episode_steps=10), tmp_path))
    env.action_space.seed(1)
    for seed in range(2):
        env.reset(seed=seed)
        total, calls, over = 0.0, 0, False
        while not over:
            _, reward, terminated, truncated, info = env.step(env.action_space.sample())
            total, calls, over = total + float(reward), calls + 1, terminated or truncated
            assert calls <= 60
        assert info["episode"]["l"] == calls
        assert info["episode"]["r"] == pytest.approx(total, abs=1e-5)


def test_statistics_below_a_sequence_count_the_steps_of_the_game() -> None:
    env = StepCap(TextActions(ActionSequence(RecordEpisodeStatistics(gym.make(CLASSIC_ID, max_episode_steps=7)))), 30)
    env.reset(seed=0)
    assert not env.step("noop*5")[3]
    *_, truncated, info = env.step("noop*5")
    assert truncated
    assert (info["episode"]["l"], info["actions_taken"]) == (7, (0, 0))


@pytest.mark.parametrize("ours", SINGLE)
@pytest.mark.parametrize("is_above", [True, False])
def test_videos_are_recorded_above_and_below(ours: str, is_above: bool, tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    videos = tmp_path / "videos"
    env: Any = gym.make(CLASSIC_ID, render_mode="rgb_array", max_episode_steps=3)
    env = (
        RecordVideo(SINGLE[ours](env, tmp_path), str(videos), disable_logger=True)
        if is_above
        else SINGLE[ours](RecordVideo(env, str(videos), disable_logger=True), tmp_path)
    )
    play(env, 4)
    env.close()
    assert list(videos.glob("*.mp4"))
