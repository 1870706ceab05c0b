"""The native vector environment against Gymnasium's own over single environments, which is the oracle."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from craftax_text_gym import games
from craftax_text_gym.vector.env import CraftaxTextVectorEnv
from tests.gymnasium_faults import skip_wrong_statistics
from tests.proof import count, crossed
from tests.vector.making import CAP, NUM_ENVS, assert_same, make, make_sync

IDS = [spec.env_id for spec in games.ALL]
OBS_MODES = ("text", "both", "symbolic")
CLASSIC, FULL = "CraftaxClassicText-v0", "CraftaxText-v0"


@pytest.mark.parametrize(("env_id", "mode", "obs_mode"), crossed(IDS, AutoresetMode, OBS_MODES))
def test_it_plays_as_single_environments_do(env_id: str, mode: AutoresetMode, obs_mode: str) -> None:
    ours, theirs = make(env_id, mode, obs_mode=obs_mode), make_sync(env_id, mode, obs_mode=obs_mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert_same(ours.reset(seed=5), theirs.reset(seed=5), "reset")
    rng, ended = np.random.default_rng(0), 0
    for step in range(count(600, 80)):
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


KINDS: dict[str, Callable[[Any, Any], Any]] = {
    "all": lambda over, _: over | True,
    "ended and others": lambda over, some: over | some,
    "others than ended": lambda over, some: some & ~over,
}


@pytest.mark.parametrize("mode", AutoresetMode)
def test_resets_of_some_games_and_at_any_time_are_those_of_single_environments(mode: AutoresetMode) -> None:
    arguments = {"max_episode_steps": 6}
    ours, theirs = make(CLASSIC, mode, **arguments), make_sync(CLASSIC, mode, **arguments)
    assert_same(ours.reset(seed=9), theirs.reset(seed=9), "reset")
    rng, tried = np.random.default_rng(1), Counter[str]()
    kinds = [kind for kind in KINDS if mode is not AutoresetMode.DISABLED or kind != "others than ended"]
    for step in range(count(2_000, 300)):
        actions = rng.integers(17, size=NUM_ENVS)
        result = ours.step(actions)
        assert_same(result, theirs.step(actions), f"step {step}")
        over = result[2] | result[3]
        is_needed = mode is AutoresetMode.DISABLED and over.any()
        if not is_needed and rng.random() < (0.2 if over.any() else 0.9):
            continue
        kind = str(rng.choice(kinds, p=[0.3, 0.7] if len(kinds) == 2 else [0.2, 0.4, 0.4]))
        mask = KINDS[kind](over, rng.random(NUM_ENVS) < 0.4)
        if not mask.any():
            continue
        seed: Any = [None, None, 4, [None, 1, None, 2**40, 0]][rng.integers(4)]
        options = [None if kind == "all" else {"reset_mask": mask.copy()} for _ in range(2)]
        again = ours.reset(seed=copy.copy(seed), options=options[0])
        assert_same(again, theirs.reset(seed=copy.copy(seed), options=options[1]), f"{kind} after {step}: {mask}")
        tried[kind] += bool(seed is None and over.any() and (kind == "all" or not mask.all()))
    assert min(tried[kind] for kind in kinds) >= 2, tried
    ours.close()
    theirs.close()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_statistics_of_episodes_are_exact(mode: AutoresetMode) -> None:
    skip_wrong_statistics(mode)
    envs = RecordEpisodeStatistics(make(CLASSIC, mode))
    envs.reset(seed=1)
    returns, lengths, begun = np.zeros(NUM_ENVS), np.zeros(NUM_ENVS, int), np.zeros(NUM_ENVS, bool)
    episodes = 0
    for _ in range(count(500, 90)):
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
    for chunk_size, num_threads in ((2, 3), (2, 1), (5, 1), (3, 2))[: count(4, 2)]:
        envs = make(CLASSIC, AutoresetMode.SAME_STEP, chunk_size=chunk_size, num_threads=num_threads)
        envs.reset(seed=3)
        transcripts.append([envs.step([step % 17] * NUM_ENVS)[0] for step in range(60)])
        envs.close()
    assert all(transcript == transcripts[0] for transcript in transcripts)


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


@pytest.mark.parametrize(
    ("given", "cap"), [({}, 10_000), ({"max_episode_steps": -1}, None), ({"max_episode_steps": 7}, 7)]
)
def test_the_cap_is_the_game_s_own_unless_said(given: dict[str, int], cap: int | None) -> None:
    envs = gym.make_vec(CLASSIC, num_envs=2, **given)  # type: ignore[arg-type]
    assert envs.unwrapped.max_episode_steps == cap  # type: ignore[attr-defined]
    assert CraftaxTextVectorEnv("classic", num_envs=2).max_episode_steps == 10_000


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


def test_attributes_are_each_game_s_as_gymnasium_s_own_give_them() -> None:
    arguments = {"text_format": "compact"}
    ours = make(CLASSIC, AutoresetMode.NEXT_STEP, **arguments)
    theirs = make_sync(CLASSIC, AutoresetMode.NEXT_STEP, **arguments)
    for envs in (ours, theirs):
        envs.reset(seed=3)
        envs.step([5] * NUM_ENVS)
    for name in ("text_format", "obs_mode", "reveal", "game", "np_random_seed", "action_space", "observation_space"):
        assert ours.get_attr(name) == theirs.get_attr(name), name  # type: ignore[attr-defined]
    scenes, singles = ours.get_attr("scene"), theirs.get_attr("scene")  # type: ignore[attr-defined]
    assert [(s.timestep, s.things, s.blocks.tolist()) for s in scenes] == [
        (s.timestep, s.things, s.blocks.tolist()) for s in singles
    ]
    drawn = [[g.integers(2**32) for g in envs.get_attr("np_random")] for envs in (ours, theirs)]  # type: ignore[attr-defined]
    assert drawn[0] == drawn[1]
    with pytest.raises(AttributeError, match="colour"):
        ours.get_attr("colour")  # type: ignore[attr-defined]
    ours.close()
    theirs.close()
