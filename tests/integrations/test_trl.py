from __future__ import annotations

import functools
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from craftax_text_gym import games
from craftax_text_gym.integrations import trl
from craftax_text_gym.session import TextSession
from tests.integrations.frameworks import require

ENVIRONMENTS = {"classic": trl.ClassicEnvironment, "full": trl.FullEnvironment}
all_games = pytest.mark.parametrize("game", ENVIRONMENTS)


def tools_of(environment: object) -> list[Callable[..., Any]]:
    """The methods that TRL makes tools of, found as TRL 1.16 finds them."""
    names = [name for name, _ in inspect.getmembers(type(environment), predicate=inspect.isfunction)]
    assert "reset" in names
    assert "get_reward" in names
    return [
        getattr(environment, name) for name in names if name not in ("reset", "get_reward") and not name.startswith("_")
    ]


@all_games
def test_the_only_tool_is_act(game: str) -> None:
    assert [tool.__name__ for tool in tools_of(ENVIRONMENTS[game]())] == ["act"]


@all_games
def test_the_tools_schema_is_made_by_transformers(game: str) -> None:
    utils = require("trl", "transformers.utils")
    (tool,) = tools_of(ENVIRONMENTS[game]())
    schema = utils.get_json_schema(tool)
    function = schema["function"]
    assert (schema["type"], function["name"]) == ("function", "act")
    assert function["description"]
    assert function["parameters"]["required"] == ["action"]
    properties = function["parameters"]["properties"]
    assert list(properties) == ["action"]
    assert (properties["action"]["type"], properties["action"]["enum"]) == ("string", list(games.get(game).actions))
    assert properties["action"]["description"]


def test_a_conversation_as_the_trainer_holds_it() -> None:
    factory = functools.partial(trl.ClassicEnvironment, max_steps=6)
    (row,) = trl.rows("classic", [4], max_steps=6)
    assert list(row) == ["prompt", "seed"]
    assert [message["role"] for message in row["prompt"]] == ["system", "user"]
    messages = [dict(message) for message in row["prompt"]]
    environment = factory()
    (act,) = tools_of(environment)
    messages[-1]["content"] += environment.reset(**row)

    session = TextSession("classic", text_format="compact", max_steps=6)
    assert messages[-1]["content"].endswith(session.reset(4))
    assert messages[0]["content"] == session.system_prompt
    earned = 0.0
    for name in ("left", "do", "fly", "up", "noop", "noop"):
        turn = session.act(name)
        earned += turn.reward
        assert act(action=name) == turn.text
        assert environment.get_reward() == pytest.approx(earned)
    assert session.done
    assert act(action="noop") == "The episode is over."
    assert environment.reset(**row) == session.reset(4)
    assert environment.get_reward() == 0.0


def test_the_reward_counts_health_that_was_lost() -> None:
    settings: dict[str, Any] = {"max_steps": 60, "env_params": {"spawn_zombie_base_chance": 1.0}}
    environment, session = trl.ClassicEnvironment(**settings), TextSession("classic", **settings)
    environment.reset(4)
    session.reset(4)
    earned = 0.0
    while not session.done:
        earned += session.act("noop").reward
        environment.act("noop")
    assert session.record().reward_health < 0
    assert environment.get_reward() == pytest.approx(earned)


@all_games
def test_a_factory_can_be_pickled_for_the_asynchronous_trainer(game: str) -> None:
    factory = pickle.loads(pickle.dumps(functools.partial(ENVIRONMENTS[game], max_steps=3)))
    assert [tool.__name__ for tool in tools_of(factory())] == ["act"]


def test_every_row_is_a_prompt_of_its_own() -> None:
    first, second = trl.rows("full", range(2))
    first["prompt"][1]["content"] += "!"
    assert first["prompt"][1] != second["prompt"][1]
    assert [first["seed"], second["seed"]] == [0, 1]


def test_trl_finds_the_tools_as_this_test_does() -> None:
    """The trainer itself needs torch: its source is read instead."""
    require("trl", "trl")
    from importlib.util import find_spec
    from pathlib import Path

    spec = find_spec("trl")
    assert spec is not None
    assert spec.origin is not None
    source = (Path(spec.origin).parent / "trainer" / "grpo_trainer.py").read_text()
    assert "inspect.getmembers(type(instance), predicate=inspect.isfunction)" in source
    assert 'elif not member_name.startswith("_")' in source
