"""Numbers as people read them: cut, never rounded up, and never 0 above zero."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from craftax_text_gym.utils.words import difference, json_number, number, shortest

SINGLES = st.floats(0, 100, width=32)


@pytest.mark.parametrize(
    ("value", "words", "data"),
    [
        (9, "9", 9),
        (8.999, "8.99", 8.999),
        (0.999, "0.99", 0.999),
        (8.99999, "8.99", 8.9999),
        (0.004, "0.01", 0.004),
        (0.00001, "0.01", 0.0001),
        (8.9, "8.9", 8.9),
        (0, "0", 0),
    ],
)
def test_numbers_are_cut(value: float, words: str, data: float) -> None:
    single = float(np.float32(value))
    assert number(single) == words
    assert json_number(single) == data


@given(SINGLES)
def test_a_number_is_at_most_its_value_but_above_zero(value: float) -> None:
    for written, step in ((Decimal(number(value)), "0.01"), (Decimal(str(json_number(value))), "0.0001")):
        assert (written > 0) == (value > 0)
        assert shortest(value) - Decimal(step) < written <= max(shortest(value), Decimal(step) * (value > 0))


@given(st.integers(0, 10_000))
def test_hundredths_are_kept_as_single_precision_has_them(hundredths: int) -> None:
    assert Decimal(number(float(np.float32(hundredths / 100)))) == Decimal(hundredths) / 100


@given(SINGLES, SINGLES)
def test_a_difference_is_never_zero_unless_there_is_none(left: float, right: float) -> None:
    assert (Decimal(difference(left, right)) > 0) == (left != right)


@given(SINGLES)
def test_the_shortest_decimal_stands_for_the_value(value: float) -> None:
    assert np.float32(shortest(value)) == np.float32(value)
