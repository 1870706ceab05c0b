"""The characters of the map: what can be in view together is told apart by more than case."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.text.symbols import symbols
from tests import proof
from tests.worlds import GAMES

ALWAYS = frozenset({"you", "projectile", "your projectile", "darkness", "out of bounds"})
"""What no floor lacks, beside what the player may place."""


@lru_cache
def blocks_of_worlds(key: str) -> list[frozenset[str]]:
    """By floor, the labels of the blocks that worlds hold there."""
    engine = get_engine(key)
    spec, params = engine.spec, engine.params({})
    found = [set[int]() for _ in spec.floors]
    for seed in range(proof.count(500, 30)):
        grid = np.asarray(engine.to_state(engine.reset(seed, params)[0]).map).reshape(len(spec.floors), -1)
        for blocks, floor in zip(found, grid, strict=True):
            blocks.update(np.unique(floor).tolist())
    return [frozenset(spec.blocks[number].label for number in blocks) for blocks in found]


def kinds_of_floor(spec: GameSpec, number: int) -> frozenset[str]:
    """The labels of all that can be in view together on a floor."""
    blocks = blocks_of_worlds(spec.key)[number]
    labels = {block.name: block.label for block in spec.blocks}
    placed = {
        placement.becomes.replace("_", " ")
        for placement in spec.placements
        if blocks & {labels[name] for name in placement.onto}
    }
    grown = {"ripe plant"} if number == 0 else {"vulnerable necromancer"} & {block.label for block in spec.blocks}
    left = {harvest.leaves.replace("_", " ") for harvest in spec.harvests}
    items = {item.label for item in spec.items[1:]}
    return ALWAYS | blocks | set(spec.floors[number].mobs) | placed | grown | left | items


@pytest.mark.parametrize("key", GAMES)
def test_kinds_that_can_be_in_view_together_differ_by_more_than_case(key: str) -> None:
    spec = games.get(key)
    by_label = {words: symbol for symbol, words in symbols(spec).items()}
    for number, floor in enumerate(spec.floors):
        used = Counter(by_label[label].casefold() for label in kinds_of_floor(spec, number) if label in by_label)
        assert not [symbol for symbol, count in used.items() if count > 1], floor.label


@pytest.mark.parametrize("key", GAMES)
def test_a_floors_kinds_all_have_a_symbol(key: str) -> None:
    spec = games.get(key)
    known = set(symbols(spec).values())
    for number in range(len(spec.floors)):
        missing = kinds_of_floor(spec, number) - known
        assert missing <= {"vulnerable necromancer"}, missing


@pytest.mark.parametrize("key", GAMES)
def test_no_symbol_is_a_digit_or_breaks_a_legend(key: str) -> None:
    assert not [symbol for symbol in symbols(games.get(key)) if symbol.isdigit() or symbol in '`,"\\ ']
