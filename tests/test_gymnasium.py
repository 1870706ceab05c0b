"""Gymnasium's own tools take the environments as they are."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import (
    AddRenderObservation,
    FlattenObservation,
    RecordEpisodeStatistics,
    RecordVideo,
    RenderCollection,
    TimeAwareObservation,
    TransformReward,
)
from gymnasium.wrappers.vector import DictInfoToList
from gymnasium.wrappers.vector import RecordEpisodeStatistics as VectorRecordEpisodeStatistics

from tests.gymnasium_faults import skip_wrong_statistics, video_is_torn
from tests.subprocesses import CLASSIC_ID, IDS, actions_of

MODES = ("text", "symbolic", "both")
RENDER_MODES = (None, "ansi", "rgb_array")


@pytest.mark.parametrize("render_mode", RENDER_MODES)
@pytest.mark.parametrize("obs_mode", MODES)
@pytest.mark.parametrize("env_id", IDS)
def test_check_env_has_no_complaint(env_id: str, obs_mode: str, render_mode: str | None) -> None:
    env = gym.make(env_id, obs_mode=obs_mode, render_mode=render_mode)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("env_id", IDS)
def test_the_checked_environment_gives_no_warning_in_play(env_id: str) -> None:
    env = gym.make(env_id, obs_mode="both", render_mode="rgb_array", disable_env_checker=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.reset(seed=0)
        env.render()
        for action in actions_of(env, 10):
            env.step(np.int64(action))
            env.render()
        env.close()


@pytest.mark.parametrize("env_id", IDS)
def test_metadata_belongs_to_the_instance(env_id: str) -> None:
    env, other = gym.make(env_id), gym.make(env_id)
    env.unwrapped.metadata["autoreset_mode"] = "changed"
    env.unwrapped.metadata["render_modes"].append("human")
    for metadata in (other.unwrapped.metadata, type(env.unwrapped).metadata, gym.make(env_id).unwrapped.metadata):
        assert metadata == {"render_modes": ["ansi", "rgb_array"], "render_fps": 5}


@pytest.mark.parametrize("env_id", IDS)
def test_closing_twice_is_fine_and_ends_the_game(env_id: str) -> None:
    env = gym.make(env_id)
    env.close()
    first, _ = env.reset(seed=0)
    env.close()
    env.close()
    with pytest.raises(ResetNeeded):
        env.unwrapped.step(0)
    assert env.reset(seed=0)[0] == first


@pytest.mark.parametrize("env_id", IDS)
def test_ansi_is_the_text_and_rgb_array_a_picture(env_id: str) -> None:
    ansi = gym.make(env_id, render_mode="ansi", obs_mode="symbolic")
    text = gym.make(env_id)
    ansi.reset(seed=4)
    assert ansi.render() == text.reset(seed=4)[0]
    ansi.step(2)
    assert ansi.render() == text.step(2)[0]
    picture: Any = gym.make(env_id, render_mode="rgb_array")
    picture.reset(seed=4)
    frame = picture.render()
    assert (type(frame), frame.dtype, frame.ndim, frame.shape[2]) == (np.ndarray, np.uint8, 3, 3)


def test_rendering_without_a_mode_warns_and_gives_nothing() -> None:
    env = gym.make(CLASSIC_ID)
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert env.unwrapped.render() is None


# Wrappers


@pytest.mark.parametrize("env_id", IDS)
def test_episode_statistics_are_a_hand_count(env_id: str) -> None:
    env = RecordEpisodeStatistics(gym.make(env_id, max_episode_steps=7))
    for seed in range(3):
        env.reset(seed=seed)
        rewards = []
        for action in actions_of(env, 7, seed):
            _, reward, _, truncated, info = env.step(action)
            rewards.append(float(reward))
        assert truncated
        assert info["episode"]["l"] == 7
        assert info["episode"]["r"] == pytest.approx(sum(rewards))


@pytest.mark.parametrize("env_id", IDS)
def test_wrappers_of_observations_rewards_and_pictures_work(env_id: str) -> None:
    env: Any = gym.make(env_id, render_mode="rgb_array")
    plain = gym.make(env_id)
    env = TransformReward(AddRenderObservation(env, render_only=False), lambda reward: 2 * float(reward) + 1)
    observation, _ = env.reset(seed=0)
    assert observation in env.observation_space
    text, _ = plain.reset(seed=0)
    for action in actions_of(plain, 8):
        assert observation["state"] == text
        assert observation["pixels"].dtype == np.uint8
        observation, reward, *_ = env.step(action)
        text, expected, *_ = plain.step(action)
        assert reward == pytest.approx(2 * float(expected) + 1)
        assert observation in env.observation_space


@pytest.mark.parametrize("env_id", IDS)
def test_a_collection_of_frames_has_one_for_each_step(env_id: str) -> None:
    env: Any = RenderCollection(gym.make(env_id, render_mode="rgb_array"))
    env.reset(seed=0)
    for _ in range(4):
        env.step("noop")
    frames = env.render()
    assert len(frames) == 5
    assert {frame.shape for frame in frames} == {frames[0].shape}
    listed: Any = gym.make(env_id, render_mode="ansi_list")
    first, _ = listed.reset(seed=0)
    assert listed.render() == [first]


@video_is_torn
def test_a_video_of_text_is_gymnasiums_own_error() -> None:
    with pytest.raises(ValueError, match="ansi"):
        RecordVideo(gym.make(CLASSIC_ID, render_mode="ansi"), "never-made")


def test_symbolic_observations_flatten_and_take_the_time() -> None:
    env = FlattenObservation(TimeAwareObservation(gym.make(CLASSIC_ID, obs_mode="symbolic"), flatten=False))
    observation, _ = env.reset(seed=0)
    assert observation.shape == (1346,)


# Many games


def single_transcripts(env_id: str, num_envs: int, num_steps: int, **arguments: Any) -> list[list[Any]]:
    """What each single environment gives where a vector resets it in the step after its end."""
    rng = np.random.default_rng(0)
    envs = [gym.make(env_id, **arguments) for _ in range(num_envs)]
    size = envs[0].action_space.n  # type: ignore[attr-defined]
    outputs = [[(*env.reset(seed=seed), 0.0, False, False)] for seed, env in enumerate(envs)]
    for _ in range(num_steps):
        for index, action in enumerate(rng.integers(size, size=num_envs)):
            if outputs[index][-1][3] or outputs[index][-1][4]:
                outputs[index].append((*envs[index].reset(), 0.0, False, False))
            else:
                observation, reward, terminated, truncated, info = envs[index].step(action)
                outputs[index].append((observation, info, float(reward), terminated, truncated))
    return outputs


@pytest.mark.parametrize("copied", [True, False])
@pytest.mark.parametrize("obs_mode", MODES)
@pytest.mark.parametrize("env_id", IDS)
def test_a_sync_vector_is_its_single_environments(env_id: str, obs_mode: str, copied: bool) -> None:
    arguments: dict[str, Any] = {"obs_mode": obs_mode, "max_episode_steps": 5}
    expected = single_transcripts(env_id, 3, 14, **arguments)
    envs: Any = DictInfoToList(SyncVectorEnv([lambda: gym.make(env_id, **arguments) for _ in range(3)], copy=copied))
    rng = np.random.default_rng(0)
    observations, infos = envs.reset(seed=0)
    rewards, terminated, truncated = np.zeros(3), np.zeros(3, bool), np.zeros(3, bool)
    kept = []
    for step in range(15):
        if step:
            actions = rng.integers(envs.single_action_space.n, size=3)
            observations, rewards, terminated, truncated, infos = envs.step(actions)
        assert observations in envs.observation_space
        kept.append((observations, copy.deepcopy(observations)))
        for index in range(3):
            observation, info, *rest = expected[index][step]
            assert data_equivalence(one_of(observations, index), observation, exact=True)
            assert plain_types(infos[index]) == plain_types(info)
            assert [rewards[index], terminated[index], truncated[index]] == rest
    if copied:
        assert all(data_equivalence(observations, copied_then, exact=True) for observations, copied_then in kept)


def one_of(observations: Any, index: int) -> Any:
    if isinstance(observations, dict):
        return {key: value[index] for key, value in observations.items()}
    return observations[index]


def plain_types(info: dict[str, Any]) -> dict[str, Any]:
    return {key: value.tolist() if hasattr(value, "tolist") else value for key, value in info.items()}


@pytest.mark.parametrize("env_id", IDS)
def test_infos_of_a_vector_have_stable_types_and_masks(env_id: str) -> None:
    envs = gym.make_vec(env_id, num_envs=2, vectorization_mode="sync")
    _, infos = envs.reset(seed=0)
    num_achievements, num_actions = infos["achievements"].shape[1], infos["action_mask"].shape[1]
    for _ in range(4):
        expected = {
            "episode_seed": (np.int64, (2,)),
            "timestep": (np.int64, (2,)),
            "executed_action": (np.int64, (2,)),
            "achievements": (np.bool_, (2, num_achievements)),
            "new_achievements": (np.object_, (2,)),
            "action_mask": (np.int8, (2, num_actions)),
            "reward_achievements": (np.float64, (2,)),
            "reward_health": (np.float64, (2,)),
            "end_reason": (np.object_, (2,)),
        }
        assert {key: (array.dtype, array.shape) for key, array in infos.items() if key[0] != "_"} == {
            key: (np.dtype(dtype), shape) for key, (dtype, shape) in expected.items()
        }
        assert all(infos[f"_{key}"].all() for key in expected)
        assert all(isinstance(names, tuple) for names in infos["new_achievements"])
        infos = envs.step(np.zeros(2, np.int64))[4]


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_statistics_are_a_hand_count_in_every_autoreset_mode(mode: AutoresetMode) -> None:
    skip_wrong_statistics(mode)
    envs: Any = gym.make_vec(
        CLASSIC_ID,
        num_envs=2,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        max_episode_steps=4,
    )
    assert envs.metadata["autoreset_mode"] is mode
    envs = VectorRecordEpisodeStatistics(envs)
    envs.reset(seed=0)
    totals, ends = np.zeros(2), 0
    rng = np.random.default_rng(1)
    for _ in range(16):
        _, rewards, terminated, truncated, infos = envs.step(rng.integers(17, size=2))
        totals += rewards
        if truncated.any():
            assert not terminated.any()
            assert infos["episode"]["l"].tolist() == [4, 4]
            np.testing.assert_allclose(infos["episode"]["r"], totals, atol=1e-5)
            totals[:], ends = 0, ends + 1
            if mode is AutoresetMode.DISABLED:
                envs.reset(options={"reset_mask": np.array([True, True])})
            if mode is AutoresetMode.SAME_STEP:
                assert infos["final_info"]["timestep"].tolist() == [4, 4]
                assert infos["timestep"].tolist() == [0, 0]
                assert all(text in envs.single_observation_space for text in infos["final_obs"])
    assert ends >= 3
