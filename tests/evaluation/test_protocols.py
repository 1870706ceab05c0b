from __future__ import annotations

import shlex

import pytest
from typer.testing import CliRunner

from craftax_text_gym import games, scoring
from craftax_text_gym.cli import app
from craftax_text_gym.evaluation import PROTOCOLS, protocols
from craftax_text_gym.evaluation.run_settings import command_of
from craftax_text_gym.evaluation.runner import make_settings
from craftax_text_gym.evaluation.tables import LABELS


def test_the_protocols_are_those_that_were_published() -> None:
    rules = {
        name: (rule.episodes, rule.max_steps, rule.max_decisions, rule.max_actions, rule.score)
        for name, rule in PROTOCOLS.items()
    }
    assert rules == {
        "craftaxlm": (5, 300, None, None, "log_score_percent"),
        "craftaxlm-2025": (10, None, 30, 5, "log_score_percent"),
        "balrog": (10, 2_000, None, 1, "progress_percent"),
        "craftax": (20, None, None, None, "reward_percent"),
    }
    for name, rule in PROTOCOLS.items():
        assert rule.name == name
        assert rule.score in scoring.SCORES
        assert rule.score in LABELS
        assert len(rule.seeds) == rule.episodes


def test_an_unknown_protocol_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="balrog"):
        protocols.get("balorg")


@pytest.mark.parametrize("game", [spec.key for spec in games.ALL])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_protocol_decides_the_settings(game: str, protocol: str) -> None:
    settings, rule = make_settings("noop", game, protocol=protocol), PROTOCOLS[protocol]
    assert settings.seeds == rule.seeds
    assert settings.max_steps == (rule.max_steps or games.get(game).max_steps)
    assert (settings.max_decisions, settings.max_actions) == (rule.max_decisions, rule.max_actions or 1)


@pytest.mark.parametrize(
    "words",
    [
        "--game classic --agent noop --protocol balrog",
        "--game classic --agent random --agent-option available_only=True --episodes 3 --seed 7 --max-steps 9",
        "--game classic --agent noop --episodes 2 --seed 1 --max-steps 4 --max-decisions 3 --max-actions 2",
        "--game classic --agent noop --episodes 1 --seed 0 --max-steps 2 --text-format xml --reveal kills,position",
    ],
)
def test_the_recorded_command_makes_the_same_run(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def remember(settings: object, *_: object, **__: object) -> None:
        made.append(settings)
        raise KeyboardInterrupt

    monkeypatch.setattr("craftax_text_gym.cli.evaluate.run", remember)
    CliRunner().invoke(app, ["eval", *shlex.split(words)])
    command = command_of(made[0])  # type: ignore[arg-type]
    assert command == f"craftax-text eval {words}"
    CliRunner().invoke(app, shlex.split(command)[1:])
    assert made[0] == made[1]
