from __future__ import annotations

import asyncio
import importlib
from typing import Any

import pytest

from craftax_text_gym.session import TextSession
from tests.integrations import scripted_model
from tests.integrations.frameworks import require

vf: Any = require("verifiers", "verifiers.v1")

ID = "craftax-text-verifiers"
REPLIES = ("left", "<action>do</action>", "I would rather fly.", "up")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of the scripted model, which takes any."""
    monkeypatch.setenv("SCRIPTED_KEY", "any")


def config(**taskset: Any) -> Any:
    return vf.resolve_env_config({"taskset": {"id": ID, "game": "classic", **taskset}})


def expected(seed: int, max_decisions: int) -> tuple[list[str], TextSession]:
    session = TextSession("classic", max_steps=300, max_decisions=max_decisions)
    replies = [REPLIES[turn % len(REPLIES)] for turn in range(max_decisions)]
    texts = [session.reset(seed), *[session.act(reply).text for reply in replies]]
    return texts, session


def test_verifiers_loads_the_module_by_its_name() -> None:
    module = importlib.import_module("craftax_text_verifiers")
    env = vf.load_environment(config())
    assert type(env) is module.CraftaxTextEnv
    assert type(env.taskset) is module.CraftaxTextTaskset
    assert env.config.taskset.game == "classic"
    assert env.config.player.harness.id == "null"


def test_the_tasks_are_worlds_in_order() -> None:
    taskset = vf.load_taskset(config(first_seed=10, max_steps=7, max_actions=2).taskset)
    tasks = list(taskset.take(3))
    assert [task.data.seed for task in tasks] == [10, 11, 12]
    assert [task.data.idx for task in tasks] == [0, 1, 2]
    assert len({task.key for task in tasks}) == 3
    session = TextSession(**tasks[0].data.settings)
    assert (session.max_steps, session.max_actions) == (7, 2)
    assert tasks[0].data.system_prompt == session.system_prompt
    data = type(tasks[0].data).model_validate_json(tasks[0].data.model_dump_json())
    assert data == tasks[0].data


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="game"):
        config(game="chess")
    taskset = vf.load_taskset(config(text_format="markdwn").taskset)
    with pytest.raises(ValueError, match="markdown"):
        next(iter(taskset))


async def episodes_of(env: Any, tasks: list[Any], url: str) -> list[Any]:
    """Play the tasks at once, with all that verifiers has between an environment and a model's endpoint."""
    context = vf.ModelContext(model="scripted", client=vf.EvalClientConfig(base_url=url, api_key_var="SCRIPTED_KEY"))
    async with env.serving():
        return await asyncio.gather(*[env.run_episode(task, context) for task in tasks])


def test_episodes_at_once_with_a_scripted_model() -> None:
    env = vf.load_environment(config(max_decisions=6, first_seed=3))
    tasks = list(env.taskset.take(2))
    with scripted_model.serve(REPLIES) as (url, sent):
        episodes = asyncio.run(episodes_of(env, tasks, url))
    for task, episode in zip(tasks, episodes, strict=True):
        assert episode.ok, episode.errors
        (trace,) = episode.traces
        texts, session = expected(task.data.seed, 6)
        score = session.score()
        assert trace.reward == pytest.approx(score.pop("total_reward"))
        assert {name: trace.metrics[name] for name in score} == score
        assert trace.info["end_reason"] == "decision_cap"
        longest = max((messages for messages in sent if texts[0] in words(messages, "user")), key=len)
        assert words(longest, "user") == texts[:-1]
        assert words(longest, "system") == [session.system_prompt]
        assert words(longest, "assistant") == [REPLIES[turn % len(REPLIES)] for turn in range(5)]


def test_an_exchange_that_is_cut_short_still_has_its_score() -> None:
    env = vf.load_environment(
        vf.resolve_env_config({"taskset": {"id": ID, "game": "classic"}, "player": {"max_turns": 2}})
    )
    with scripted_model.serve(REPLIES) as (url, _):
        (episode,) = asyncio.run(episodes_of(env, [next(iter(env.taskset))], url))
    (trace,) = episode.traces
    assert trace.metrics["decisions"] == 2
    assert trace.info["end_reason"] == "unfinished"


def words(messages: list[dict[str, Any]], role: str) -> list[str]:
    return [message["content"] for message in messages if message["role"] == role]
