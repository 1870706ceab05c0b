"""The examples that need nothing but this package."""

from __future__ import annotations

import json
import re
import runpy
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from typer.testing import CliRunner

from craftax_text_gym.cli.app import app
from tests.subprocesses import CLASSIC_ID, FULL_ID, ROOT


def _load(name: str) -> dict[str, Any]:
    """What an example defines, without what it does as a program."""
    return runpy.run_path(str(ROOT / "examples" / name), run_name="example")


def _run(name: str, monkeypatch: pytest.MonkeyPatch, *arguments: int) -> None:
    """Run an example as `python` does, its folder searched for modules."""
    path = ROOT / "examples" / name
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    monkeypatch.syspath_prepend(str(path.parent))
    runpy.run_path(str(path), run_name="__main__")


def test_the_forager_beats_random_play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _run("custom_agent.py", monkeypatch)
    told = re.findall(
        r"^(\w+): ([\d.]+) achievements, ([\d.]+) % of the reward$", capsys.readouterr().out, re.MULTILINE
    )
    (forager, *its), (by_chance, *others) = told
    assert (forager, by_chance) == ("Forager", "RandomAgent")
    assert all(float(mine) > 1.5 * float(yours) for mine, yours in zip(its, others, strict=True))


def test_the_forager_can_be_named_in_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    arguments = "eval --game classic --agent custom_agent:Forager --episodes 2 --max-steps 60 --json"
    result = CliRunner().invoke(app, arguments.split())
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["agent"] == "custom_agent:Forager"
    assert all("collect_wood" in episode["achievements"] for episode in report["episodes"])


def test_the_section_says_what_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _run("custom_section.py", monkeypatch)
    *words, values = capsys.readouterr().out.splitlines()
    told = json.loads(values)
    assert list(told) == ["inventory", "custom_section:Workshop"]
    env: Any = gym.make(CLASSIC_ID)
    env.reset(seed=1)
    for action in ("do", "right", "right", "do", "place_table"):
        *_, info = env.step(action)
    assert info["new_achievements"] == ("place_table",)
    expected = {name: env.unwrapped.explain(name) for name in env.action_space.names if name.startswith("make_")}
    assert told["custom_section:Workshop"] == expected
    lines = words[words.index("## Workshop") + 1 :]
    assert sorted(lines) == sorted(f"{name}: {lack}" for name, lack in expected.items())


@pytest.mark.parametrize("lead", ["", "to make: "])
def test_the_section_drops_what_is_made_and_says_what_can_be(monkeypatch: pytest.MonkeyPatch, lead: str) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    text_format = {"markup": "plain", "sections": ["custom_section:Workshop"], "terse": bool(lead)}
    env: Any = gym.make(CLASSIC_ID, text_format=text_format)
    text, _ = env.reset(seed=1)
    assert f"{lead}make_wood_pickaxe: needs 1 wood: you have 0; no crafting table within reach" in text.splitlines()
    state = env.unwrapped.state
    rich = state.inventory.replace(wood=np.int32(9), stone=np.int32(9))
    env.unwrapped.state = state.replace(inventory=rich)
    env.step("left")
    env.step("place_table")
    text, *_ = env.step("make_wood_pickaxe")
    assert f"{lead}make_wood_sword: nothing missing" in text.splitlines()
    assert "make_wood_pickaxe" not in text


def test_the_plan_of_the_search_replays_and_beats_random_play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _run("tree_search.py", monkeypatch, 2, 10)
    output = capsys.readouterr().out
    found = re.search(r"^search: (\d+) achievements in (\d+) steps: (.*)$", output, re.MULTILINE)
    lucky = re.search(r"^random, the best of 20 games of 60 steps: (\d+) achievements$", output, re.MULTILINE)
    assert found is not None
    assert lucky is not None
    env = gym.make(CLASSIC_ID)
    env.reset(seed=2)
    infos = [env.step(name)[-1] for name in found[3].split()]
    assert (int(found[1]), int(found[2])) == (infos[-1]["achievements"].sum(), len(infos))
    told = [f"step {info['timestep']}: {', '.join(info['new_achievements'])}" for info in infos]
    assert output.splitlines()[:-2] == [
        line for line, info in zip(told, infos, strict=True) if info["new_achievements"]
    ]
    assert int(found[1]) > int(lucky[1])


def test_the_rollouts_are_those_of_single_games() -> None:
    collect = _load("vector_rollouts.py")["collect"]
    steps = collect(gym.make_vec(CLASSIC_ID, num_envs=2, max_episode_steps=20), num_steps=50, seed=5)
    assert len(steps) == 50
    for index in range(2):
        env = gym.make(CLASSIC_ID, max_episode_steps=20)
        text, info = env.reset(seed=5 + index)
        reward, done = 0.0, False
        for step in steps:
            assert (step.texts[index], step.played[index]) == (text, not done)
            np.testing.assert_array_equal(step.masks[index], info["action_mask"])
            if done:
                text, info = env.reset()
                reward, done = 0.0, False
            else:
                assert step.masks[index, step.actions[index]]
                text, reward, terminated, truncated, info = env.step(int(step.actions[index]))  # type: ignore[assignment]
                done = terminated or truncated
            assert (step.rewards[index], step.dones[index]) == (reward, done)


def test_the_rollouts_are_summed_up(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _run("vector_rollouts.py", monkeypatch, 2, 60)
    shape = (
        r"(\d+) steps with a reward of (\S+)\n(\d+) episodes of (\S+) steps and (\S+) reward\n(\S+) achievements .*\n"
    )
    told = re.fullmatch(shape, capsys.readouterr().out)
    assert told is not None
    steps, _, episodes, length, *_ = map(float, told.groups())
    collect = _load("vector_rollouts.py")["collect"]
    played = collect(gym.make_vec(FULL_ID, num_envs=2, max_episode_steps=40), 60)
    assert steps == sum(step.played.sum() for step in played)
    assert episodes == sum(step.dones.sum() for step in played) > 0
    assert 0 < length <= 40
