from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import craftax_text_gym
from craftax_text_gym import games
from craftax_text_gym.agents import NoopAgent, RandomAgent
from craftax_text_gym.evaluation import EpisodeRecord, Report, play_episode

CLASSIC_ID = craftax_text_gym.games.CLASSIC.env_id


@pytest.fixture(scope="module")
def env() -> gym.Env[Any, Any]:
    return gym.make(CLASSIC_ID, max_episode_steps=400)


def test_a_record_says_what_was_played(env: gym.Env[Any, Any]) -> None:
    record = play_episode(env, RandomAgent(available_only=True), 3)
    rng, total, achieved = np.random.default_rng(3), 0.0, list[str]()
    _, info = env.reset(seed=3)
    for _ in range(record.length):
        assert not info["end_reason"]
        _, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        total += float(reward)
        achieved += info["new_achievements"]
    assert (record.terminated, record.truncated) == (terminated, truncated)
    assert record.end_reason == (info["end_reason"] or "step_cap")
    assert (record.total_reward, record.achievements) == (total, tuple(achieved))
    assert len(achieved) == info["achievements"].sum() > 0


def test_an_episode_follows_from_its_seed_alone(env: gym.Env[Any, Any]) -> None:
    agent = RandomAgent()
    records = [play_episode(env, agent, seed) for seed in (0, 1, 0)]
    assert records[0] == records[2] == play_episode(gym.make(CLASSIC_ID, max_episode_steps=400), RandomAgent(), 0)
    assert records[0] != records[1]


def test_a_step_cap_is_told_apart_from_a_death(env: gym.Env[Any, Any]) -> None:
    capped = play_episode(gym.make(CLASSIC_ID, max_episode_steps=5), NoopAgent(), 0)
    assert (capped.length, capped.terminated, capped.truncated, capped.end_reason) == (5, False, True, "step_cap")
    death = next(
        record
        for record in (play_episode(env, RandomAgent(), seed) for seed in range(20))
        if record.end_reason != "step_cap"
    )
    assert (death.terminated, death.truncated, death.end_reason) == (True, False, "death")


def record(achievements: tuple[str, ...], total_reward: float, length: int, end_reason: str = "death") -> EpisodeRecord:
    return EpisodeRecord(
        0, length, total_reward, achievements, end_reason == "death", end_reason != "death", end_reason
    )


def test_a_report_averages_its_episodes() -> None:
    report = Report(
        games.CLASSIC,
        (
            record(("collect_wood", "eat_cow"), 2.0, 10),
            record(("collect_wood",), 0.5, 30, "step_cap"),
            record((), -0.5, 20),
            record(("wake_up",), 1.0, 40),
        ),
    )
    assert (report.mean_return, report.mean_length, report.mean_achievements) == (0.75, 25.0, 1.0)
    rates = report.success_rates
    assert tuple(rates) == games.CLASSIC.achievement_keys
    assert {key: rate for key, rate in rates.items() if rate} == {"collect_wood": 0.5, "eat_cow": 0.25, "wake_up": 0.25}
    assert report.end_reasons == {"death": 3, "step_cap": 1}


def test_a_report_without_episodes_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one episode"):
        Report(games.CLASSIC, ())
