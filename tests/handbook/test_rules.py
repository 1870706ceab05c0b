"""Every rule of the manuals is played in the engine, and its text holds what the play found."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from craftax_text_gym.games import ALL
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook import Rule, rules_of
from tests.handbook.stage import PLAYS

for _topic in ("basics", "life", "work", "fights", "creatures", "light", "depths", "magic", "goals"):
    import_module(f"tests.handbook.plays_of_{_topic}")


def numbers(text: str) -> list[float]:
    """The numbers of a text, in their order."""
    return [
        float(digits.replace(",", "")) for digits in re.findall(r"\d[\d,]*(?:\.\d+)?", re.sub(r",(?!\d{3})", " ", text))
    ]


@pytest.mark.parametrize(
    ("spec", "rule"), [(spec, rule) for spec in ALL for rule in rules_of(spec)], ids=lambda value: value.key
)
def test_every_rule_is_what_the_engine_does(spec: GameSpec, rule: Rule) -> None:
    facts = list(PLAYS[spec.key][rule.key](spec))
    found = [number for fact in facts for number in (numbers(fact) if isinstance(fact, str) else [fact])]
    assert numbers(rule.text) == found
    assert [fact for fact in facts if isinstance(fact, str) and fact not in rule.text] == []


@pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.key)
def test_every_play_has_a_rule_of_its_own(spec: GameSpec) -> None:
    keys = [rule.key for rule in rules_of(spec)]
    assert len(set(keys)) == len(keys)
    assert set(PLAYS[spec.key]) == set(keys)
