"""A batch is its actions, one after the other, until something happens."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from craftax_text_gym.wrappers import ActionSequence
from tests import proof
from tests.subprocesses import CLASSIC_ID, IDS, plain
from tests.wrappers.play import edit, hurt_next, ready_to_plant

both_games = pytest.mark.parametrize("env_id", IDS)


@both_games
@pytest.mark.parametrize("seed", range(proof.count(40, 3)))
def test_a_batch_is_its_actions_one_by_one(env_id: str, seed: int) -> None:
    env, single = ActionSequence(gym.make(env_id), 8, stop_on=()), gym.make(env_id)
    env.reset(seed=seed)
    single.reset(seed=seed)
    env.action_space.seed(seed)
    for _ in range(proof.count(20, 6)):
        batch = env.action_space.sample()
        observation, reward, terminated, _, info = env.step(batch)
        outputs: list[Any] = [single.step(action) for action in info["actions_taken"]]
        assert info["actions_taken"] == batch[: len(outputs)]
        assert observation.startswith(outputs[-1][0])
        assert reward == pytest.approx(sum(float(output[1]) for output in outputs))
        infos = [output[-1] for output in outputs]
        new = [key for step in infos for key in step["new_achievements"]]
        assert info["new_achievements"] == tuple(dict.fromkeys(new))
        for key in ("reward_achievements", "reward_health"):
            assert info[key] == pytest.approx(sum(step[key] for step in infos))
        summed = ("new_achievements", "reward_achievements", "reward_health")
        assert all(plain(info[key]) == plain(value) for key, value in infos[-1].items() if key not in summed)
        if terminated:
            break
        assert len(outputs) == len(batch)


@both_games
def test_it_stops_after_an_achievement(env_id: str) -> None:
    env = ActionSequence(gym.make(env_id))
    ready_to_plant(env)
    observation, reward, _, _, info = env.step(["place_plant", "noop", "noop"])
    assert (info["stopped_by"], info["new_achievements"]) == ("achievement", ("place_plant",))
    assert reward >= 1
    assert observation.count("Planted a sapling.") == 1
    assert observation.endswith("\n\nPlayed 1 of 3 actions: you reached an achievement.")


@both_games
@pytest.mark.parametrize("text_format", ["markdown", "json", "xml", {"sections": ["status"]}])
def test_nothing_is_said_twice(env_id: str, text_format: Any) -> None:
    env = ActionSequence(gym.make(env_id, text_format=text_format), 3, stop_on=["invalid"])
    ready_to_plant(env)
    observation = str(env.step(["noop", "place_plant", "make_iron_sword"])[0])
    has_feedback = text_format != {"sections": ["status"]}
    assert observation.count("Planted a sapling.") == 1
    assert ("2. place_plant: Planted a sapling." in observation) is not has_feedback
    assert f"What {'the other actions' if has_feedback else 'each action'} did:" in observation
    assert "1. noop: " in observation
    assert observation.count("make_iron_sword: not carried out: needs") == 1
    assert "Played 2 of 3 actions." in observation


@both_games
@pytest.mark.parametrize(("health", "stopped_by", "taken"), [(9, "damage", 1), (1, "death", 1)])
def test_it_stops_after_damage_and_death(env_id: str, health: int, stopped_by: str, taken: int) -> None:
    env = ActionSequence(gym.make(env_id))
    env.reset(seed=0)
    hurt_next(env, health)
    *_, info = env.step(["noop"] * 3)
    assert (info["stopped_by"], len(info["actions_taken"])) == (stopped_by, taken)
    if stopped_by == "death":
        with pytest.raises(ResetNeeded):
            env.step(["noop"])


def test_an_end_always_stops_and_what_is_not_asked_for_does_not() -> None:
    env = ActionSequence(gym.make(CLASSIC_ID, max_episode_steps=5), stop_on=())
    env.reset(seed=0)
    hurt_next(env)
    *_, info = env.step(["noop", "noop", "make_iron_sword"])
    assert (info["stopped_by"], info["timestep"], info["reward_health"]) == ("", 3, pytest.approx(-0.1))
    *_, truncated, info = env.step(["noop"] * 6)
    assert (truncated, info["stopped_by"], info["timestep"]) == (True, "end", 5)


@both_games
@pytest.mark.parametrize("obs_mode", ["text", "both", "symbolic"])
def test_it_stops_before_what_cannot_be_done(env_id: str, obs_mode: str) -> None:
    env = ActionSequence(gym.make(env_id, obs_mode=obs_mode))
    env.reset(seed=0)
    *_, before = env.step(["noop", "make_wood_pickaxe", "noop"])
    assert (before["stopped_by"], before["actions_taken"], before["timestep"]) == ("invalid", (0,), 1)
    observation, reward, terminated, truncated, info = env.step(["make_wood_pickaxe", "noop"])
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert (info["stopped_by"], info["actions_taken"], info["timestep"]) == ("invalid", (), 1)
    assert info["executed_action"] == -1
    assert observation in env.observation_space
    if obs_mode != "symbolic":
        text = observation if obs_mode == "text" else observation["text"]
        assert "1. make_wood_pickaxe: not carried out: needs" in text


def test_after_a_restored_snapshot_no_stale_text_is_shown() -> None:
    env = ActionSequence(gym.make(CLASSIC_ID))
    base: Any = env.unwrapped
    env.reset(seed=0)
    snapshot = base.snapshot()
    env.step(["noop"])
    base.restore(snapshot)
    observation, *_ = env.step(["make_wood_pickaxe"])
    assert observation.startswith("What each action did:\n1. make_wood_pickaxe: not carried out")


def test_availability_is_judged_at_each_action() -> None:
    env = ActionSequence(gym.make(CLASSIC_ID), stop_on=("invalid",))
    ready_to_plant(env)
    edit(env, {"sapling": 1})
    *_, info = env.step(["place_plant", "place_plant"])
    assert (info["stopped_by"], len(info["actions_taken"])) == ("invalid", 1)


@pytest.mark.parametrize("batch", [["noop", "left"], ("noop", 1), np.array([0, 1]), [np.int64(0), "left"]])
def test_lists_tuples_and_arrays_of_numbers_and_names_are_batches(batch: Any) -> None:
    env = ActionSequence(gym.make(CLASSIC_ID))
    env.reset(seed=0)
    assert env.step(batch)[-1]["actions_taken"] == (0, 1)


@pytest.mark.parametrize(
    ("batch", "error", "message"),
    [
        ([], ValueError, "Expected 1 to 3 actions, got 0"),
        (["noop"] * 4, ValueError, "Expected 1 to 3 actions, got 4"),
        (["noop", "leftt"], ValueError, "left"),
        (["noop", 99], ValueError, "from 0 to 16"),
        (["noop", 0.5], TypeError, "Expected an action"),
        (np.array([[0, 1]]), TypeError, "Expected a list of actions"),
        ("noop", TypeError, "wrap this in TextActions"),
        (3, TypeError, "Expected a list of actions"),
    ],
)
def test_a_wrong_batch_is_refused_whole(batch: Any, error: type[Exception], message: str) -> None:
    env = ActionSequence(gym.make(CLASSIC_ID), 3)
    env.reset(seed=0)
    with pytest.raises(error, match=message):
        env.step(batch)
    assert env.game_env.scene.timestep == 0


def test_wrong_arguments_are_refused() -> None:
    env = gym.make(CLASSIC_ID)
    with pytest.raises(ValueError, match="damage"):
        ActionSequence(env, stop_on=("damages",))
    with pytest.raises(TypeError, match="stop_on as a sequence"):
        ActionSequence(env, stop_on="death")
    with pytest.raises(ValueError, match="max_actions of at least 1"):
        ActionSequence(env, 0)
    with pytest.raises(ValueError, match="single actions inside ActionSequence"):
        ActionSequence(ActionSequence(env))
