"""How episodes end, and what is carried out while the player is asleep."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from tests.playing import about_to_die, edit, face, fingerprint, make
from tests.subprocesses import CLASSIC_ID, FULL_ID, IDS


@pytest.mark.parametrize("env_id", IDS)
def test_death_and_its_achievements_belong_to_the_episode_that_ended(env_id: str) -> None:
    env = make(env_id)
    env.reset(seed=0)
    about_to_die(env)
    timestep = env.scene.timestep
    text, reward, terminated, truncated, info = env.step("place_table")
    assert (terminated, truncated, info["end_reason"]) == (True, False, "death")
    assert "place_table" in info["new_achievements"]
    assert info["achievements"].tolist() == [key in info["new_achievements"] for key in env.game.achievement_keys]
    assert info["timestep"] == timestep + 1
    assert reward == pytest.approx(len(info["new_achievements"]) - 0.1, abs=1e-6)
    assert env.scene.dead
    before = fingerprint(env)
    for _ in range(2):
        with pytest.raises(ResetNeeded, match="episode is over"):
            env.step("noop")
    assert fingerprint(env) == before
    new_text, info = env.reset()
    assert new_text != text
    assert (info["timestep"], info["executed_action"], info["end_reason"]) == (0, -1, "")
    assert (info["new_achievements"], info["achievements"].any()) == ((), False)
    assert (info["reward_achievements"], info["reward_health"]) == (0.0, 0.0)
    assert not env.step("noop")[2]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_vector_hands_over_the_end_of_each_episode(mode: str) -> None:
    envs: Any = gym.make_vec(
        CLASSIC_ID,
        num_envs=2,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
    )
    envs.reset(seed=0)
    about_to_die(envs.envs[1].unwrapped)
    single = copy.deepcopy(envs.envs[1])
    expected = single.step("place_table")
    texts, _, terminated, _, infos = envs.step(np.array([0, envs.single_action_space.index_of("place_table")]))
    assert terminated.tolist() == [False, True]
    last = infos["final_info"] if mode == "SameStep" else infos
    assert last["end_reason"][1] == "death"
    assert last["new_achievements"][1] == ("place_table",)
    assert (infos["final_obs"] if mode == "SameStep" else texts)[1] == expected[0]
    if mode == "Disabled":
        return
    after = single.reset()
    if mode == "NextStep":
        texts, rewards, terminated, _, infos = envs.step(np.array([0, 5]))
        assert (rewards[1], terminated[1]) == (0.0, False)
    assert texts[1] == after[0]
    assert (infos["timestep"][1], infos["executed_action"][1], infos["end_reason"][1]) == (0, -1, "")


def test_lava_kills_in_classic() -> None:
    env = make(CLASSIC_ID)
    env.reset(seed=0)
    face(env, "lava")
    assert env.explain("right") is None
    _, _, terminated, _, info = env.step("right")
    assert (terminated, info["end_reason"], env.scene.health) == (True, "death", 0.0)


def test_lava_blocks_in_the_full_game() -> None:
    env = make(FULL_ID)
    env.reset(seed=0)
    face(env, "lava")
    position = env.state.player_position.tolist()
    assert env.explain("right") is not None
    _, _, terminated, _, info = env.step("right")
    assert (terminated, info["end_reason"]) == (False, "")
    assert env.state.player_position.tolist() == position


@pytest.mark.parametrize("inactive", ["is_sleeping", "is_resting"])
@pytest.mark.parametrize("env_id", IDS)
def test_while_asleep_or_resting_noop_is_carried_out(env_id: str, inactive: str) -> None:
    if env_id == CLASSIC_ID and inactive == "is_resting":
        inactive = "is_sleeping"
    env = make(env_id)
    env.reset(seed=0)
    face(env, "grass")
    edit(env, **{inactive: np.bool_(True)}, player_energy=np.int32(3), player_health=env.state.player_health - 3)
    position = env.state.player_position.tolist()
    info = env.step("left")[-1]
    assert info["executed_action"] == 0
    assert env.state.player_position.tolist() == position
    assert info["action_mask"].tolist() == [1] + [0] * (len(env.game.actions) - 1)
    assert env.explain("left") in ("you are asleep", "you are resting")


@pytest.mark.parametrize("env_id", IDS)
def test_going_to_sleep_is_carried_out_and_then_noop(env_id: str) -> None:
    env = make(env_id)
    env.reset(seed=0)
    face(env, "grass")
    edit(env, player_energy=np.int32(2))
    sleep = env.game.action_index["sleep"]
    assert env.step("sleep")[-1]["executed_action"] == sleep
    assert env.scene.sleeping
    assert env.step("sleep")[-1]["executed_action"] == 0


def test_the_last_blow_to_the_boss_wins_the_game() -> None:
    env = make(FULL_ID)
    env.reset(seed=0)
    edit(env, player_level=np.int32(8), boss_progress=np.int32(7), boss_timesteps_to_spawn_this_round=np.int32(0))
    face(env, "necromancer")
    assert env.scene.boss_vulnerable
    _, reward, terminated, truncated, info = env.step("do")
    assert (terminated, truncated, info["end_reason"]) == (True, False, "boss_defeated")
    assert set(info["new_achievements"]) >= {"damage_necromancer", "defeat_necromancer"}
    assert reward == pytest.approx(8 * len(info["new_achievements"]), abs=1e-5)
    with pytest.raises(ResetNeeded, match="episode is over"):
        env.step("do")
    assert env.reset()[1]["end_reason"] == ""
