"""What is said of steps: made, refused at once, or refused by what cannot be seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from craftax_text_gym.engine.core import Engine, get_engine
from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from tests.availability.arena import arena, set_block
from tests.availability.stepping import darken, face, meadow, take, with_shot
from tests.worlds import GAMES, floor_of


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("direction", DIRECTIONS[1:])
def test_moving_turning_and_bumping(key: str, direction: str) -> None:
    engine, state = meadow(key)
    assert take(engine, state, direction).told == [f"Moved {direction}."]
    set_block(engine.spec, state, OFFSETS[DIRECTIONS.index(direction)], "stone")
    facing = state.replace(player_direction=np.int32(DIRECTIONS.index(direction)))
    assert take(engine, facing, direction).told == [f"{direction} did nothing: stone is in the way."]
    away = state.replace(player_direction=np.int32(DIRECTIONS.index(direction) % 4 + 1))
    assert take(engine, away, direction).told == [f"Turned {direction}: stone is in the way."]


def at_the_edge(key: str, direction: str, facing: str) -> tuple[Engine, Any]:
    """In row or column 0, or the last, on open ground."""
    engine = get_engine(key)
    last = engine.spec.map_size[0] - 1
    places = {"up": (0, 20), "left": (20, 0), "down": (last, 20), "right": (20, last)}
    state = arena(key, player_position=places[direction], direction=facing)
    state.map[floor_of(engine.spec, state)][...] = engine.spec.block_index["path"]
    return engine, state


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("direction", DIRECTIONS[1:])
def test_at_the_edge_of_the_world_the_way_is_blocked(key: str, direction: str) -> None:
    engine, state = at_the_edge(key, direction, direction)
    told = take(engine, state, direction).told
    assert told[0].startswith(f"{direction} did nothing: ")
    assert told[0].endswith(" is in the way.")
    other = "down" if direction != "down" else "left"
    told = take(engine, at_the_edge(key, direction, other)[1], direction).told
    assert told[0].startswith(f"Turned {direction}: ")


@pytest.mark.parametrize("direction", ["up", "left"])
def test_walking_off_the_edge_of_classic_onto_lava_is_told(direction: str) -> None:
    engine, state = at_the_edge("classic", direction, direction)
    row, column = state.player_position
    state.map[(-1, column) if direction == "up" else (row, -1)] = engine.spec.block_index["lava"]
    told = take(engine, state, direction).told
    assert told[0] == f"Moved {direction}."
    assert told[-1] == "You died."


def test_lava_kills_in_classic_and_blocks_in_the_full_game() -> None:
    engine, state = meadow("classic")
    face(engine, state, "lava")
    assert take(engine, state, "up").told[-1] == "You died."
    engine, state = meadow("full")
    face(engine, state, "lava")
    assert take(engine, state, "up").told == ["up did nothing: lava is in the way."]


def test_in_the_dark_the_view_tells_whether_one_has_moved() -> None:
    engine, state = meadow("full")
    darken(state)
    face(engine, state, "stone")
    text = take(engine, state, "up").text
    assert text == "Faced up; what lies there cannot be seen, nor whether you moved."
    row, column = state.player_position
    state.light_map[0][row + 2, column] = 1.0
    assert take(engine, state, "up").text == "up did nothing: something unseen is in the way."
    turning = state.replace(player_direction=np.int32(1))
    assert take(engine, turning, "up").text == "Turned up: something unseen is in the way."
    face(engine, state, "grass")
    assert take(engine, state, "up").text == "Moved up."


def test_a_table_that_is_shot_away_is_no_sign_of_having_moved() -> None:
    """All in view is path, but for a table in the row that would leave the view."""
    engine = get_engine("full")
    state = arena("full", direction="up", faced="stone")
    state.map[0][...] = engine.spec.block_index["path"]
    state.light_map[0][...] = 1
    face(engine, state, "stone")
    darken(state, (-1, 0))
    state.light_map[0][:, state.player_position[1]][: state.player_position[0]] = 0
    state.light_map[0][state.player_position[0] :, state.player_position[1]] = 0
    set_block(engine.spec, state, (4, 1), "crafting_table")
    with_shot(state, "mob", (4, 2), (0, -1))
    step = take(engine, state, "up")
    assert step.after.player_position.tolist() == state.player_position.tolist()
    assert step.seen.blocks.tolist() != step.earlier.blocks.tolist()
    assert step.text == "Faced up; what lies there cannot be seen, nor whether you moved."
