"""Caps end episodes exactly where they say."""

from __future__ import annotations

import json
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.wrappers import Autoreset, TimeLimit

from craftax_text_gym.wrappers import ActionSequence, StepCap, TextActions
from tests import proof
from tests.subprocesses import CLASSIC_ID, IDS
from tests.wrappers.play import hurt_next

both_games = pytest.mark.parametrize("env_id", IDS)


def play_out(env: Any, draw: Any) -> tuple[int, dict[str, Any]]:
    """Play to the end; how many decisions that took, and the last info."""
    decisions = 0
    while True:
        _, _, terminated, truncated, info = env.step(draw())
        decisions += 1
        if truncated:
            assert not terminated
            return decisions, info
        assert info["end_reason"] == ""


@both_games
@pytest.mark.parametrize("cap", [1, 2, 5])
def test_the_cap_truncates_at_exactly_its_step_and_once(env_id: str, cap: int) -> None:
    env = StepCap(gym.make(env_id), cap)
    for _ in range(2):
        env.reset(seed=0)
        assert play_out(env, lambda: "noop")[0] == cap
        with pytest.raises(ResetNeeded, match="step cap is reached"):
            env.step("noop")


@pytest.mark.parametrize("seed", range(proof.count(200, 12)))
def test_no_batch_outruns_a_cap_wherever_it_stands(seed: int) -> None:
    rng = np.random.default_rng(seed)
    inner, outer, outermost = (int(cap) for cap in rng.integers(1, 30, 3))
    env: Any = ActionSequence(StepCap(gym.make(CLASSIC_ID), inner), 7, stop_on=())
    env = StepCap(TextActions(StepCap(env, outer)), outermost)
    env.reset(seed=seed)
    info: dict[str, Any] = {"timestep": 0}
    truncated = False
    while not truncated:
        before = info["timestep"]
        count = int(rng.integers(1, 8))
        _, _, _, truncated, info = env.step(f"noop*{count}")
        assert (
            len(info["actions_taken"])
            == info["timestep"] - before
            == min(count, env.max_steps - before, inner - before, outer - before)
        )
    assert info["timestep"] == min(inner, outer, outermost)
    assert (info["end_reason"], info["stopped_by"]) == ("step_cap", "end")


@both_games
def test_decisions_are_calls_where_the_cap_stands(env_id: str) -> None:
    outside = StepCap(ActionSequence(gym.make(env_id), 5, stop_on=()), 3, unit="decision")
    outside.reset(seed=0)
    decisions, info = play_out(outside, lambda: ["noop"] * 4)
    assert (decisions, info["timestep"], info["end_reason"]) == (3, 12, "decision_cap")
    inside = ActionSequence(StepCap(gym.make(env_id), 3, unit="decision"), 5, stop_on=())
    inside.reset(seed=0)
    _, info = play_out(inside, lambda: ["noop"] * 4)
    assert (info["timestep"], info["end_reason"]) == (3, "decision_cap")


def test_invalid_replies_that_take_no_time_end_by_a_cap_on_decisions_outside() -> None:
    env = StepCap(TextActions(gym.make(CLASSIC_ID), "feedback"), 4, unit="decision")
    env.reset(seed=0)
    decisions, info = play_out(env, lambda: "I would rather not.")
    assert (decisions, info["timestep"], info["invalid_replies"]) == (4, 0, 4)


@pytest.mark.parametrize(
    ("limit", "cap", "end", "reason"), [(3, 5, 3, ""), (5, 3, 3, "step_cap"), (4, 4, 4, "step_cap")]
)
def test_with_a_time_limit_the_lower_one_ends_it(limit: int, cap: int, end: int, reason: str) -> None:
    for env in (
        StepCap(gym.make(CLASSIC_ID, max_episode_steps=limit), cap),
        TimeLimit(StepCap(gym.make(CLASSIC_ID), cap), limit),
    ):
        env.reset(seed=0)
        for step in range(1, end + 1):
            _, _, _, truncated, info = env.step("noop")
            assert truncated == (step == end)
        assert info["end_reason"] == reason


@both_games
def test_a_death_in_the_last_step_is_no_truncation(env_id: str) -> None:
    env = StepCap(gym.make(env_id), 1)
    env.reset(seed=0)
    hurt_next(env, health=1)
    _, _, terminated, truncated, info = env.step("noop")
    assert (terminated, truncated, info["end_reason"]) == (True, False, "death")


@both_games
def test_steps_are_right_after_a_restored_snapshot(env_id: str) -> None:
    env = StepCap(ActionSequence(gym.make(env_id), 9, stop_on=()), 6)
    base: Any = env.unwrapped
    env.reset(seed=0)
    env.step(["noop"] * 2)
    snapshot = base.snapshot()
    assert play_out(env, lambda: ["noop"])[1]["timestep"] == 6
    base.restore(snapshot)
    assert env.remaining == 4
    _, info = play_out(env, lambda: ["noop"] * 9)
    assert info["timestep"] == 6


def test_an_autoreset_within_begins_the_count_anew() -> None:
    env = StepCap(Autoreset(gym.make(CLASSIC_ID, max_episode_steps=3)), 5, unit="decision")
    env.reset(seed=0)
    lefts = []
    for _ in range(8):
        env.step("noop")
        lefts.append(env.remaining)
    assert lefts == [4, 3, 2, 5, 4, 3, 2, 5]


@pytest.mark.parametrize("text_format", ["markdown", "json", "xml", "plain", "compact", "balrog"])
def test_the_announcement_is_true_and_json_stays_json(text_format: str) -> None:
    env = StepCap(
        StepCap(gym.make(CLASSIC_ID, text_format=text_format), 5, announce=True), 3, "decision", announce=True
    )
    observation, _ = env.reset(seed=0)
    for left in range(3, 0, -1):
        notes = [f"Steps left in this episode: {left + 2}.", f"Decisions left in this episode: {left}."]
        if text_format == "json":
            assert json.loads(observation)["notes"] == notes
        else:
            assert "\n".join(notes) in observation or "\n\n".join(notes) in observation
        observation, *_ = env.step("noop")


@pytest.mark.parametrize("max_steps", [0, -3])
def test_a_cap_below_one_is_refused(max_steps: int) -> None:
    with pytest.raises(ValueError, match="max_steps of at least 1"):
        StepCap(gym.make(CLASSIC_ID), max_steps)


def test_wrong_arguments_are_refused() -> None:
    env = gym.make(CLASSIC_ID)
    with pytest.raises(TypeError, match="max_steps as an int"):
        StepCap(env, 2.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="announce"):
        StepCap(env, 2, announce=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Unknown unit 'steps'. The closest choices: step"):
        StepCap(env, 2, unit="steps")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="needs one text"):
        StepCap(gym.make(CLASSIC_ID, obs_mode="symbolic"), 2, announce=True)
    with pytest.raises(TypeError, match="an environment of craftax_text_gym"):
        StepCap(gym.make("CartPole-v1"), 2)
