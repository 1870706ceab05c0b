"""Replies become actions, and invalid ones are counted."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.error import ResetNeeded

from craftax_text_gym.wrappers import ActionSequence, TextActions
from tests.subprocesses import CLASSIC_ID, IDS, plain

both_games = pytest.mark.parametrize("env_id", IDS)


@both_games
@pytest.mark.parametrize(
    "reply", ["left", "I see a tree.\nAction: left", '{"action": "left"}', {"action": 1}, 1, ["left"]]
)
def test_a_reply_is_played_as_its_action(env_id: str, reply: Any) -> None:
    env, single = TextActions(gym.make(env_id)), gym.make(env_id)
    env.reset(seed=0)
    single.reset(seed=0)
    observation, *rest, info = env.step(reply)
    expected = single.step("left")
    assert (observation, *rest) == expected[:-1]
    assert plain(info) == {**plain(expected[-1]), "invalid_reply": False, "invalid_replies": 0, "reply_error": ""}


@both_games
def test_an_invalid_reply_raises_and_is_counted(env_id: str) -> None:
    env = TextActions(gym.make(env_id))
    env.reset(seed=0)
    with pytest.raises(ValueError, match="place_table"):
        env.step("place_tabel")
    with pytest.raises(ValueError, match="one action in a reply, got several"):
        env.step("left, left")
    assert env.step("noop")[-1]["invalid_replies"] == 2
    assert env.reset(seed=0)[1]["invalid_replies"] == 0


@both_games
def test_noop_is_played_and_said(env_id: str) -> None:
    env, single = TextActions(gym.make(env_id), "noop"), gym.make(env_id)
    env.reset(seed=0)
    single.reset(seed=0)
    observation, _, _, _, info = env.step("place_tabel")
    complaint, _, rest = observation.partition("\n\n")
    assert rest == single.step("noop")[0]
    assert "place_table" in complaint
    assert complaint.endswith("noop was played instead.")
    assert (info["timestep"], info["invalid_reply"], info["invalid_replies"]) == (1, True, 1)
    assert "place tabel" in info["reply_error"]


@both_games
@pytest.mark.parametrize("text_format", ["markdown", "json", "xml"])
@pytest.mark.parametrize("obs_mode", ["text", "both"])
def test_feedback_says_why_and_takes_no_time(env_id: str, text_format: str, obs_mode: str) -> None:
    env = TextActions(gym.make(env_id, text_format=text_format, obs_mode=obs_mode), "feedback")
    env.reset(seed=0)
    before, *_, old = env.step("left")
    for count, reply in enumerate(["place_tabel", "make pickaxe", "Ich weiß nicht. \U0001f937", ""], 1):
        observation, reward, terminated, truncated, info = env.step(reply)
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert (info["timestep"], info["executed_action"], info["invalid_replies"]) == (1, -1, count)
        assert plain({key: info[key] for key in ("achievements", "action_mask", "episode_seed")}) == plain(
            {key: old[key] for key in ("achievements", "action_mask", "episode_seed")}
        )
        assert observation in env.observation_space
        text, shown = (observation, before) if obs_mode == "text" else (observation["text"], before["text"])
        assert "Nothing was played and no time has passed." in text
        if text_format == "json":
            first, *rest = json.loads(text).items()
            assert first[0] == "error"
            assert dict(rest) == json.loads(shown)
        elif text_format == "xml":
            first, *rest = ET.fromstring(text)
            assert first.tag == "error"
            assert [part.text for part in rest] == [part.text for part in ET.fromstring(shown)]
        else:
            assert text.startswith("Your reply is invalid.")
            assert text.endswith(f"\n\n{shown}")
    assert env.step("noop")[-1]["timestep"] == 2


def test_feedback_lists_what_may_have_been_meant_or_can_be_done() -> None:
    env = TextActions(gym.make(CLASSIC_ID), "feedback")
    env.reset(seed=0)
    assert "make_wood_pickaxe" in env.step("make pickaxe")[0]
    assert "Actions that can be done now: noop, left" in env.step("Let me think about it for a while.")[0]


def test_what_users_write_into_is_not_shown_again() -> None:
    env = TextActions(gym.make(CLASSIC_ID), "feedback")
    _, info = env.reset(seed=0)
    mask = info["action_mask"].copy()
    info["action_mask"][:] = 7
    given = env.step("?")[-1]
    given["action_mask"][:] = 7
    assert env.step("?")[-1]["action_mask"].tolist() == mask.tolist()


def test_no_reply_is_answered_after_the_end() -> None:
    env = TextActions(gym.make(CLASSIC_ID, max_episode_steps=1), "feedback")
    with pytest.raises(ResetNeeded):
        env.step("?")
    env.reset(seed=0)
    assert env.step("noop")[3]
    with pytest.raises(ResetNeeded, match="reset"):
        env.step("?")
    env.reset()
    assert env.step("?")[-1]["invalid_replies"] == 1


def test_outside_of_a_sequence_a_reply_holds_several_actions() -> None:
    env = TextActions(ActionSequence(gym.make(CLASSIC_ID), 4), "feedback")
    env.reset(seed=0)
    assert env.step("noop, left*2")[-1]["actions_taken"] == (0, 1, 1)
    observation, *_, info = env.step("noop*5")
    assert (info["actions_taken"], info["stopped_by"], info["timestep"]) == ((), "", 3)
    assert "Expected at most 4 actions" in observation


def test_after_a_restored_snapshot_no_stale_text_is_shown() -> None:
    env = TextActions(gym.make(CLASSIC_ID), "feedback")
    base: Any = env.unwrapped
    env.reset(seed=0)
    snapshot = base.snapshot()
    env.step("left")
    base.restore(snapshot)
    assert env.step("?")[0].startswith("Your reply is invalid.")


def test_the_space_holds_any_script_and_samples_can_be_read() -> None:
    env = TextActions(ActionSequence(gym.make(CLASSIC_ID), 4))
    assert isinstance(env.action_space, gym.spaces.Text)
    assert "Ich weiß nicht. \U0001f937" in env.action_space
    assert "x" * 70_000 not in env.action_space
    assert 3 not in env.action_space
    env.action_space.seed(0)
    env.reset(seed=0)
    for _ in range(10):
        assert not env.step(env.action_space.sample())[-1]["invalid_reply"]


def test_wrong_arguments_are_refused() -> None:
    env = gym.make(CLASSIC_ID)
    with pytest.raises(ValueError, match="closest choices: feedback"):
        TextActions(env, "feedbak")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="The order is TextActions"):
        TextActions(TextActions(env))
    with pytest.raises(TypeError, match="Expected a reply"):
        TextActions(env).step(1.5)  # type: ignore[arg-type]
