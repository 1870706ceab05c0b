"""What a model is told of the whole episode, and what of it a server has read already."""

from __future__ import annotations

import asyncio
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from craftax_text_gym import games
from craftax_text_gym.agents.llm import LLMAgent
from craftax_text_gym.agents.llm.strategy import opening_plan
from craftax_text_gym.agents.llm.tokens import count_o200k
from craftax_text_gym.evaluation import evaluate
from craftax_text_gym.evaluation.results import OtherSettingsError
from craftax_text_gym.evaluation.runner import make_settings
from tests.agents.llm.playing import ask, game_for, info_of, make, play
from tests.agents.llm.server import KEY, MODEL, Say, in_turn, serve
from tests.proof import count
from tests.wrappers.play import edit, ready_to_plant

KEYS = tuple(spec.key for spec in games.ALL)


def _talker(game: str) -> Any:
    """A model that says 150 tokens a turn, walks about, and takes what it faces."""
    actions = ("do", "left", "do", "up", "noop", "right", "do", "down")
    padding = "I look around and think about what to do next. " * 13

    def script(body: dict[str, Any]) -> Say:
        turn = len(json.dumps(body["messages"])) % len(actions)
        return Say(f"{padding}<action>{actions[turn]}</action>")

    assert 140 <= count_o200k(f"{padding}<action>left</action>") <= 160, game
    return script


@pytest.mark.parametrize("game", KEYS)
def test_a_request_begins_with_the_bytes_of_the_one_before(game: str) -> None:
    num_turns = count(300, 70)
    with serve(_talker(game)) as server:
        agent = make(server, game=game, max_steps=10_000, max_decisions=num_turns)
        with game_for(agent, num_turns) as env:
            infos = asyncio.run(play(agent, env, seed=1))
    sent = ["".join(json.dumps(message) for message in request["messages"]) for request in server.requests]
    assert len(sent) == len(infos) - 1 >= 60
    kept = sum(after.startswith(before) for before, after in pairwise(sent))
    assert kept < len(sent) - 1  # the history was cut
    assert kept / (len(sent) - 1) >= 0.85


@pytest.mark.parametrize("game", KEYS)
@pytest.mark.parametrize("text_format", ["markdown", "json", "xml"])
def test_every_observation_says_what_is_done_and_what_remains(game: str, text_format: str) -> None:
    agent = LLMAgent(game=game, model=MODEL, text_format=text_format)
    info = info_of(game, "collect_wood", "wake_up")
    text = {"markdown": "## Status\nwell", "json": '{"status":{}}', "xml": "<observation>\n</observation>"}[text_format]
    said = agent.prepare(text, info)["messages"][-1]["content"]
    done, _, to_do = said.partition("till to do: ")
    assert "collect wood" not in to_do
    assert "wake up" not in to_do
    assert all(a.label in to_do for a in games.get(game).achievements if a.key not in ("collect_wood", "wake_up"))
    assert ("collect wood, wake up" in done) is (text_format != "json")  # its own section lists them
    if text_format == "json":
        json.loads(said)
    plain = LLMAgent(game=game, model=MODEL, text_format=text_format, progress=False)
    assert plain.prepare(text, info)["messages"][-1]["content"] == text


def test_all_done_is_said_too() -> None:
    agent = LLMAgent(game="classic", model=MODEL)
    said = agent.prepare("x", info_of("classic", *games.CLASSIC.achievement_keys))["messages"][-1]["content"]
    assert said == "x\n\nAll 22 achievements are done."


def test_the_caps_of_the_run_are_in_the_prompt_and_what_is_left_of_them_where_it_dwindles() -> None:
    with serve(in_turn("left", "noop", "I fly")) as server:
        agent = make(server, max_steps=8, max_decisions=6, progress=False)
        with game_for(agent, 6) as env:
            asyncio.run(play(agent, env))
    system = server.requests[0]["messages"][0]["content"]
    assert "ends after 8 steps of the game or 6 replies, whichever comes first" in system
    newest = [request["messages"][-1]["content"] for request in server.requests]
    assert not any("Left in this episode" in text for text in newest[:3])
    assert newest[3].endswith("\n\nLeft in this episode: 3 replies.")
    assert newest[4].endswith("\n\nLeft in this episode: 4 steps, 2 replies.")
    assert newest[5].endswith("\n\nLeft in this episode: 3 steps, 1 reply.")
    past = [message["content"] for message in server.requests[5]["messages"][1::2]]
    assert past == newest  # what was told stays where it was told


def test_an_agent_on_its_own_knows_of_no_cap() -> None:
    request = LLMAgent(game="classic", model=MODEL).prepare("a tree", info_of())
    assert "This episode ends" not in request["messages"][0]["content"]


@pytest.mark.parametrize("text_format", ["markdown", "json", "xml"])
def test_a_reply_in_prose_is_told_to_call_the_tool_and_nothing_else(text_format: str) -> None:
    with serve(in_turn("I would rather walk and look around.")) as server:
        agent = make(server, mode="tools", text_format=text_format)
        with game_for(agent, 2) as env:
            asyncio.run(play(agent, env))
    newest = server.requests[1]["messages"][-1]["content"]
    assert newest.startswith("Your last reply called no tool: call the tool act.")
    assert "Your reply is invalid. The reply is prose and marks no action: call the tool act." in newest
    assert "action>" not in newest.replace("<observation>", "").replace("</observation>", "")


def test_the_tool_is_explained_with_its_arguments() -> None:
    for max_actions, call in ((1, '{"action": "left"}'), (4, '{"actions": ["left", "left", "do"]}')):
        _, _, server = ask(in_turn(Say(None, (call,))), ["a tree"], mode="tools", max_actions=max_actions)
        system = server.requests[0]["messages"][0]["content"]
        assert call in system
        assert "<action>" not in system
        assert server.requests[0]["tool_choice"] == "required"


@pytest.mark.parametrize("game", KEYS)
def test_the_opening_plan_is_carried_out_with_what_it_counts(game: str) -> None:
    plan = opening_plan(games.get(game))
    stages = [re.findall(r"(\d+) (wood|stone|iron|coal)", line) for line in plan.splitlines()[1:5]]
    env = gym.make(games.get(game).env_id)
    ready_to_plant(env)
    made: dict[int, list[str]] = {
        0: ["place_table", "make_wood_pickaxe", "make_wood_sword"],
        2: ["make_stone_pickaxe", "make_stone_sword", "left", "place_stone", "right", "place_furnace"],
        3: ["make_iron_pickaxe", "make_iron_sword"],
    }
    unlocked: set[str] = set()
    for stage, actions in made.items():
        edit(env, {"wood": 0, **{field: int(amount) for amount, field in stages[stage]}})
        for action in actions:
            unlocked |= set(env.step(action)[-1]["new_achievements"])
        left: Any = env.unwrapped.state.inventory  # type: ignore[attr-defined]
        assert not any(int(getattr(left, field)) for _, field in stages[stage])
    assert {name for actions in made.values() for name in actions} - {"left", "right"} <= unlocked


def test_a_plan_is_in_the_prompt_unless_it_is_forbidden_and_that_is_stamped(tmp_path: Path) -> None:
    plan = opening_plan(games.CLASSIC)
    for options, protocol, has_plan in (
        ({}, None, True),
        ({"strategy": False}, None, False),
        ({}, "balrog", False),
        ({}, "craftax", True),
    ):
        settings = make_settings("llm", "classic", protocol=protocol, agent_options={"model": MODEL, **options})
        agent: Any = settings.make_agent()
        assert (plan in agent.prepare("a tree", info_of())["messages"][0]["content"]) is has_plan
        assert settings.header()["agent_stamp"]["strategy"] is has_plan
    with pytest.raises(ValueError, match="'balrog' forbids a plan .* leave strategy out"):
        make_settings("llm", "classic", protocol="balrog", agent_options={"model": MODEL, "strategy": True})
    with serve(in_turn("left")) as server:
        run: dict[str, Any] = {"seeds": [1], "max_decisions": 1, "output": tmp_path}
        shown: dict[str, Any] = {"model": MODEL, "base_url": server.url, "api_key": KEY}
        evaluate("llm", "classic", agent_options=shown, **run)
        with pytest.raises(OtherSettingsError, match="agent_stamp"):
            evaluate("llm", "classic", agent_options={**shown, "strategy": False}, resume=True, **run)
