from __future__ import annotations

import pickle
from typing import Any

import pytest

from craftax_text_gym.agents import AGENTS, NoopAgent, RandomAgent, parse_options, recipe_of
from craftax_text_gym.games import CLASSIC, FULL

HERE = __name__
GIVEN = {"game": CLASSIC, "max_actions": 2}


class Own:
    """A user's agent."""

    def __init__(self, game: Any, *, depth: int, label: str = "x") -> None:
        self.game, self.depth, self.label = game, depth, label
        self.seen: list[int] = []

    def reset(self, seed: int) -> None:
        self.seen.append(seed)

    def act(self, observation: Any, info: Any) -> str:  # noqa: ARG002
        return "noop"


class Open(Own):
    """Takes any option."""

    def __init__(self, **options: Any) -> None:
        super().__init__(None, depth=0)
        self.options = options


def no_agent() -> object:
    return object()


def test_a_built_in_agent_is_made_by_name() -> None:
    agent = recipe_of("random", {"available_only": True}).make(**GIVEN)
    assert isinstance(agent, RandomAgent)
    assert (agent.available_only, agent.max_actions) == (True, 2)
    assert isinstance(recipe_of("noop").make(**GIVEN), NoopAgent)


@pytest.mark.parametrize("name", sorted(set(AGENTS) - {"llm"}))
def test_every_name_stands_for_an_agent(name: str) -> None:
    agent = recipe_of(name).make(game=FULL, max_actions=1)
    assert callable(agent.act)


@pytest.mark.parametrize("agent", [f"{HERE}:Own", Own])
def test_a_user_s_own_class_is_given_what_it_has_room_for(agent: Any) -> None:
    recipe = recipe_of(agent, {"depth": 3})
    assert recipe.name == f"{HERE}:Own"
    made: Any = recipe.make(**GIVEN)
    assert (made.game, made.depth, made.label) == (CLASSIC, 3, "x")
    assert recipe.make(**GIVEN) is not made


def test_what_the_user_says_wins() -> None:
    made: Any = recipe_of(Own, {"depth": 3, "game": "mine"}).make(**GIVEN)
    assert made.game == "mine"


def test_a_constructor_that_takes_anything_is_given_the_user_s_options_only() -> None:
    made: Any = recipe_of(Open, {"depth": 3}).make(**GIVEN)
    assert made.options == {"depth": 3}


def test_an_agent_at_hand_is_copied() -> None:
    agent = Own(None, depth=1)
    first, second = recipe_of(agent).make(**GIVEN), recipe_of(agent).make(**GIVEN)
    first.reset(1)
    assert (agent.seen, first.seen, second.seen) == ([], [1], [])  # type: ignore[attr-defined]


@pytest.mark.parametrize("agent", ["random", f"{HERE}:Own", Own, Own(None, depth=1)])
def test_a_recipe_can_be_pickled(agent: Any) -> None:
    recipe = recipe_of(agent)
    copied = pickle.loads(pickle.dumps(recipe))
    assert (copied.name, copied.options) == (recipe.name, recipe.options)


@pytest.mark.parametrize(
    ("agent", "options", "message"),
    [
        ("randon", {}, "Unknown agent 'randon'. The closest choices: random"),
        ("no.such.module:Name", {}, "cannot be loaded: No module named"),
        (f"{HERE}:Onw", {}, "cannot be loaded"),
        ("random", {"availble_only": True}, "Unknown option of agent 'random' 'availble_only'.*available_only"),
        (Own, {}, "needs the option 'depth': pass --agent-option depth=VALUE"),
        ("llm", {}, "needs the option 'model'"),
    ],
)
def test_what_cannot_be_made_is_refused_with_the_cure(agent: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        recipe_of(agent, options).make(**GIVEN)


def test_what_is_no_agent_is_refused() -> None:
    with pytest.raises(TypeError, match="reset and act"):
        recipe_of(no_agent).make()  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="name or the class"):
        recipe_of(Own(None, depth=1), {"depth": 2})


def test_options_are_read_as_json_or_words() -> None:
    texts = ["a=1", "b=0.5", "c=true", "d=False", "e=None", "f=[1, 2]", "g=gpt-4o", 'h="7"', "max-actions=3", "i=a=b"]
    assert parse_options(texts) == {
        "a": 1, "b": 0.5, "c": True, "d": False, "e": None, "f": [1, 2], "g": "gpt-4o", "h": "7", "max_actions": 3,
        "i": "a=b",
    }  # fmt: skip


@pytest.mark.parametrize("texts", [["available_only"], ["=3"], ["a b=3"], ["a=1", "a=2"]])
def test_options_that_cannot_be_read_are_refused(texts: list[str]) -> None:
    with pytest.raises(ValueError, match="agent's option"):
        parse_options(texts)
