"""A vector wrapper outside gives what the single one gives inside of a vector environment, in every autoreset mode."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from craftax_text_gym import wrappers
from craftax_text_gym.wrappers import vector
from tests import proof
from tests.subprocesses import CLASSIC_ID, IDS, plain
from tests.wrappers.test_conformance import make_vector

REPLIES = ("noop", "left", "place_tabel", "Action: do", "I do not know.", "left, right")
Wrap = Callable[[Any], Any]

PAIRS: dict[str, tuple[Wrap, Wrap]] = {
    "TextActions": (
        lambda envs: vector.TextActions(envs, "noop"),
        lambda env: wrappers.TextActions(env, "noop"),
    ),
    "History": (lambda envs: vector.History(envs, 2), lambda env: wrappers.History(env, 2)),
    "History of few tokens": (lambda envs: vector.History(envs, 3, 900), lambda env: wrappers.History(env, 3, 900)),
    "GoalReward": (
        lambda envs: vector.GoalReward(envs, "collect_sapling", 3.0, announce=True),
        lambda env: wrappers.GoalReward(env, "collect_sapling", 3.0, terminate=False, announce=True),
    ),
    "GoalReward beside the game's": (
        lambda envs: vector.GoalReward(envs, "collect_sapling", keep_game_reward=True),
        lambda env: wrappers.GoalReward(env, "collect_sapling", terminate=False, keep_game_reward=True),
    ),
    "History of TextActions": (
        lambda envs: vector.History(vector.TextActions(envs, "noop"), 2),
        lambda env: wrappers.History(wrappers.TextActions(env, "noop"), 2),
    ),
}


@pytest.mark.parametrize(
    ("name", "env_id", "mode", "obs_mode", "kind"),
    proof.crossed(PAIRS, IDS, AutoresetMode, ("text", "both"), ("sync", "vector_entry_point")),
)
def test_outside_is_inside(name: str, env_id: str, mode: AutoresetMode, obs_mode: str, kind: str) -> None:
    outer, inner = PAIRS[name]
    outside = outer(make_vector(env_id, kind, mode, 4, obs_mode=obs_mode))
    inside: Any = gym.make_vec(
        env_id,
        num_envs=2,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        wrappers=[inner],
        max_episode_steps=4,
        obs_mode=obs_mode,
    )
    assert outside.single_observation_space == inside.single_observation_space
    assert outside.observation_space == inside.observation_space
    assert outside.action_space == inside.action_space
    same(outside.reset(seed=3), inside.reset(seed=3))
    rng = np.random.default_rng(0)
    for _ in range(proof.count(60, 11)):
        if "TextActions" in name:
            actions: Any = tuple(REPLIES[index] for index in rng.integers(len(REPLIES), size=2))
        else:
            actions = rng.choice([0, 5, 5, 5, 1], size=2)
        results = outside.step(actions), inside.step(actions)
        same(*results)
        over = results[0][2] | results[0][3]
        if mode is AutoresetMode.DISABLED and over.any():
            same(outside.reset(options={"reset_mask": over}), inside.reset(options={"reset_mask": over}))


def same(first: Any, second: Any) -> None:
    assert plain(first[0]) == plain(second[0])
    assert [part.tolist() for part in first[1:-1]] == [part.tolist() for part in second[1:-1]]
    assert flat(first[-1]) == flat(second[-1])


def flat(infos: dict[str, Any]) -> Any:
    """Infos as JSON has them, with each array's dtype, and without what no mask says is there."""
    result: dict[str, Any] = {}
    for key, value in infos.items():
        if isinstance(value, dict):
            result[key] = flat(value)
        elif key == "final_obs":
            result[key] = [plain(observation) for observation in value]
        else:
            mask = infos.get(f"_{key}", np.ones(len(value), bool))
            entries = [plain(entry) if there else None for entry, there in zip(value, mask, strict=True)]
            result[key] = (value.dtype, entries)
    return result


def test_a_goal_is_reached_in_some_of_these_games() -> None:
    envs = vector.GoalReward(make_vector(CLASSIC_ID, "sync", AutoresetMode.SAME_STEP, 30), "collect_sapling", 3.0)
    envs.reset(seed=0)
    paid = np.zeros(2)
    for _ in range(90):
        _, rewards, *_, infos = envs.step(np.array([5, 5]))
        assert set(rewards.tolist()) <= {0.0, 3.0}
        paid += rewards
    assert paid.sum() >= 3
    assert infos["goal_reached"].dtype == bool


def test_a_reply_that_raises_plays_no_game() -> None:
    envs = vector.TextActions(make_vector(CLASSIC_ID, "sync", AutoresetMode.NEXT_STEP, 2))
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="game 1: .*place_table"):
        envs.step(["noop", "place_tabel"])
    *_, infos = envs.step(["noop", "left"])
    assert infos["timestep"].tolist() == [1, 1]
    assert infos["invalid_replies"].tolist() == [0, 1]
    assert envs.step(("noop", "left"))[3].all()
    *_, infos = envs.step(["?", "?"])  # both only reset: the replies are not read
    assert infos["invalid_replies"].tolist() == [0, 0]


def test_what_a_vector_cannot_do_is_refused_with_the_cure() -> None:
    envs = make_vector(CLASSIC_ID, "sync", AutoresetMode.NEXT_STEP, 2)
    with pytest.raises(ValueError, match="cannot end one of its games.*wrappers="):
        vector.GoalReward(envs, "collect_wood", terminate=True)
    with pytest.raises(ValueError, match="cannot let one game stand still.*wrappers="):
        vector.TextActions(envs, "feedback")
    with pytest.raises(ValueError, match="Expected 2 replies"):
        vector.TextActions(envs).step(["noop"])
    with pytest.raises(ValueError, match="Unknown achievement"):
        vector.GoalReward(envs, "colect_wood")
    with pytest.raises(TypeError, match="a vector environment of craftax_text_gym"):
        vector.History(gym.make_vec("CartPole-v1", num_envs=2, vectorization_mode="sync"), 2)


def test_games_of_several_markups_each_get_their_notes_in_their_own() -> None:
    formats = ("json", "xml", "plain")
    makers = [functools.partial(gym.make, CLASSIC_ID, text_format=name) for name in formats]
    envs = vector.GoalReward(gym.vector.SyncVectorEnv(makers), "collect_wood", announce=True)
    as_json, as_xml, as_plain = envs.reset(seed=0)[0]
    assert json.loads(as_json)["notes"] == ["Your goal: collect wood."]
    assert as_xml.endswith("<notes>\nYour goal: collect wood.\n</notes>\n</observation>")
    assert as_plain.endswith("\n\nYour goal: collect wood.")
