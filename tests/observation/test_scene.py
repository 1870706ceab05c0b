"""A scene names what the packed row holds."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from craftax_text_gym import games
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.observation import layout
from craftax_text_gym.observation import row as row_module
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.text import TextFormat
from craftax_text_gym.text.writer import Writer
from tests.worlds import GAMES, edited_states, floor_of, played_states, scene_of, to_numpy


def blank(key: str) -> Scene:
    spec = games.get(key)
    return Scene(spec, bytes(layout.row_dtype(spec).itemsize))


@pytest.mark.parametrize("key", GAMES)
def test_every_field_of_the_layout_is_aligned(key: str) -> None:
    dtype = layout.row_dtype(games.get(key))
    for name, (field, offset) in ((name, dtype.fields[name][:2]) for name in dtype.names or ()):  # type: ignore[index]
        assert offset % field.base.itemsize == 0, name


@pytest.mark.parametrize("key", GAMES)
def test_the_window_is_centred_on_the_player_and_neither_mirrored_nor_transposed(key: str) -> None:
    engine = get_engine(key)
    state = to_numpy(played_states(key)[0])
    floor, (row, column) = floor_of(engine.spec, state), state.player_position
    marks = {(-1, 0): "iron", (1, 0): "coal", (0, -1): "diamond", (0, 1): "furnace", (2, -3): "lava", (0, 0): "sand"}
    for (down, right), name in marks.items():
        state.map[floor][row + down, column + right] = engine.spec.block_index[name]
    scene = scene_of(engine, state)
    for offset, name in marks.items():
        assert scene.tile(*offset).block == name
    assert (
        scene.blocks[engine.spec.window[0] // 2 + 2, engine.spec.window[1] // 2 - 3] == engine.spec.block_index["lava"]
    )
    assert scene.underfoot.block == "sand"
    for number, name in ((1, "diamond"), (2, "furnace"), (3, "iron"), (4, "coal")):
        turned = scene_of(engine, state.replace(player_direction=np.int32(number)))
        assert turned.faced.block == turned.tile(*turned.ahead).block == name
        assert turned.direction == ("left", "right", "up", "down")[number - 1]


@pytest.mark.parametrize("key", GAMES)
def test_a_tile_outside_the_window_is_an_index_error(key: str) -> None:
    scene = scene_of(get_engine(key), played_states(key)[0])
    rows, columns = scene.spec.window
    assert scene.tile(rows // 2, columns // 2)
    for offset in ((rows // 2 + 1, 0), (0, -columns // 2 - 1)):
        with pytest.raises(IndexError, match="within"):
            scene.tile(*offset)


def test_darkness_hides_block_item_and_creatures_alike() -> None:
    engine = get_engine("full")
    state = to_numpy(played_states("full")[0])
    row, column = state.player_position
    state.map[0][row - 1, column] = engine.spec.block_index["diamond"]
    state.item_map[0][row - 1, column] = 1
    state.melee_mobs.position[0][0] = (row - 1, column)
    state.melee_mobs.mask[0][:] = [True, False, False]
    for light, is_seen in ((0.05, False), (0.051, True)):
        state.light_map[0][row - 1, column] = light
        tile = scene_of(engine, state).tile(-1, 0)
        assert (tile.block == "diamond") is is_seen
        assert (tile.item == "torch") is is_seen
        assert [thing.label for thing in tile.things] == ["zombie"] * is_seen
        assert bool(scene_of(engine, state).light[engine.spec.window[0] // 2 - 1, 5]) is is_seen


@pytest.mark.parametrize("key", GAMES)
def test_equal_rows_are_equal_scenes_and_pickles_come_back(key: str) -> None:
    engine = get_engine(key)
    first, second = list(edited_states(key, 2))
    scene = scene_of(engine, first)
    assert pickle.loads(pickle.dumps(scene)) == scene == Scene(engine.spec, bytes(scene.data))
    assert hash(scene) == hash(Scene(engine.spec, bytes(scene.data)))
    assert scene != scene_of(engine, second)
    assert repr(scene) == f"Scene({key}, timestep {scene.timestep})"


@pytest.mark.parametrize("key", GAMES)
def test_properties_agree_with_the_structured_row(key: str) -> None:
    engine = get_engine(key)
    spec = engine.spec
    for state in edited_states(key, 20):
        scene = scene_of(engine, state)
        row = scene.row
        assert scene.health == row["health"]
        assert [scene.food, scene.drink, scene.energy] == row["vitals"].tolist()
        assert list(scene.materials.values()) == row["materials"].tolist()
        assert (scene.blocks == row["blocks"]).all()
        seen = row["things"][row["things"][:, 0] == 1]
        assert {(thing.down, thing.right) for thing in scene.things} == {
            (int(down) - spec.window[0] // 2, int(right) - spec.window[1] // 2) for down, right in seen[:, 2:4]
        }
        if key == "full":
            assert (scene.items == row["items"]).all()
            assert (scene.light == row["light"]).all()
            assert list(scene.attributes) == row["attributes"].tolist()
            assert scene.floor == row["floor"]


def test_classic_has_none_of_the_full_games_facts() -> None:
    scene = scene_of(get_engine("classic"), played_states("classic")[0])
    assert (scene.mana, scene.kills, scene.potion_effects) == (None, None, None)
    assert (scene.attributes, scene.armour, scene.spells, scene.potions) == ((), (), (), {})
    assert (scene.floor, scene.ladder_open, scene.boss_vulnerable, scene.on_boss_floor) == (0, False, False, False)
    assert not scene.items.any()
    assert (scene.light == 1).all()


def test_a_scene_is_read_only() -> None:
    scene = blank("full")
    with pytest.raises(ValueError, match="read-only"):
        scene.blocks[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        scene.rows["health"] = 1


@pytest.mark.parametrize("floor", range(9))
def test_the_edge_of_the_world_is_told_on_floors_that_are_lit_throughout(floor: int) -> None:
    engine = get_engine("full")
    rows, columns = engine.spec.map_size
    for position in ((0, 0), (0, columns - 1), (rows - 1, 0), (rows - 1, columns - 1), (rows // 2, 1)):
        state = to_numpy(played_states("full")[0])
        state = state.replace(player_level=np.int32(floor), player_position=np.array(position, np.int32))
        state.light_map[floor][:] = 0.0  # what a state says of the map must not matter for what lies beyond it
        scene = scene_of(engine, state)
        edge = "darkness" if engine.spec.floors[floor].dark else "out of bounds"
        for down in range(-4, 5):
            for right in range(-5, 6):
                is_inside = 0 <= position[0] + down < rows and 0 <= position[1] + right < columns
                told = scene.tile(down, right).block or "darkness"
                assert told == ("darkness" if is_inside else edge), (position, down, right)


def test_things_beyond_the_edge_are_not_seen() -> None:
    engine = get_engine("full")
    state = to_numpy(played_states("full")[0]).replace(player_position=np.array((0, 5), np.int32))
    state.melee_mobs.mask[0][:] = True
    state.melee_mobs.position[0][:] = (-1, 5)
    assert not scene_of(engine, state).things


@pytest.mark.parametrize("key", GAMES)
def test_groups_make_up_the_row_and_are_read_by_name(key: str) -> None:
    engine = get_engine(key)
    spec = engine.spec
    groups = layout.row_groups(spec)
    assert [name for group in groups.values() for name, _, _ in group] == list(layout.row_dtype(spec).names or ())
    for state in edited_states(key, 5, seed=8):
        scene = scene_of(engine, state, 31)
        end = 0
        for group, fields in groups.items():
            place = layout.group_bytes(spec, group)
            assert place.start == end
            end = place.stop
            values = layout.read_group(spec, group, scene.data[place]) if fields else {}
            assert {name: np.array(value).tolist() for name, value in values.items()} == {
                name: scene.row[name].tolist() for name, _, _ in fields
            }
        assert end == len(scene.data)
        assert scene.person == scene.body + scene.belongings


def test_groups_that_are_not_adjacent_are_refused() -> None:
    with pytest.raises(ValueError, match="adjacent"):
        layout.group_bytes(games.FULL, "step", "body")


@pytest.mark.parametrize("key", GAMES)
def test_the_texts_do_not_depend_on_the_order_of_fields(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers go by names: a row with its groups' fields turned round reads the same."""
    spec, texts = games.get(key), []
    states = [scene_of(get_engine(key), state, 31) for state in edited_states(key, 8, seed=4)]
    texts = [_text(spec, scene) for scene in states]
    turned = {name: fields[::-1] for name, fields in layout.row_groups(spec).items()}
    dtype = np.dtype([field for group in turned.values() for field in group])
    rows = []
    for scene in states:
        row = np.zeros(1, dtype)
        for name in dtype.names or ():
            row[name] = scene.rows[name]
        rows.append(row.tobytes())
    caches = (layout.row_dtype, layout.group_dtype, layout.group_bytes, row_module._reader)
    monkeypatch.setattr(layout, "row_groups", lambda _: turned)
    monkeypatch.setattr(row_module, "row_groups", lambda _: turned)
    for cache in caches:
        cache.cache_clear()
    try:
        assert [_text(spec, Scene(spec, row)) for row in rows] == texts
    finally:
        monkeypatch.undo()
        for cache in caches:
            cache.cache_clear()


def _text(spec: games.GameSpec, scene: Scene) -> str:
    """The text by a writer of its own, whose phrases nobody shares."""
    sections = ("status", "inventory", "nearby", "map", "achievements")
    return Writer(spec, TextFormat(sections=sections)).write(Moment(scene, scene.action_mask))
