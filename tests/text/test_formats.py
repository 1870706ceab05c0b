"""What a text format takes, refuses and does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import REVEALABLE
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.spaces import ObservationText
from craftax_text_gym.text import PRESETS, Body, Moment, Section, TextFormat, WordMarkup, json_schema, resolve
from craftax_text_gym.text.symbols import symbols
from craftax_text_gym.text.writer import get_writer
from tests import proof
from tests.worlds import GAMES, edited_states, played_states, scene_of, to_numpy


def moment(scene: Scene, before: Scene | None = None, action: int | None = None) -> Moment:
    return Moment(scene, np.ones(len(scene.spec.actions), np.int8), before, action)


def write(key: str, state: Any, text_format: TextFormat) -> str:
    return get_writer(games.get(key), text_format).write(moment(scene_of(get_engine(key), state)))


class Weather(Section):
    """A user's own section."""

    title = "Weather"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._title, self._terse = spec.title, text_format.terse

    def body(self, moment: Moment) -> Body:  # noqa: ARG002
        return Body([f"fine in {self._title}"])

    def data(self, moment: Moment) -> str:  # noqa: ARG002
        return f"fine in {self._title}"


class Shout(WordMarkup):
    """A user's own markup."""

    structured = False

    def __init__(self, titles: Mapping[str, str]) -> None:
        self._titles = titles

    def write(self, bodies: Mapping[str, Body]) -> str:
        return "\n".join(f"{self._titles[name]}: {body.lines[0]}".upper() for name, body in bodies.items())


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_survives_json_and_has_a_digest_of_its_own(name: str) -> None:
    preset = PRESETS[name]
    assert resolve(json.loads(json.dumps(preset.to_json()))) == preset
    assert resolve(preset) is preset
    assert resolve(name) is preset
    assert [other for other in PRESETS if PRESETS[other].digest == preset.digest] == [name]
    assert len(preset.digest) == 12


@pytest.mark.parametrize(
    ("text_format", "error", "words"),
    [
        ("markdwon", ValueError, "markdown"),
        (7, TypeError, "preset's name"),
        ({"sectoins": ["map"]}, ValueError, "sections"),
        ({"sections": "map"}, TypeError, "sequence"),
        ({"sections": ["mop"]}, ValueError, "map"),
        ({"sections": []}, ValueError, "at least one"),
        ({"sections": ["map", "map"]}, ValueError, "twice"),
        ({"sections": [3]}, TypeError, "section"),
        ({"markup": "html"}, ValueError, "xml"),
        ({"map": "gird"}, ValueError, "grid"),
        ({"directions": "north-south"}, ValueError, "north"),
        ({"radius": 0}, ValueError, "at least 1"),
        ({"radius": True}, TypeError, "radius"),
        ({"radius": 1.5}, TypeError, "radius"),
        ({"absent": "yes"}, TypeError, "absent"),
        ({"terse": 1}, TypeError, "terse"),
    ],
)
def test_a_wrong_format_is_refused_with_the_cure(text_format: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        resolve(text_format)


@pytest.mark.parametrize("name", ["no.such.module:Name", "json:no_such_name"])
def test_a_section_that_cannot_be_loaded_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be loaded"):
        get_writer(games.FULL, TextFormat(sections=(name,)))


@pytest.mark.parametrize("key", GAMES)
def test_a_users_own_section_and_markup_are_used(key: str) -> None:
    state = played_states(key)[0]
    own = TextFormat(sections=("status", f"{__name__}:Weather"))
    assert write(key, state, own).endswith(f"## Weather\nfine in {games.get(key).title}")
    shouted = write(key, state, TextFormat(sections=("inventory",), markup=f"{__name__}:Shout"))
    assert shouted == "INVENTORY: NOTHING"
    data = json.loads(write(key, state, TextFormat(sections=(f"{__name__}:Weather",), markup="json")))
    assert data == {f"{__name__}:Weather": f"fine in {games.get(key).title}"}


@pytest.mark.parametrize("key", GAMES)
def test_every_symbol_means_one_thing_and_is_printable(key: str) -> None:
    spec = games.get(key)
    all_words = [*spec.mobs, *spec.items[1:], *spec.blocks]
    assert len(symbols(spec)) == len(all_words) + 4
    assert all(len(symbol) == 1 and 32 < ord(symbol) < 127 and symbol not in "`," for symbol in symbols(spec))


@pytest.mark.parametrize("key", GAMES)
def test_json_observations_meet_their_schema(key: str) -> None:
    schema = json_schema(key)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    engine, everything = get_engine(key), 2 ** len(REVEALABLE) - 1
    writer = get_writer(engine.spec, PRESETS["json"])
    for number, state in enumerate(edited_states(key, proof.count(2000, 60), seed=3)):
        scene = scene_of(engine, state, everything * (number % 2))
        validator.validate(json.loads(writer.write(moment(scene))))
    broken = json.loads(writer.write(moment(scene)))
    broken["status"]["facing"] = "north"
    assert not validator.is_valid(broken)


DATA_FORMATS = [
    TextFormat(markup="json", sections=("map", "nearby"), grid="labelled", legend=False),
    TextFormat(markup="json", sections=("map", "nearby"), grid="spaced", map="grid"),
    TextFormat(markup="json", sections=("map", "nearby"), map="list", radius=2),
    TextFormat(markup="json", sections=("map", "balrog"), map="none", directions="north", terse=True),
]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("text_format", DATA_FORMATS, ids=lambda text_format: text_format.digest)
def test_the_schema_follows_the_format(key: str, text_format: TextFormat) -> None:
    schema = json_schema(key, text_format)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    writer = get_writer(games.get(key), text_format)
    for state in edited_states(key, 20, seed=6):
        text = writer.write(moment(scene_of(get_engine(key), state)))
        validator.validate(json.loads(text))
        assert not validator.is_valid({**json.loads(text), "map": {"rows": ["@"]}})
        assert validator.is_valid({**json.loads(text), "notes": ["Steps left in this episode: 3."]})
        assert not validator.is_valid({**json.loads(text), "notes": "Steps left in this episode: 3."})


def test_a_users_own_section_may_be_anything_and_words_have_no_schema() -> None:
    own = f"{__name__}:Weather"
    schema = json_schema("classic", TextFormat(markup="json", sections=("actions", own)))
    assert schema["properties"][own] == {}
    assert schema["required"] == ["actions", own]
    with pytest.raises(ValueError, match="markup='xml'"):
        json_schema("classic", "xml")


@pytest.mark.parametrize("key", GAMES)
def test_xml_observations_are_well_formed_and_whole(key: str) -> None:
    sections = ("feedback", "status", "inventory", "nearby", "map", "achievements", "actions")
    for state in edited_states(key, 40, seed=4):
        root = ElementTree.fromstring(write(key, state, TextFormat(markup="xml", sections=sections)))
        plain = write(key, state, TextFormat(markup="plain", sections=sections))
        for element in root:
            assert (element.text or "").strip("\n") in plain


@pytest.mark.parametrize("key", GAMES)
def test_every_text_is_in_the_observation_space(key: str) -> None:
    space = ObservationText()
    engine, everything = get_engine(key), 2 ** len(REVEALABLE) - 1
    formats = [*PRESETS.values(), TextFormat(map="list", directions="north", absent=True)]
    longest = 0
    for state in edited_states(key, proof.count(2000, 60), seed=5):
        for text_format in formats:
            scene = scene_of(engine, state, everything)
            text = get_writer(engine.spec, text_format).write(moment(scene, scene, 0))
            assert text in space
            longest = max(longest, len(text))
    assert 1000 < longest < space.max_length / 1.5


@pytest.mark.parametrize("key", GAMES)
def test_a_radius_lists_what_is_near_and_says_so(key: str) -> None:
    state = to_numpy(played_states(key)[0])
    spec = games.get(key)
    row, column = state.player_position
    floor = 0 if key == "full" else ...
    state.map[floor][row - 1, column + 2] = spec.block_index["diamond"]
    state.map[floor][row - 1, column + 3] = spec.block_index["iron"]
    whole = write(key, state, TextFormat(sections=("nearby",), map="list"))
    near = write(key, state, TextFormat(sections=("nearby",), map="list", radius=2))
    assert "diamond: 1 up 2 right" in near
    assert "iron: 1 up 3 right" in whole
    assert "iron" not in near
    assert "farther than 2 is not listed" in near
    assert (
        write(key, state, TextFormat(sections=("nearby",), map="list", radius=99)).replace(
            "\nfarther than 99 is not listed", ""
        )
        == whole
    )


@pytest.mark.parametrize("key", GAMES)
def test_no_map_shows_creatures_but_no_tiles(key: str) -> None:
    state = played_states(key)[0]
    text = write(key, state, TextFormat(map="none"))
    assert "## Map" not in text
    assert "nearest terrain" not in text
    assert "underfoot: grass" in text


@pytest.mark.parametrize("key", GAMES)
def test_absent_inventory_is_shown_on_request(key: str) -> None:
    text = write(key, played_states(key)[0], TextFormat(sections=("inventory",), absent=True))
    for name in games.get(key).materials:
        label = name.replace("_", " ")
        assert f"{label} 0" in text or f"no {label}" in text
    if key == "full":
        assert "armour: no helmet, no chestplate, no leggings, no boots" in text
        assert "potions: red 0, green 0" in text


def test_a_text_with_nothing_to_tell_is_not_empty() -> None:
    assert write("full", played_states("full")[0], TextFormat(sections=("feedback",))) == "nothing to tell"


@pytest.mark.parametrize("key", GAMES)
def test_achievements_are_counted_and_named(key: str) -> None:
    state = to_numpy(played_states(key)[0])
    total = len(games.get(key).achievements)
    text_format = TextFormat(sections=("achievements",))
    assert write(key, state, text_format) == f"## Achievements\n0 of {total}"
    state.achievements[[1, 3]] = True
    assert write(key, state, text_format) == f"## Achievements\n2 of {total}: place table, collect sapling"


@pytest.mark.parametrize("name", PRESETS)
def test_revealed_facts_are_in_every_preset(name: str) -> None:
    engine, everything = get_engine("full"), 2 ** len(REVEALABLE) - 1
    state = to_numpy(played_states("full")[0])
    row, column = state.player_position
    state.monsters_killed[0] = 5
    state.potion_mapping[:] = [1, 0, 2, 3, 4, 5]
    state.inventory.potions[:] = 1
    state.melee_mobs.mask[0][0] = True
    state.melee_mobs.position[0][0] = (row, column + 1)
    state.melee_mobs.health[0][0] = 4.25
    state.map[0][row + 1, column] = engine.spec.block_index["plant"]
    state.growing_plants_mask[0], state.growing_plants_age[0] = True, 123
    state.growing_plants_positions[0] = (row + 1, column)
    texts = [
        get_writer(engine.spec, PRESETS[name]).write(moment(scene_of(engine, state, bits))) for bits in (0, everything)
    ]
    for fact in ("4.25", "123", "(health -3)" if name != "json" else '"red":["health",-3]'):
        assert fact not in texts[0]
        assert fact in texts[1]
    assert texts[0] != texts[1]
