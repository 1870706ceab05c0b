from __future__ import annotations

import json
import re
import threading
import xml.etree.ElementTree as ET
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from craftax_text_gym import evaluate, games
from craftax_text_gym.handbook import instructions, manual
from craftax_text_gym.session import TextSession
from craftax_text_gym.text.notes import add_notes
from tests.proof import count

KEYS = tuple(spec.key for spec in games.ALL)


def names_of(game: str, num: int, seed: int = 0) -> list[str]:
    return [str(name) for name in np.random.default_rng(seed).choice(games.get(game).actions, size=num)]


@pytest.mark.parametrize("game", KEYS)
def test_a_session_is_the_environment_played_by_words(game: str) -> None:
    env = gym.make(games.get(game).env_id)
    session = TextSession(game, progress=False)
    assert session.reset(3) == env.reset(seed=3)[0]
    total = 0.0
    for name in names_of(game, count(200, 30)):
        text, reward, terminated, truncated, info = env.step(name)
        turn = session.act(f"I think I should.\n<action>{name}</action>")
        total += float(reward)
        assert (turn.reward, turn.done, turn.info["timestep"]) == (reward, terminated or truncated, info["timestep"])
        end = add_notes(text, ["The episode is over: you died."], "markdown") if turn.done else text
        assert turn.text == session.text == end
        if turn.done:
            break
    record = session.record()
    assert (record.game, record.seed) == (game, 3)
    assert record.total_reward == pytest.approx(total)
    assert record.length == record.decisions == info["timestep"]
    assert record.finished == turn.done


def test_tool_calls_and_numbers_are_replies_too() -> None:
    texts = set()
    for reply in ("left", {"action": "left"}, json.dumps({"action": "left"}), 1):
        session = TextSession("classic")
        session.reset(1)
        texts.add(session.act(reply).text)
    assert len(texts) == 1


def test_a_reply_without_an_action_costs_a_noop_and_is_counted() -> None:
    session, noop = TextSession("classic", max_decisions=3), TextSession("classic", max_decisions=3)
    session.reset(1), noop.reset(1)
    turn = session.act("make pickaxe")
    complaint, _, rest = turn.text.partition("\n\n")
    assert "make_wood_pickaxe" in complaint
    assert complaint.endswith("noop was played instead.")
    assert rest == noop.act("noop").text
    assert (turn.done, turn.info["timestep"], turn.info["invalid_reply"]) == (False, 1, True)
    assert session.act("left").info["timestep"] == 2
    last = session.act("fly")
    assert last.done
    assert last.text.endswith("The episode is over: your last reply is used up.")
    record = session.record()
    assert (record.length, record.decisions, record.invalid_replies, record.end_reason) == (3, 3, 2, "decision_cap")
    assert (record.terminated, record.truncated) == (False, True)


class _Parrot:
    replies = True

    def reset(self, _seed: int) -> None:
        self.left = list(REPLIES)

    def act(self, _observation: Any, _info: Any) -> str:
        return self.left.pop(0)


REPLIES = ["left", "I fly", "", "up*2", "<action>do</action>", "{", "noop", "right"]


@pytest.mark.parametrize("max_actions", [1, 3])
def test_a_reply_costs_the_same_as_in_evaluate(max_actions: int) -> None:
    (expected,) = evaluate(
        _Parrot, "classic", seeds=[4], max_steps=20, max_decisions=len(REPLIES), max_actions=max_actions
    ).episodes
    session = TextSession("classic", max_steps=20, max_decisions=len(REPLIES), max_actions=max_actions)
    session.reset(4)
    for reply in REPLIES:
        session.act(reply)
    assert session.record() == expected
    assert expected.invalid_replies == (4 if max_actions == 1 else 3)
    assert expected.length == (8 if max_actions == 1 else 9)


@pytest.mark.parametrize("game", KEYS)
@pytest.mark.parametrize("text_format", ["markdown", "json", "xml"])
def test_its_texts_say_what_is_done_and_what_remains(game: str, text_format: str) -> None:
    spec = games.get(game)
    session = TextSession(game, text_format=text_format, max_steps=60)
    texts = [session.reset({"classic": 1, "full": 0}[game])]  # worlds that begin before a tree
    for name in ("do", *names_of(game, 30, seed=1)):
        if session.done:
            break
        turn = session.act(name)
        texts.append(turn.text)
        done = {key for key, is_done in zip(spec.achievement_keys, turn.info["achievements"], strict=True) if is_done}
        before, _, to_do = turn.text.rpartition("till to do: ")
        for achievement in spec.achievements:
            is_listed = re.search(rf"\b{achievement.label}[,.]", to_do) is not None
            assert is_listed is (achievement.key not in done)
            assert achievement.key not in done or achievement.label in before or achievement.key in before
    assert session.score()["achievements"] > 0
    for text in texts:
        (json.loads if text_format == "json" else ET.fromstring if text_format == "xml" else str)(text)
        assert (text.count("To do") + text.count("ill to do")) == 1


def test_caps_are_told_before_and_as_they_dwindle() -> None:
    session = TextSession("classic", max_steps=10, max_decisions=6, max_actions=3)
    assert "ends after 10 steps of the game or 6 replies, whichever comes first" in session.system_prompt
    session.reset(0)
    said = [session.act(reply).text.splitlines()[-1] for reply in ("noop*2", "noop", "noop*2", "noop*3", "fly")]
    assert not any("Left" in line for line in said[:2])
    assert said[2:] == [
        "Left in this episode: 5 steps, 3 replies.",
        "Left in this episode: 2 steps, 2 replies.",
        "Left in this episode: 1 step, 1 reply.",
    ]
    assert session.act("noop*3").text.splitlines()[-1] == "The episode is over: its last step is played."
    assert TextSession("classic").system_prompt.count("10,000 steps") == 1


def test_a_model_that_never_answers_well_comes_to_an_end() -> None:
    session = TextSession("classic", max_steps=5)
    session.reset(0)
    turns = 0
    while not session.done:
        session.act("What should I do?")
        turns += 1
    assert turns == 5
    assert session.score()["invalid_replies"] == 5


def test_several_actions_in_a_reply_earn_the_sum() -> None:
    session, single = TextSession("classic", max_actions=4, max_steps=6), TextSession("classic")
    session.reset(1), single.reset(1)
    turn = session.act("left*3, up")
    rewards = [single.act(name).reward for name in ("left", "left", "left", "up")]
    assert turn.info["timestep"] == 4
    assert turn.reward == pytest.approx(sum(rewards))
    refused = session.act("left*5")
    assert refused.info["timestep"] == 5
    assert refused.info["invalid_reply"]
    end = session.act("noop*4")
    assert (end.done, end.info["timestep"], end.info["end_reason"]) == (True, 6, "step_cap")
    assert end.text.endswith("The episode is over: its last step is played.")
    assert session.record().decisions == 3


def test_death_is_told() -> None:
    session = TextSession("classic")
    session.reset(0)
    env: Any = session._env.unwrapped
    state = env.state
    env.state = state.replace(
        player_health=1,
        player_food=0,
        player_drink=0,
        player_energy=0,
        player_hunger=100.0,
        player_thirst=100.0,
        player_fatigue=100.0,
        player_recover=-100.0,
    )
    turn = session.act("noop")
    assert turn.done
    assert turn.text.endswith("The episode is over: you died.")
    assert session.record().end_reason == "death"
    with pytest.raises(ResetNeeded, match="call reset"):
        session.act("noop")
    assert session.reset(1)
    assert not session.done


def test_before_the_first_reset_there_is_nothing() -> None:
    session = TextSession("classic")
    assert session.done
    for use in (lambda: session.text, lambda: session.act("noop"), session.record, session.score):
        with pytest.raises(ResetNeeded, match="call reset"):
            use()
    with TextSession("classic") as other:
        other.reset(0)
    assert other.done
    with pytest.raises(ResetNeeded):
        other.act("noop")
    assert other.reset(0)


@pytest.mark.parametrize("game", KEYS)
def test_the_score_is_the_records_in_numbers(game: str) -> None:
    session = TextSession(game, max_steps=40, max_actions=10)
    session.reset(5)
    while not session.done:
        session.act(", ".join(names_of(game, 5, seed=int(session.record().decisions))))
    record, score, spec = session.record(), session.score(), games.get(game)
    assert all(type(value) is float for value in score.values())
    assert score["total_reward"] == pytest.approx(record.reward_achievements + record.reward_health)
    assert score["achievement_percent"] == pytest.approx(100 * len(record.achievements) / len(spec.achievements))
    assert score["reward_percent"] == pytest.approx(100 * record.reward_achievements / spec.total_reward)
    assert (score["steps"], score["decisions"]) == (record.length, record.decisions)
    assert record.to_json() == type(record).from_json(record.to_json()).to_json()


def test_the_prompts_are_the_handbooks() -> None:
    session = TextSession("classic", text_format="compact", max_actions=3)
    assert session.instructions == instructions("classic", "compact", max_actions=3)
    rules = manual("classic", detail="short")
    assert session.system_prompt.startswith(f"{rules}\n\n{session.instructions}\n\nThis episode ends after")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"game": "chess"}, ValueError, "'classic'"),
        ({"text_format": "markdwn"}, ValueError, "markdown"),
        ({"max_steps": 0}, ValueError, "at least 1"),
        ({"max_decisions": 0}, ValueError, "at least 1"),
        ({"max_actions": 0}, ValueError, "at least 1"),
        ({"max_actions": 1.5}, TypeError, "int"),
        ({"max_steps": True}, TypeError, "int"),
        ({"progress": "yes"}, TypeError, "progress as True or False"),
    ],
)
def test_bad_arguments_are_refused_at_once(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        TextSession(**{"game": "classic", **arguments})


def test_threads_that_share_a_session_wait_for_each_other() -> None:
    session, alone = TextSession("classic", max_steps=1000), TextSession("classic")
    session.reset(2)
    num_threads, num_steps = 8, 10
    barrier = threading.Barrier(num_threads)
    turns = []

    def play() -> None:
        barrier.wait()
        turns.extend([session.act("noop") for _ in range(num_steps)])

    threads = [threading.Thread(target=play) for _ in range(num_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone.reset(2)
    expected = {alone.act("noop").text for _ in range(num_threads * num_steps)}
    assert sorted(turn.info["timestep"] for turn in turns) == list(range(1, num_threads * num_steps + 1))
    assert {turn.text for turn in turns} == expected
    assert session.record().decisions == num_threads * num_steps
