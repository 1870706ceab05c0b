"""English words for names and numbers."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from craftax_text_gym import games
from craftax_text_gym.utils import words

POSITIVE = st.floats(0.0, 99.0, width=32).filter(lambda value: value > 0)


@pytest.mark.parametrize(
    ("label", "expected"),
    [("iron pickaxe", "an iron pickaxe"), ("stone pickaxe", "a stone pickaxe"), ("orc mage", "an orc mage")],
)
def test_the_article_follows_the_first_letter(label: str, expected: str) -> None:
    assert words.with_article(label) == expected


@pytest.mark.parametrize("spec", games.ALL, ids=lambda spec: spec.key)
def test_every_noun_of_the_games_has_the_article_that_is_spoken(spec: games.GameSpec) -> None:
    labels = [*[mob.label for mob in spec.mobs], *[block.label for block in spec.blocks]]
    labels += [tier for tiers in spec.tools.values() for tier in tiers if tier]
    for label in labels:
        article, rest = words.with_article(label).split(" ", 1)
        assert rest == label
        assert article == ("an" if label.startswith(("a", "e", "i", "o", "u")) else "a")


@pytest.mark.parametrize(
    ("number", "field", "expected"),
    [(1, "torches", "1 torch"), (2, "ruby", "2 rubies"), (3, "wood", "3 wood"), (1, "books", "1 book")],
)
def test_inventory_fields_are_counted_as_a_player_would(number: int, field: str, expected: str) -> None:
    assert words.counted(number, field) == expected


def test_lists_and_plurals() -> None:
    assert words.listed(["a"]) == "a"
    assert words.listed(["a", "b", "c"]) == "a, b and c"
    assert words.listed(["a", "b"], last="or") == "a or b"
    assert words.priced({"wood": 1, "diamond": 3}) == "1 wood and 3 diamonds"
    assert [words.plural(name) for name in ("pigman", "zombie")] == ["pigmen", "zombies"]


@given(POSITIVE)
def test_a_number_is_cut_to_hundredths_and_never_nothing(value: float) -> None:
    exact = Decimal(np.format_float_positional(np.float32(value)))
    told = Decimal(words.number(value))
    assert told == max(exact.quantize(Decimal("0.01"), ROUND_DOWN), Decimal("0.01"))


@given(POSITIVE)
def test_json_numbers_are_cut_to_four_decimals(value: float) -> None:
    exact = Decimal(np.format_float_positional(np.float32(value)))
    told = Decimal(repr(words.json_number(value)))
    assert told == max(exact.quantize(Decimal("0.0001"), ROUND_DOWN), Decimal("0.0001"))
