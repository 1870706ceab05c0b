from __future__ import annotations

from typing import Any

import pytest

from craftax_text_gym.agents import NoopAgent, recipe_of
from craftax_text_gym.evaluation import Leaderboard
from tests.evaluation.reports import EPISODES, record, report

WORSE = tuple(record(seed, {}, 0.0, 5, "death") for seed in range(4))


def test_the_best_comes_first_whatever_the_order() -> None:
    better, worse = report(), report(WORSE, agent=recipe_of(NoopAgent))
    boards = [Leaderboard((worse, better)), Leaderboard((better, worse))]
    assert [board.reports[0] for board in boards] == [better, better]
    assert [row[0] for row in boards[0].rows] == [better.agent, worse.agent]
    assert boards[0].rows == boards[1].rows


def test_markdown_has_a_row_and_a_command_a_run() -> None:
    board = Leaderboard((report(EPISODES[:3], protocol="craftaxlm"), report(WORSE, protocol="craftaxlm")))
    text = board.to_markdown()
    assert text.startswith("### Craftax-Classic, protocol craftaxlm\n\n| agent | log score (% of maximum) |")
    assert "3 of 4, seeds 0 to 3" in text
    assert text.count("craftax-text eval --game classic") == 2
    assert [row["score"]["value"] for row in board.to_json()][1] == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"max_steps": 60}, "max_steps 50 .* and 60"),
        ({"protocol": "craftaxlm"}, "protocol None .* and 'craftaxlm'"),
        ({"max_actions": 2}, "max_actions"),
        ({"env_options": {"env_params": {"always_diamond": True}}}, "env_params"),
    ],
)
def test_runs_under_other_rules_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Leaderboard((report(), report(**changes)))


def test_mixed_games_are_refused() -> None:
    other = report(game="full")
    with pytest.raises(ValueError, match="game 'classic' .* 'full' .*: make a table for each"):
        Leaderboard((report(), other))


def test_a_leaderboard_without_runs_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Leaderboard(())
