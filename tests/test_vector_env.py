"""The native vector environment against Gymnasium's own over single environments, which is the oracle."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import Error, ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import craftax_text_gym  # noqa: F401  registers the ids
from craftax_text_gym import games
from craftax_text_gym.text.sections import Body
from craftax_text_gym.vector_env import CraftaxTextVectorEnv
from tests.proof import count

NUM_ENVS = 5
CAP = 25
IDS = [spec.env_id for spec in games.ALL]
CLASSIC, FULL = "CraftaxClassicText-v0", "CraftaxText-v0"


def assert_same(ours: Any, theirs: Any, path: str) -> None:
    assert type(ours) is type(theirs), path
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys(), path
        for key in ours:
            assert_same(ours[key], theirs[key], f"{path}/{key}")
    elif isinstance(ours, np.ndarray) and ours.dtype != object:
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), path
        # Batched, upstream's light level may differ in its last bits; all else is equal.
        assert np.allclose(ours, theirs, rtol=0, atol=2e-6 if ours.dtype == np.float32 else 0), path
    elif isinstance(ours, tuple | np.ndarray):
        assert len(ours) == len(theirs), path
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{path}[{index}]")
    else:
        assert ours == theirs, path


def make(env_id: str, mode: AutoresetMode, **kwargs: Any) -> gym.vector.VectorEnv[Any, Any, Any]:
    return gym.make_vec(
        env_id, num_envs=NUM_ENVS, autoreset_mode=mode, **{"max_episode_steps": CAP, "chunk_size": 2, **kwargs}
    )


def make_sync(env_id: str, mode: AutoresetMode, **kwargs: Any) -> gym.vector.VectorEnv[Any, Any, Any]:
    return gym.make_vec(
        env_id,
        num_envs=NUM_ENVS,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **{"max_episode_steps": CAP, **kwargs},
    )


@pytest.mark.parametrize("obs_mode", ["text", "both", "symbolic"])
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("env_id", IDS)
def test_it_plays_as_single_environments_do(env_id: str, mode: AutoresetMode, obs_mode: str) -> None:
    ours, theirs = make(env_id, mode, obs_mode=obs_mode), make_sync(env_id, mode, obs_mode=obs_mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert_same(ours.reset(seed=5), theirs.reset(seed=5), "reset")
    rng, ended = np.random.default_rng(0), 0
    for step in range(count(2_000, 80)):
        actions = rng.integers(ours.single_action_space.n, size=NUM_ENVS)  # type: ignore[attr-defined]
        result = ours.step(actions)
        assert_same(result, theirs.step(actions), f"step {step}")
        assert result[0] in ours.observation_space
        over = result[2] | result[3]
        ended += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            options = {"reset_mask": over.copy()}
            again = ours.reset(options=options)
            assert options["reset_mask"].tolist() == over.tolist()
            assert_same(again, theirs.reset(options={"reset_mask": over.copy()}), f"reset at {step}")
        if step == CAP:  # just after all have ended together
            assert_same(ours.reset(), theirs.reset(), "reset without a seed")
        if step == CAP + 5:
            seeds: Any = [7, None, 2**33, None, 0]
            assert_same(ours.reset(seed=seeds), theirs.reset(seed=copy.copy(seeds)), "reset with seeds")
    assert ended >= NUM_ENVS
    ours.close()
    theirs.close()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_statistics_of_episodes_are_exact(mode: AutoresetMode) -> None:
    envs = RecordEpisodeStatistics(make(CLASSIC, mode))
    envs.reset(seed=1)
    returns, lengths, begun = np.zeros(NUM_ENVS), np.zeros(NUM_ENVS, int), np.zeros(NUM_ENVS, bool)
    episodes = 0
    for _ in range(count(1_000, 90)):
        _, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
        counted = ~begun if mode is AutoresetMode.NEXT_STEP else np.ones(NUM_ENVS, bool)
        returns[counted] += rewards[counted]
        lengths[counted] += 1
        over = terminated | truncated
        if over.any():
            told = infos["final_info"] if mode is AutoresetMode.SAME_STEP and "episode" not in infos else infos
            assert np.allclose(told["episode"]["r"][over], returns[over])
            assert (told["episode"]["l"][over] == lengths[over]).all()
            episodes += int(over.sum())
            returns[over], lengths[over] = 0, 0
            if mode is AutoresetMode.DISABLED:
                envs.reset(options={"reset_mask": over})
        begun = over
    assert episodes >= 3 * NUM_ENVS
    envs.close()


def test_infos_become_lists() -> None:
    envs = DictInfoToList(make(CLASSIC, AutoresetMode.NEXT_STEP))
    _, infos = envs.reset(seed=0)
    assert [info["episode_seed"] for info in infos] == list(range(NUM_ENVS))
    envs.close()


def test_games_are_independent_of_how_they_are_dealt_out() -> None:
    transcripts = []
    for chunk_size, num_threads in ((5, 1), (3, 2), (2, 3)):
        envs = make(CLASSIC, AutoresetMode.SAME_STEP, chunk_size=chunk_size, num_threads=num_threads)
        envs.reset(seed=3)
        transcripts.append([envs.step([step % 17] * NUM_ENVS)[0] for step in range(60)])
        envs.close()
    assert transcripts[0] == transcripts[1] == transcripts[2]


def test_steps_take_names_and_numbers() -> None:
    envs = make(CLASSIC, AutoresetMode.DISABLED)
    envs.reset(seed=0)
    by_name = envs.step(["left", 5, "noop", np.int64(2), "do"])[4]["executed_action"].tolist()
    assert by_name == [1, 5, 0, 2, 5]
    for wrong, kind in (
        (["left"], ValueError),
        (["lift"] * 5, ValueError),
        ([1.5] * 5, TypeError),
        ([99] * 5, ValueError),
    ):
        with pytest.raises(kind, match="Expected"):
            envs.step(wrong)
    envs.close()


def test_what_cannot_be_is_refused() -> None:
    impossible: list[dict[str, Any]] = [
        {"num_envs": 0},
        {"chunk_size": 0},
        {"num_threads": -1},
        {"max_episode_steps": 0},
    ]
    for arguments in impossible:
        with pytest.raises(ValueError, match="at least 1"):
            CraftaxTextVectorEnv("classic", **{"num_envs": 1, **arguments})
    with pytest.raises(ValueError, match="autoreset_mode"):
        CraftaxTextVectorEnv("classic", autoreset_mode="nextstep")
    envs = CraftaxTextVectorEnv("classic", num_envs=2)
    with pytest.raises(ResetNeeded):
        envs.step([0, 0])
    with pytest.raises(ResetNeeded):
        envs.reset(options={"reset_mask": np.array([True, False])})
    for seed in (-1, "0", 1.5):
        with pytest.raises((Error, ValueError)):
            envs.reset(seed=seed)  # type: ignore[arg-type]
    for mask in ([True, False], np.array([1, 0]), np.zeros(2, bool), np.ones(3, bool)):
        with pytest.raises((TypeError, ValueError), match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="no options but"):
        envs.reset(options={"difficulty": 1})
    envs.close()
    envs.close()


def test_a_game_that_is_over_waits_for_its_reset() -> None:
    envs = make(CLASSIC, AutoresetMode.DISABLED, max_episode_steps=1)
    envs.reset(seed=0)
    assert envs.step([0] * NUM_ENVS)[3].all()
    with pytest.raises(ResetNeeded, match="reset_mask"):
        envs.step([0] * NUM_ENVS)
    envs.close()


@pytest.mark.parametrize(
    ("given", "cap"), [({}, 10_000), ({"max_episode_steps": -1}, None), ({"max_episode_steps": 7}, 7)]
)
def test_the_cap_is_the_game_s_own_unless_said(given: dict[str, int], cap: int | None) -> None:
    envs = gym.make_vec(CLASSIC, num_envs=1, **given)  # type: ignore[arg-type]
    assert envs.unwrapped.max_episode_steps == cap  # type: ignore[attr-defined]
    assert CraftaxTextVectorEnv("classic").max_episode_steps == 10_000


def test_pictures_texts_and_scenes_are_each_game_s() -> None:
    for render_mode in ("ansi", "rgb_array"):
        envs = gym.make_vec(CLASSIC, num_envs=2, render_mode=render_mode, text_format="compact")
        observations, _ = envs.reset(seed=0)
        rendered = envs.render()
        assert rendered is not None
        if render_mode == "ansi":
            assert rendered == observations
        else:
            assert [picture.shape for picture in rendered] == [(144, 144, 3)] * 2  # type: ignore[union-attr]
        assert len(envs.unwrapped.scenes) == 2  # type: ignore[attr-defined]
        assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        envs.close()


def test_changed_rules_change_the_masks() -> None:
    kwargs = {"env_params": {"god_mode": True}, "max_episode_steps": 20}
    ours = make(FULL, AutoresetMode.SAME_STEP, **kwargs)
    theirs = make_sync(FULL, AutoresetMode.SAME_STEP, **kwargs)
    assert_same(ours.reset(seed=2), theirs.reset(seed=2), "reset")
    for step in range(30):
        assert_same(ours.step([5] * NUM_ENVS), theirs.step([5] * NUM_ENVS), f"step {step}")
    ours.close()
    theirs.close()


class Failing:
    """A section that fails at the third step of a game."""

    title = "Failing"

    def __init__(self, spec: Any, text_format: Any) -> None:
        """Nothing to prepare."""

    def body(self, moment: Any) -> Body:
        if moment.scene.timestep == 3:
            raise ArithmeticError("the third step")
        return Body(["fine"])

    data = body


def test_a_fault_in_a_step_is_raised_and_a_reset_makes_all_whole_again() -> None:
    envs = make(CLASSIC, AutoresetMode.NEXT_STEP, text_format={"sections": ["tests.test_vector_env:Failing"]})
    for _ in range(2):
        envs.reset(seed=0)
        for _ in range(2):
            envs.step([0] * NUM_ENVS)
        with pytest.raises(ArithmeticError, match="the third step"):
            envs.step([0] * NUM_ENVS)
        with pytest.raises(ResetNeeded):
            envs.step([0] * NUM_ENVS)
    envs.close()
