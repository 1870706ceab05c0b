"""BALROG is not on PyPI: what its evaluator and agents do with an environment is repeated here, step by step."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from craftax_text_gym import games
from craftax_text_gym.integrations import balrog

KEYS = tuple(spec.key for spec in games.ALL)


def config(**kwargs: Any) -> Any:
    return SimpleNamespace(envs={"craftax_kwargs": kwargs})


def as_the_agents_read(reply: str) -> str:
    """`NaiveAgent._extract_final_answer` of BALROG."""
    return re.sub(r"[^a-zA-Z\s:]", "", reply).strip()


def evaluate(env: Any, replies: list[str], seed: int) -> dict[str, Any]:
    """The part of `Evaluator.run_episode` of BALROG that touches an environment."""
    log: dict[str, Any] = {"action_frequency": defaultdict(int)}
    obs, _ = env.reset(seed=seed)
    prompt = env.get_instruction_prompt(instructions=None)
    assert prompt
    total = 0.0
    texts = [obs["text"]["long_term_context"] + obs["text"]["short_term_context"]]
    for step in range(env.max_steps):
        completion = as_the_agents_read(replies[step % len(replies)])
        action = env.check_action_validity(completion)
        log["action_frequency"][action] += 1
        obs, reward, terminated, truncated, _ = env.step(action)
        total += reward
        obs["text"]["long_term_context"] = "Invalid.\n" + obs["text"]["long_term_context"]
        texts.append(obs["text"]["long_term_context"])
        if terminated or truncated:
            break
    log.update(env.get_stats(), episode_return=total, num_steps=step + 1, failed_candidates=env.failed_candidates)
    log["texts"] = texts
    return json.loads(json.dumps(log))  # type: ignore[no-any-return]


@pytest.mark.parametrize("task", KEYS)
def test_an_episode_as_the_evaluator_plays_it(task: str) -> None:
    env = balrog.make_env("craftax", task, config(max_steps=12))
    spec = games.get(task)
    log = evaluate(env, ["left", "do", "make_wood_pickaxe", "Place Table", "dance", "noop"], seed=3)
    assert log["num_steps"] == env.max_steps == 12
    assert log["failed_candidates"] == ["makewoodpickaxe", "Place Table", "dance"] * 2
    assert log["action_frequency"] == {"left": 2, "do": 2, "noop": 8}
    assert set(log["achievements"]) == set(spec.achievement_keys)
    assert log["score"] == sum(log["achievements"].values())
    assert log["progression"] == pytest.approx(log["score"] / len(spec.achievements))
    assert evaluate(env, ["left"], seed=3)["texts"][0] == log["texts"][0]
    assert env.failed_candidates == []


@pytest.mark.parametrize("task", KEYS)
def test_every_action_survives_what_the_agents_strip(task: str) -> None:
    env = balrog.BalrogEnv(task)
    assert env.actions == list(env.language_action_space)
    for number, name in enumerate(games.get(task).actions):
        words = env.get_text_action(number)
        assert words.replace(" ", "_") == name
        assert as_the_agents_read(words) == words
        assert env.check_action_validity(words) == words
        assert words in env.get_instruction_prompt()
    assert env.failed_candidates == []
    assert env.default_action == "noop"


def test_every_name_does_what_the_game_calls_it() -> None:
    env = balrog.BalrogEnv("classic", max_steps=100)
    env.reset(seed=0)
    for number, words in enumerate(env.language_action_space):
        if words != "sleep":
            env.step(words)
            assert env._session._info["executed_action"] == number


def test_observations_are_balrogs() -> None:
    env = balrog.BalrogEnv("classic", images=True)
    obs, info = env.reset(seed=1)
    assert "Your status:" in obs["text"]["long_term_context"]
    assert set(obs["text"]) == {"long_term_context", "short_term_context"}
    assert isinstance(obs["image"], Image.Image)
    assert info == {}
    assert balrog.BalrogEnv("classic").reset(seed=1)[0]["image"] is None
    env.close()


def test_unknown_tasks_are_refused() -> None:
    with pytest.raises(ValueError, match="'classic'"):
        balrog.make_env("craftax", "default", config())
    with pytest.raises(ModuleNotFoundError, match="balrog"):
        balrog.make_env("nle", "default", config())
