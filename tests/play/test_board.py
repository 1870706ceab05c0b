from __future__ import annotations

import numpy as np
import pytest
from rich.color import Color
from rich.text import Text

from craftax_text_gym import games
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.play.board import PIXELS, SYMBOL_WIDTH, draw
from craftax_text_gym.rendering import frames
from craftax_text_gym.text import TextFormat
from craftax_text_gym.text.sections.map import Map
from tests.proof import count
from tests.worlds import GAMES, edited_states, scene_of

POSES = {"left": "◀", "right": "▶", "up": "▲", "down": "▼"}


def scenes(key: str) -> list[Scene]:
    return [scene_of(get_engine(key), state) for state in edited_states(key, count(200, 20), seed=3)]


def colours(drawing: Text) -> list[list[tuple[str, tuple[int, ...], tuple[int, ...]]]]:
    """Characters with ink and paper, line by line."""
    styles: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    for span in drawing.spans:
        assert not isinstance(span.style, str)
        ink, paper = (_rgb(colour) for colour in (span.style.color, span.style.bgcolor))
        styles |= dict.fromkeys(range(span.start, span.end), (ink, paper))
    lines, place = [], 0
    for line in drawing.plain.split("\n"):
        lines.append([(character, *styles[place + column]) for column, character in enumerate(line)])
        place += len(line) + 1
    return lines


def _rgb(colour: Color | None) -> tuple[int, ...]:
    assert colour is not None
    assert colour.triplet is not None
    return tuple(colour.triplet)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("pixels", PIXELS)
def test_the_picture_is_the_games_own_made_small(key: str, pixels: int) -> None:
    down, across = games.get(key).window
    for scene in scenes(key):
        lines = colours(draw(scene, across * pixels, down * pixels // 2))
        assert (len(lines), {len(line) for line in lines}) == (down * pixels // 2, {across * pixels})
        small = np.array([row for line in lines for row in ([ink for _, ink, _ in line], [low for *_, low in line])])
        whole = frames.render(scene)[: down * 16]
        mean = whole.reshape(down, 16, across, 16, 3).mean((1, 3))
        drawn = small.reshape(down, pixels, across, pixels, 3).mean((1, 3))
        drawn[down // 2, across // 2] = mean[down // 2, across // 2]  # the player's, which has a sign upon it
        np.testing.assert_allclose(drawn, mean, atol=1 if 16 % pixels == 0 else 12)
        signs = [character for line in lines for character, *_ in line if character != "▀"]
        assert signs == ["z" if scene.sleeping else POSES[scene.direction]]


@pytest.mark.parametrize("key", GAMES)
def test_without_room_every_tile_is_a_character_of_the_texts_map(key: str) -> None:
    spec = games.get(key)
    grid = Map(spec, TextFormat(map="grid"))
    for scene in scenes(key):
        lines = colours(draw(scene, 40, 12))
        assert {len(line) for line in lines} == {spec.window[1] * SYMBOL_WIDTH}
        symbols = ["".join(character for character, *_ in line)[1::SYMBOL_WIDTH] for line in lines]
        data = grid.data(Moment(scene, scene.action_mask))
        assert data is not None
        middle, centre = spec.window[0] // 2, spec.window[1] // 2
        pose = symbols[middle][centre]
        assert pose == ("z" if scene.sleeping else POSES[scene.direction])
        symbols[middle] = symbols[middle][:centre] + "@" + symbols[middle][centre + 1 :]
        assert tuple(symbols) == data["rows"]


def test_characters_stand_out_from_their_tiles() -> None:
    terrain = {block.symbol for block in games.FULL.blocks if block.terrain}
    for scene in scenes("full"):
        for line in colours(draw(scene, 500, 500, symbols_only=True)):
            for character, ink, paper in line:
                if character != " " and character not in terrain:
                    assert abs(sum(ink) - sum(paper)) > 300
