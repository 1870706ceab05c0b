"""The goal pays once, and ends the episode if asked to."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest
from gymnasium.error import ResetNeeded

from craftax_text_gym.wrappers import ActionSequence, GoalReward, StepCap
from tests.subprocesses import CLASSIC_ID, IDS
from tests.wrappers.play import edit, ready_to_plant

both_games = pytest.mark.parametrize("env_id", IDS)


@both_games
def test_the_goal_pays_and_ends_the_episode(env_id: str) -> None:
    env = GoalReward(gym.make(env_id), "place_plant", 2.5)
    for _ in range(2):
        _, info = ready_to_plant(env)
        assert info["goal_reached"] is False
        _, reward, terminated, _, info = env.step("noop")
        assert (reward, terminated, info["end_reason"], info["goal_reached"]) == (0.0, False, "", False)
        _, reward, terminated, truncated, info = env.step("place_plant")
        assert (reward, terminated, truncated) == (2.5, True, False)
        assert (info["end_reason"], info["goal_reached"], info["reward_achievements"]) == ("goal", True, 1.0)
        with pytest.raises(ResetNeeded, match="place_plant is reached"):
            env.step("noop")


@both_games
def test_it_pays_once_where_the_episode_goes_on(env_id: str) -> None:
    env = GoalReward(gym.make(env_id), "place_plant", terminate=False, keep_game_reward=True)
    single = gym.make(env_id)
    ready_to_plant(env)
    ready_to_plant(single)
    total = expected = 0.0
    for action in ("place_plant", "noop", "left", "up", "place_plant", "noop"):
        edit(env, {"sapling": 1})
        edit(single, {"sapling": 1})
        _, reward, terminated, _, info = env.step(action)
        total, expected = total + reward, expected + float(single.step(action)[1])
        assert (terminated, info["goal_reached"]) == (False, True)
    assert total == pytest.approx(expected + 1)


def test_a_restored_game_can_reach_it_again() -> None:
    env = GoalReward(gym.make(CLASSIC_ID), "place_plant")
    base: Any = env.unwrapped
    ready_to_plant(env)
    snapshot = base.snapshot()
    assert env.step("place_plant")[1] == 1.0
    base.restore(snapshot)
    assert env.step("noop")[1] == 0.0
    assert env.step("place_plant")[1:3] == (1.0, True)


def test_inside_of_a_sequence_it_ends_the_batch() -> None:
    env = ActionSequence(GoalReward(gym.make(CLASSIC_ID), "place_plant"), stop_on=())
    ready_to_plant(env)
    _, reward, terminated, _, info = env.step(["noop", "place_plant", "noop"])
    assert (reward, terminated, len(info["actions_taken"]), info["stopped_by"]) == (1.0, True, 2, "end")


@pytest.mark.parametrize("cap_is_outside", [True, False])
def test_a_goal_reached_at_the_cap_ends_the_episode_as_a_goal(cap_is_outside: bool) -> None:
    single: Any = gym.make(CLASSIC_ID)
    inside = GoalReward(StepCap(single, 1), "place_plant")
    env = StepCap(GoalReward(single, "place_plant"), 1) if cap_is_outside else inside
    ready_to_plant(env)
    _, reward, terminated, truncated, info = env.step("place_plant")
    assert (reward, terminated, truncated, info["end_reason"]) == (1.0, True, not cap_is_outside, "goal")


def test_the_goal_is_told() -> None:
    env = GoalReward(gym.make(CLASSIC_ID), "place_plant", announce=True)
    observation, _ = ready_to_plant(env)
    assert observation.endswith(f"Your goal: {env.goal.label}.")
    assert env.step("place_plant")[0].endswith(f"Your goal: {env.goal.label}. You have reached it.")


def test_wrong_arguments_are_refused() -> None:
    env = gym.make(CLASSIC_ID)
    with pytest.raises(ValueError, match="Unknown achievement 'colect_wood'.*collect_wood"):
        GoalReward(env, "colect_wood")
    with pytest.raises(ValueError, match="Unknown achievement"):
        GoalReward(env, "enter_dungeon")
    with pytest.raises(ValueError, match="finite"):
        GoalReward(env, "collect_wood", float("nan"))
    with pytest.raises(TypeError, match="reward as a number"):
        GoalReward(env, "collect_wood", "1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="terminate as True or False"):
        GoalReward(env, "collect_wood", terminate=1)  # type: ignore[arg-type]
