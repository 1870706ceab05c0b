from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from craftax_text_gym.agents import Agent, NoopAgent, RandomAgent

INFO = {"action_mask": np.array([1, 0, 1, 1, 0], np.int8)}


def draws(agent: Agent, seed: int, count: int = 500) -> list[Any]:
    agent.reset(seed)
    return [agent.act("", INFO) for _ in range(count)]


def test_the_noop_agent_does_nothing() -> None:
    assert set(draws(NoopAgent(), 0)) == {"noop"}


def test_the_random_agent_draws_every_action_about_equally_often() -> None:
    counts = Counter(draws(RandomAgent(), 0, 5_000))
    assert set(counts) == {0, 1, 2, 3, 4}
    assert min(counts.values()) > 850


def test_the_random_agent_draws_available_actions_only_where_told_to() -> None:
    assert set(draws(RandomAgent(available_only=True), 0)) == {0, 2, 3}


def test_several_actions_at_a_time_are_a_list() -> None:
    assert draws(NoopAgent(max_actions=3), 0, 1) == [["noop"] * 3]
    several = draws(RandomAgent(available_only=True, max_actions=3), 0, 40)
    assert {len(actions) for actions in several} == {3}
    assert {action for actions in several for action in actions} == {0, 2, 3}


def test_the_random_agents_actions_follow_from_the_seed_alone() -> None:
    agent = RandomAgent()
    first = draws(agent, 7)
    assert draws(agent, 8) != first
    assert draws(agent, 7) == draws(RandomAgent(), 7) == first
    assert all(type(action) is int for action in first)
