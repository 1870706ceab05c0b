"""What a good player sees on the way down reads back as the state, in every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.agents.scripted import ScriptedAgent
from tests import proof
from tests.text.test_wholeness import assert_whole
from tests.worlds import GAMES, to_numpy

MAX_STEPS = 1_000
NUM_FLOORS = 5
"""Those on which an episode of the full game begins, in turn."""


def scripted_states(key: str, every: int) -> Iterator[Any]:
    """States of scripted play, episode after episode."""
    env = gym.make(games.get(key).env_id, text_format="json", max_episode_steps=MAX_STEPS)
    agent, seed, step = ScriptedAgent(), 0, 0
    while True:
        agent.reset(seed)
        observation, info = env.reset(seed=seed)
        if key == "full" and (floor := seed % NUM_FLOORS):
            game: Any = env.unwrapped
            ladders = game.state.up_ladders
            game.state = game.state.replace(player_level=np.int32(floor), player_position=ladders[floor])
            observation, _, _, _, info = env.step("noop")
        over = False
        while not over:
            observation, _, terminated, truncated, info = env.step(agent.act(observation, info))
            over, step = terminated or truncated, step + 1
            if step % every == 0:
                yield to_numpy(env.unwrapped.state)  # type: ignore[attr-defined]
        seed += 1


@pytest.mark.parametrize("key", GAMES)
def test_scripted_play_reads_back_as_the_states(key: str) -> None:
    floors = Counter[int]()
    states = scripted_states(key, every=proof.count(2, 40))
    for _ in range(proof.count(10_000, 60)):
        state = next(states)
        assert_whole(key, state)
        floors[int(state.player_level) if key == "full" else 0] += 1
    assert floors[0]
    if key == "full" and proof.IS_PROOF:
        assert all(floors[floor] for floor in range(NUM_FLOORS)), floors
