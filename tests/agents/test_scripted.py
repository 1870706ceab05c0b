"""The scripted agent at play, from the text alone."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import gymnasium as gym
import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.agents import ScriptedAgent
from craftax_text_gym.agents.scripted import perception, priorities
from craftax_text_gym.agents.scripted.memory import Memory, side_of
from craftax_text_gym.agents.scripted.mind import Mind
from craftax_text_gym.env import CraftaxTextEnv
from tests.proof import IS_PROOF, count
from tests.worlds import GAMES

FRESH_SEEDS = range(10_000, 10_010)


class Played(NamedTuple):
    """What came of an episode."""

    actions: tuple[str, ...]
    observations: tuple[str, ...]
    achievements: frozenset[str]


def play(key: str, seed: int, cap: int | None, agent: ScriptedAgent | None = None) -> Played:
    """Play an episode; the agent is given nothing but strings."""
    env = gym.make(games.get(key).env_id, text_format="json", max_episode_steps=cap)
    agent = agent or ScriptedAgent()
    agent.reset(seed)
    observation, info = env.reset(seed=seed)
    actions, observations = list[str](), [observation]
    ended = False
    while not ended:
        actions.append(agent.act(observation, {}))
        observation, _, terminated, truncated, info = env.step(actions[-1])
        observations.append(observation)
        ended = terminated or truncated
    names = np.array(games.get(key).achievement_keys)
    return Played(tuple(actions), tuple(observations), frozenset(names[info["achievements"]].tolist()))


@lru_cache
def played(key: str, seed: int = 0) -> Played:
    return play(key, seed, count(3_000, 500))


@pytest.mark.parametrize("key", GAMES)
def test_every_action_is_one_of_the_games(key: str) -> None:
    assert set(played(key).actions) <= set(games.get(key).actions)


@pytest.mark.parametrize("key", GAMES)
def test_equal_observations_lead_to_equal_actions(key: str) -> None:
    before = played(key)
    agent = ScriptedAgent()
    agent.reset(5)
    assert tuple(agent.act(text, {}) for text in before.observations[:-1]) == before.actions


def test_one_agent_plays_one_game_after_the_other() -> None:
    agent = ScriptedAgent()
    play("full", 1, 60, agent)
    assert play("classic", 0, 60, agent).actions == played("classic").actions[:60]


@pytest.mark.parametrize("key", GAMES)
def test_the_remembered_place_is_the_place(key: str) -> None:
    """Against the position that the environment reveals on demand, which the agent does not read."""
    spec = games.get(key)
    env = CraftaxTextEnv(key, text_format="json", reveal=("position",))
    mind = Mind(Memory(perception.read(str(env.reset(seed=2)[0]))))
    start = spec.map_size[0] // 2
    for _ in range(count(3_000, 400)):
        action = "noop" if mind.view.is_idle else priorities.decide(mind)
        observation, _, terminated, _, _ = env.step(action)
        view = perception.read(str(observation))
        if terminated or view.floor:
            break
        mind.memory.observe(view, action)
        mind.refresh()
        row, column = divmod(mind.here, side_of(spec))
        middle = side_of(spec) // 2
        assert (row - middle + start, column - middle + start) == env.scene.position


def test_a_short_classic_episode_unlocks_more_than_a_dozen_achievements() -> None:
    reached = [len(play("classic", seed, 300).achievements) for seed in range(2)]
    assert min(reached) >= 12, reached


def test_it_makes_its_way_in_the_full_game() -> None:
    assert len(played("full").achievements) >= 12


def mean_score(key: str, cap: int | None) -> float:
    """The mean, over fresh seeds, of the share of what all achievements pay."""
    spec = games.get(key)
    pay = {achievement.key: achievement.reward for achievement in spec.achievements}
    scores = [sum(pay[name] for name in play(key, seed, cap).achievements) for seed in FRESH_SEEDS]
    return float(np.mean(scores)) / spec.total_reward


@pytest.mark.skipif(not IS_PROOF, reason="full counts only")
def test_the_log_score_of_short_classic_episodes_on_fresh_seeds() -> None:
    spec = games.get("classic")
    reached = [play("classic", seed, 300).achievements for seed in FRESH_SEEDS[:5]]
    rates = [sum(key in names for names in reached) / len(reached) for key in spec.achievement_keys]
    assert sum(math.log(1 + rate) for rate in rates) / (len(rates) * math.log(2)) >= 0.5


@pytest.mark.skipif(not IS_PROOF, reason="full counts only")
def test_full_length_classic_on_fresh_seeds() -> None:
    assert 22 * mean_score("classic", None) >= 18


@pytest.mark.skipif(not IS_PROOF, reason="full counts only")
def test_the_full_game_on_fresh_seeds() -> None:
    assert mean_score("full", 20_000) >= 0.12
