from __future__ import annotations

import math
from collections.abc import Callable
from statistics import fmean, pstdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from craftax_text_gym import games, scoring
from craftax_text_gym.games import CLASSIC, FULL, GameSpec
from craftax_text_gym.scoring import Unlocks
from craftax_text_gym.scoring.episode import EpisodeRecord

SCORES: tuple[Callable[[Any], Any], ...] = (scoring.success_rates, scoring.health_reward, *scoring.SCORES.values())

# For each of five people, how many of 20 episodes unlocked what, by the achievements' names in alphabetical order:
# counted from scores/crafter_reward-human.json of https://github.com/danijar/crafter, whose README gives 50.5±6.8.
HUMANS = (
    (18, 1, 17, 12, 11, 20, 20, 5, 14, 18, 0, 4, 2, 16, 15, 20, 6, 4, 2, 19, 20, 14),
    (17, 1, 19, 9, 17, 20, 20, 7, 17, 19, 1, 4, 4, 14, 14, 20, 10, 5, 4, 16, 20, 11),
    (18, 3, 18, 11, 12, 20, 20, 7, 15, 17, 3, 6, 6, 18, 18, 20, 8, 8, 8, 19, 20, 17),
    (16, 4, 19, 10, 14, 20, 20, 3, 20, 17, 2, 8, 6, 15, 16, 20, 11, 9, 7, 19, 20, 16),
    (17, 3, 19, 11, 13, 20, 20, 9, 18, 18, 2, 4, 4, 15, 15, 20, 10, 6, 3, 17, 20, 15),
)

# The same of scores/crafter_noreward-random.json, within the first million steps of the first run; README: 1.6±0.0.
RANDOM_EPISODES = 5969
RANDOM = (0, 0, 549, 0, 3001, 1, 1505, 0, 5, 25, 0, 0, 0, 0, 0, 18, 20, 0, 2657, 0, 253, 5570)


def record(*keys: str, game: str = "classic", **fields: Any) -> EpisodeRecord:
    steps = {key: step for step, key in enumerate(keys, 1)}
    defaults = {
        "seed": 0,
        "length": 10,
        "total_reward": float(len(keys)),
        "reward_achievements": float(len(keys)),
        "reward_health": 0.0,
        "achievements": steps,
        "terminated": True,
        "truncated": False,
        "end_reason": "death",
        "decisions": 10,
    }
    return EpisodeRecord(game=game, **{**defaults, **fields})


def counted(counts: tuple[int, ...], num_episodes: int) -> list[EpisodeRecord]:
    """Episodes of which `counts` unlocked each achievement, by name in alphabetical order."""
    keys = sorted(CLASSIC.achievement_keys)
    return [
        record(*(key for key, count in zip(keys, counts, strict=True) if index < count))
        for index in range(num_episodes)
    ]


@st.composite
def episodes(draw: st.DrawFn) -> list[EpisodeRecord]:
    game = draw(st.sampled_from(games.ALL))
    subsets = st.lists(st.sampled_from(game.achievement_keys), unique=True, max_size=30)
    return [record(*keys, game=game.key) for keys in draw(st.lists(subsets, min_size=1, max_size=8))]


def oracle(records: list[EpisodeRecord]) -> dict[str, Any]:
    """Each score by plain arithmetic, in other terms than the module's."""
    game = games.get(records[0].game)
    count = {key: sum(key in entry.achievements for entry in records) for key in game.achievement_keys}
    n, product_of_rates, product_of_percents = len(records), 1.0, 1.0
    for unlocks in count.values():
        product_of_rates *= 1 + unlocks / n
        product_of_percents *= (1 + 100 * unlocks / n) ** (1 / len(count))
    worth = {achievement.key: achievement.reward for achievement in game.achievements}
    paid = [sum(worth[key] for key in entry.achievements) for entry in records]
    return {
        "success_rates": {key: unlocks / n for key, unlocks in count.items()},
        "log_score": math.log2(product_of_rates) / len(count),
        "log_score_percent": 100 * math.log2(product_of_rates) / len(count),
        "crafter_score": product_of_percents - 1,
        "reward_percent": 100 * fmean(paid) / {"classic": 22, "full": 226}[game.key],
        "achievement_count": fmean(len(entry.achievements) for entry in records),
        "achievement_union": len({key for entry in records for key in entry.achievements}),
    }


@given(episodes())
def test_scores_equal_an_independent_calculation(records: list[EpisodeRecord]) -> None:
    for name, expected in oracle(records).items():
        value = getattr(scoring, name)(records)
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert type(value) is type(expected)


def test_crafter_score_of_people_is_the_published_one() -> None:
    scores = [scoring.crafter_score(counted(counts, 20)) for counts in HUMANS]
    assert f"{fmean(scores):.1f}±{pstdev(scores):.1f}" == "50.5±6.8"


def test_crafter_score_of_random_play_is_the_published_one() -> None:
    flags = np.arange(RANDOM_EPISODES)[:, None] < np.array(RANDOM)
    order = [sorted(CLASSIC.achievement_keys).index(key) for key in CLASSIC.achievement_keys]
    score = scoring.crafter_score(Unlocks(CLASSIC, flags[:, order]))
    assert score == pytest.approx(1.544, abs=5e-4)
    assert abs(score - 1.6) < 0.1


def test_crafter_score_of_half_the_achievements() -> None:
    keys = CLASSIC.achievement_keys
    assert scoring.crafter_score([record(*keys[:11])]) == pytest.approx(math.sqrt(101) - 1)
    assert scoring.crafter_score([record(*keys[:11])]) == pytest.approx(9.0499, abs=5e-5)
    assert scoring.crafter_score([record(*keys[:11]), record(*keys[11:])]) == pytest.approx(50.0)


def test_log_score_by_the_leaderboards_own_formula() -> None:
    runs = counted(HUMANS[0], 20)
    achievements = {key: sum(key in run.achievements for run in runs) / 20 for key in CLASSIC.achievement_keys}
    published = sum(math.log(1 + p) for p in achievements.values()) / (math.log(2) * len(achievements))
    assert scoring.log_score(runs) == pytest.approx(published)
    assert scoring.log_score([record(*CLASSIC.achievement_keys[:11])]) == pytest.approx(0.5)
    assert scoring.log_score_percent([record(*CLASSIC.achievement_keys)]) == pytest.approx(100.0)


@pytest.mark.parametrize("game", games.ALL, ids=lambda game: game.key)
def test_the_extremes(game: GameSpec) -> None:
    none, every = [record(game=game.key)], [record(*game.achievement_keys, game=game.key)]
    for score in scoring.SCORES.values():
        assert score(none) == 0
    for score in (scoring.log_score_percent, scoring.crafter_score, scoring.reward_percent):
        assert score(every) == pytest.approx(100.0)
    assert scoring.achievement_count(every) == scoring.achievement_union(every) == len(game.achievements)


def test_reward_percent_weighs_the_full_games_rewards_and_leaves_health_out() -> None:
    runs = [record("defeat_necromancer", game="full", reward_health=-0.9), record(game="full", reward_health=0.1)]
    assert scoring.reward_percent(runs) == pytest.approx(100 * 8 / 2 / 226)
    assert scoring.health_reward(runs) == pytest.approx(-0.4)


def test_the_union_and_the_mean_count_are_kept_apart() -> None:
    runs = [record("collect_wood", "wake_up"), record("collect_wood"), record("eat_cow")]
    assert scoring.achievement_count(runs) == pytest.approx(4 / 3)
    assert scoring.achievement_union(runs) == 3


def test_the_interval_is_seeded_holds_the_score_and_narrows() -> None:
    runs = counted(HUMANS[0], 20)
    for score in (scoring.log_score, scoring.crafter_score, scoring.reward_percent, scoring.achievement_count):
        low, high = scoring.confidence_interval(score, runs, resamples=200)
        assert low < score(runs) < high
        assert (low, high) == scoring.confidence_interval(score, scoring.to_unlocks(runs), resamples=200)
        assert (low, high) != scoring.confidence_interval(score, runs, resamples=200, seed=1)
        wide = scoring.confidence_interval(score, runs, resamples=200, level=0.99)
        assert wide[0] <= low < high <= wide[1]


def test_the_interval_agrees_with_theory_where_theory_is_exact() -> None:
    runs = [record("collect_wood")] * 300 + [record()] * 700
    low, high = scoring.confidence_interval(scoring.achievement_count, scoring.to_unlocks(runs), resamples=4_000)
    half = 1.96 * math.sqrt(0.3 * 0.7 / 1_000)
    assert (low, high) == pytest.approx((0.3 - half, 0.3 + half), abs=0.004)


def test_the_interval_of_one_episode_is_a_point() -> None:
    assert scoring.confidence_interval(scoring.achievement_count, [record("eat_cow")], resamples=5) == (1, 1)


def test_the_interval_takes_functions_of_records_too() -> None:
    runs = [record(reward_health=-0.5), record(reward_health=0.5)]
    assert scoring.confidence_interval(scoring.health_reward, runs, resamples=100) == (-0.5, 0.5)


def test_the_summary_has_every_score_in_json() -> None:
    import json

    runs = [record("eat_cow", "wake_up"), record("eat_cow", reward_health=0.4)]
    summary = scoring.summary(runs)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    for name, score in scoring.SCORES.items():
        assert summary[name] == score(runs)
    assert summary["health_reward"] == pytest.approx(0.2)
    assert set(summary["intervals"]) == set(scoring.SCORES) - {"achievement_union"}
    assert summary["intervals"]["achievement_count"] == [1, 2]
    assert scoring.summary(iter(runs)) == summary


@pytest.mark.parametrize("score", SCORES)
def test_bad_records_are_refused(score: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="at least one episode"):
        score([])
    with pytest.raises(ValueError, match="one game, got classic and full"):
        score([record(), record(game="full")])
    with pytest.raises(TypeError, match="Expected EpisodeRecords, got {'eat_cow': True} of type dict"):
        score([{"eat_cow": True}])
    with pytest.raises(TypeError, match="Expected EpisodeRecords"):
        score(3)


@pytest.mark.parametrize("score", scoring.SCORES.values())
def test_bad_achievements_are_refused(score: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="closest choices: collect_wood"):
        score([record("colect_wood")])
    with pytest.raises(ValueError, match="Unknown achievement of Craftax-Classic 'enter_dungeon'"):
        score([record("enter_dungeon")])
    for step in (math.nan, True, None, 2.0):
        with pytest.raises(TypeError, match="the step at which 'eat_cow' was unlocked as an int"):
            score([record(achievements={"eat_cow": step})])
    with pytest.raises(ValueError, match="Unknown game 'chess'"):
        score([record(game="chess")])


@pytest.mark.parametrize("reward", [math.nan, math.inf])
def test_rewards_that_are_no_numbers_are_refused(reward: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        scoring.health_reward([record(reward_health=reward)])


def test_arrays_that_are_no_flags_are_refused() -> None:
    for flags in (np.ones((2, 22), int), np.full((2, 22), np.nan), [[True] * 22]):
        with pytest.raises(TypeError, match="counts > 0"):
            Unlocks(CLASSIC, flags)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"\[episodes, 67\], got \[2, 22\]"):
        Unlocks(FULL, np.ones((2, 22), bool))
    with pytest.raises(ValueError, match=r"\[episodes, 22\], got \[22\]"):
        Unlocks(CLASSIC, np.ones(22, bool))
    with pytest.raises(ValueError, match="at least one episode"):
        Unlocks(CLASSIC, np.ones((0, 22), bool))


def test_the_interval_refuses_what_makes_no_interval() -> None:
    for level in (0, 1, 95, math.nan):
        with pytest.raises(ValueError, match="between 0 and 1"):
            scoring.confidence_interval(scoring.log_score, [record()], level=level)
    with pytest.raises(ValueError, match="at least one resample"):
        scoring.confidence_interval(scoring.log_score, [record()], resamples=0)


def test_the_order_of_the_records_changes_nothing() -> None:
    runs = [
        record(*keys, seed=seed, reward_health=0.1 * seed)
        for seed, keys in enumerate([("collect_wood",), (), ("collect_wood", "place_table"), ("eat_cow",)])
    ]
    assert scoring.summary(runs[::-1]) == scoring.summary(runs)
