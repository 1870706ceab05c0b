from __future__ import annotations

import pytest

from craftax_text_gym import scoring
from craftax_text_gym.wrappers import EpisodeScores
from tests.recording.stubs import RecordedEnv


def test_scores_are_told_at_the_end_of_each_episode() -> None:
    env = EpisodeScores(RecordedEnv(length=6))
    for episode in range(1, 4):
        env.reset(seed=episode)
        for step in range(1, 7):
            info = env.step(0)[4]
            assert ("episode_scores" in info) == (step == 6)
        assert info["episode_scores"] == {"episodes": episode, **scoring.scores(env.records)}
    assert info["episode_scores"]["achievement_count"] == 3
    assert info["episode_scores"]["reward_percent"] == pytest.approx(100 * 3 / 22)
    assert env.summary() == scoring.summary(env.records)
    assert [record.seed for record in env.records] == [1, 2, 3]


def test_an_episode_that_is_reset_early_counts_nowhere() -> None:
    env = EpisodeScores(RecordedEnv(length=6))
    env.reset(seed=1)
    env.step(0)
    env.reset(seed=2)
    with pytest.raises(ValueError, match="at least one episode"):
        env.summary()
    for _ in range(6):
        env.step(0)
    assert [record.seed for record in env.records] == [2]
