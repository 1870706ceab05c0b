"""The three ways to set a grid hold the same tiles, and each says where they are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from craftax_text_gym import games
from craftax_text_gym.handbook import instructions
from craftax_text_gym.text import TextFormat
from tests.text.test_formats import write
from tests.worlds import GAMES, edited_states

MARKUPS = ("markdown", "xml", "plain", "json")


def rows_of(key: str, state: Any, grid: str, **fields: Any) -> list[str]:
    text_format = TextFormat(markup="json", sections=("map",), grid=grid, **fields)  # type: ignore[arg-type]
    return list(json.loads(write(key, state, text_format))["map"]["rows"])


@pytest.mark.parametrize("key", GAMES)
def test_spaced_and_labelled_grids_hold_the_dense_one(key: str) -> None:
    half_rows, half_columns = (size // 2 for size in games.get(key).window)
    for state in edited_states(key, 15, seed=2):
        dense, spaced, labelled = (rows_of(key, state, grid) for grid in ("dense", "spaced", "labelled"))
        assert [row[::2] for row in spaced] == dense
        assert {row[1::2] for row in spaced} == {" " * (2 * half_columns)}
        head, *lines = [line.split() for line in labelled]
        assert [int(label) for label in head] == list(range(-half_columns, half_columns + 1))
        assert [int(label) for label, *_ in lines] == list(range(-half_rows, half_rows + 1))
        assert ["".join(tiles) for _, *tiles in lines] == dense
        assert len({len(line) for line in labelled}) == 1


@pytest.mark.parametrize("markup", MARKUPS)
@pytest.mark.parametrize("key", GAMES)
def test_a_text_without_a_legend_is_the_text_with_one_less_its_lines(key: str, markup: str) -> None:
    state = next(edited_states(key, 1))
    whole, bare = (
        write(key, state, TextFormat(markup=markup, sections=("map",), legend=legend)) for legend in (True, False)
    )
    if markup == "json":
        assert json.loads(bare)["map"] == {"rows": json.loads(whole)["map"]["rows"]}
    else:
        assert len(whole.split("\n")) == len(bare.split("\n")) + 1
        assert "@ you" in whole
        assert "@ you" not in bare


@pytest.mark.parametrize("key", GAMES)
def test_instructions_follow_the_grid(key: str) -> None:
    told = {grid: instructions(key, {"grid": grid, "legend": False}) for grid in ("dense", "spaced", "labelled")}
    assert len(set(told.values())) == 3
    assert "offsets of columns and rows" in told["labelled"]
    assert all("@ you" in text for text in told.values()), "every symbol is explained there"
    assert not any("explained with it" in text for text in told.values())
    assert "explained with it" in instructions(key)


@pytest.mark.parametrize("field", [{"grid": "wide"}, {"legend": "no"}])
def test_what_cannot_be_is_refused(field: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=next(iter(field))):
        TextFormat(**field)
