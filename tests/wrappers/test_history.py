"""The last turns, whole, in order, within the budget."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.wrappers import Autoreset, TransformAction

from craftax_text_gym.text.formats import PRESETS
from craftax_text_gym.wrappers import ActionSequence, History, TextActions
from craftax_text_gym.wrappers.turns import estimate_tokens
from tests import proof
from tests.handbook.test_handbook import tokens
from tests.subprocesses import CLASSIC_ID, IDS, actions_of

both_games = pytest.mark.parametrize("env_id", IDS)


def words(text: str) -> int:
    """A counter of tokens of the tests' own."""
    return len(text.split())


def told(turns: list[tuple[str, str]], newest: str) -> str:
    parts = [
        f"=== {age} turn{'' if age == 1 else 's'} ago ===\n{text}\nYour action: {action}\n\n"
        for age, (text, action) in zip(range(len(turns), 0, -1), turns, strict=True)
    ]
    return "".join(parts) + f"=== Now ===\n{newest}"


@both_games
@pytest.mark.parametrize("obs_mode", ["text", "both"])
@pytest.mark.parametrize("length", [1, 3])
def test_it_tells_the_last_turns_and_forgets_them_at_a_reset(env_id: str, obs_mode: str, length: int) -> None:
    env, single = History(gym.make(env_id, obs_mode=obs_mode), length), gym.make(env_id)
    for seed in range(2):
        observation, _ = env.reset(seed=seed)
        newest, _ = single.reset(seed=seed)
        turns: list[tuple[str, str]] = []
        for action in actions_of(single, 6, seed):
            text = observation if obs_mode == "text" else observation["text"]
            assert text == told(turns[-length:], newest)
            turns.append((newest, single.unwrapped.game.actions[action]))  # type: ignore[attr-defined]
            observation, newest = env.step(np.int64(action))[0], single.step(action)[0]


@pytest.mark.parametrize("budget", [1, 100, 200, 400, 10_000])
def test_whole_turns_are_trimmed_to_the_budget_and_never_the_newest(budget: int) -> None:
    env = History(gym.make(CLASSIC_ID), 4, budget, count_tokens=f"{__name__}:words")
    plain = History(gym.make(CLASSIC_ID), 4)
    env.reset(seed=0)
    plain.reset(seed=0)
    for action in actions_of(plain, 8):
        shown, whole = env.step(action)[0], plain.step(action)[0]
        assert whole.endswith(shown)
        assert shown.startswith("=== ")
        if "ago" in shown:
            assert words(shown) <= budget
        rest = whole.removesuffix(shown)
        if rest:
            dropped = rest[rest.rindex("=== ", 0, rest.rindex("ago ===")) :]
            assert words(dropped) + words(shown) > budget


def test_the_actions_of_batches_and_replies_are_named() -> None:
    env: Any = History(ActionSequence(gym.make(CLASSIC_ID)), 1)
    env.reset(seed=0)
    assert "Your action: noop, left\n" in env.step([0, "left", "make_iron_sword"])[0]
    env = History(TextActions(gym.make(CLASSIC_ID), "feedback"), 1)
    env.reset(seed=0)
    assert "Your action: left\n" in env.step("Action: left")[0]
    assert "Your action: none\n" in env.step("?")[0]
    env = History(TextActions(gym.make(CLASSIC_ID), "noop"), 1)
    env.reset(seed=0)
    assert "Your action: noop\n" in env.step("?")[0]


def test_an_action_of_a_users_own_kind_is_told_as_what_was_carried_out() -> None:
    inner = gym.make(CLASSIC_ID)
    env = History(TransformAction(inner, lambda heat: int(heat > 0.5), None), 1)
    env.reset(seed=0)
    assert "Your action: left\n" in env.step(0.7)[0]


def test_a_restored_game_has_no_past_and_an_autoreset_within_begins_anew() -> None:
    env = History(gym.make(CLASSIC_ID), 3)
    base: Any = env.unwrapped
    env.reset(seed=0)
    snapshot = base.snapshot()
    env.step("left")
    base.restore(snapshot)
    assert "ago" not in env.step("left")[0]
    env = History(Autoreset(gym.make(CLASSIC_ID, max_episode_steps=2)), 3)
    env.reset(seed=0)
    assert ["ago" in env.step("noop")[0] for _ in range(5)] == [True, True, False, True, True]


@pytest.mark.parametrize("name", PRESETS)
@both_games
def test_the_estimate_is_no_less_than_a_tokenizers_count(env_id: str, name: str) -> None:
    env = gym.make(env_id, text_format=name)
    text, _ = env.reset(seed=0)
    for action in actions_of(env, proof.count(200, 20)):
        assert estimate_tokens(text) >= tokens(text)
        text = env.step(action)[0]


def test_wrong_arguments_are_refused() -> None:
    env = gym.make(CLASSIC_ID)
    with pytest.raises(ValueError, match="History needs one text.*obs_mode"):
        History(gym.make(CLASSIC_ID, obs_mode="symbolic"), 2)
    with pytest.raises(ValueError, match="length of at least 1"):
        History(env, 0)
    with pytest.raises(TypeError, match="budget_tokens as an int"):
        History(env, 2, budget_tokens=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="token counter"):
        History(env, 2, 100, count_tokens="no_such_module:count")
    with pytest.raises(TypeError, match="count_tokens"):
        History(env, 2, 100, count_tokens=len)  # type: ignore[arg-type]
