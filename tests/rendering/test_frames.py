from __future__ import annotations

import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from numpy.typing import NDArray

from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games import CLASSIC, FULL, get
from craftax_text_gym.observation.layout import DARK, row_dtype
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.rendering.frames import MIN_TILE_SIZE, render
from craftax_text_gym.rendering.textures import vignette
from tests.proof import IS_PROOF, count
from tests.rendering.oracle import doctored, load_textures, renderer

DOCTORED = count(400, 80)
KEYS = ("full", "classic")
SIZES = (6, 7, 10, 13, 16, 64) if IS_PROOF else (7, 10)
BATCH = 20
"""Worlds that upstream's renderer draws at once: it is compiled anew for each other number."""


@lru_cache
def doctored_worlds(key: str) -> tuple[Any, list[Scene]]:
    """Worlds of which every part was edited, as one batch of states and as scenes."""
    engine, rng = get_engine(key), np.random.default_rng(0)
    game, _ = engine.reset(0, engine.params({}))
    state = engine.to_state(game)
    return gathered(key, [doctored(key, state, rng) for _ in range(DOCTORED)])


@lru_cache
def played_worlds(key: str) -> tuple[Any, list[Scene]]:
    """Worlds as random play leaves them, day and night."""
    engine, rng = get_engine(key), np.random.default_rng(1)
    params, states = engine.params({}), []
    for seed in range(2):
        game, _ = engine.reset(seed, params)
        for step in range(271):
            if step % 30 == 0:
                states.append(engine.to_state(game))
            game, _ = engine.step(game, int(rng.integers(len(engine.spec.actions))), seed, params)
    return gathered(key, states)


def gathered(key: str, states: list[Any]) -> tuple[Any, list[Scene]]:
    engine = get_engine(key)
    rows = [engine.read(engine.look(engine.from_state(state), engine.params({})))[0] for state in states]
    return jax.tree.map(lambda *leaves: np.stack(leaves), *states), [Scene(engine.spec, row.tobytes()) for row in rows]


def rounded(pictures: NDArray[np.float32]) -> NDArray[np.uint8]:
    return np.rint(pictures).astype(np.uint8)


def assert_equal_to_upstream(key: str, size: int, worlds: tuple[Any, list[Scene]], number: int) -> None:
    states, scenes = worlds
    for start in range(0, number, BATCH):
        part = slice(start, start + BATCH)
        pictures, noise = renderer(key, size)(jax.tree.map(lambda leaf, part=part: leaf[part], states))
        for scene, picture, static in zip(scenes[part], rounded(pictures), noise, strict=True):
            np.testing.assert_array_equal(render(scene, size, static), picture)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("size", SIZES)
def test_pictures_of_doctored_worlds_equal_upstreams(key: str, size: int) -> None:
    assert_equal_to_upstream(key, size, doctored_worlds(key), DOCTORED if size == 10 else BATCH)


@pytest.mark.parametrize("key", KEYS)
def test_pictures_of_played_worlds_equal_upstreams(key: str) -> None:
    worlds = played_worlds(key)
    daylight = [scene.daylight for scene in worlds[1]]
    assert min(daylight) < 0.1
    assert max(daylight) > 0.9
    assert_equal_to_upstream(key, 10, worlds, len(daylight))


@pytest.mark.parametrize("key", KEYS if IS_PROOF else ("classic",))
def test_upstreams_fused_arithmetic_differs_by_one_level_on_rare_pixels(key: str) -> None:
    states, scenes = doctored_worlds(key)
    pictures, noise = renderer(key, 10, fused=True)(states)
    ours = np.stack([render(scene, 10, static) for scene, static in zip(scenes, noise, strict=True)])
    difference = np.abs(ours.astype(int) - rounded(pictures))
    assert difference.max() <= 1
    assert difference.mean() < 1e-3


def test_doctored_full_worlds_show_everything() -> None:
    _, scenes = doctored_worlds("full")
    things = [thing for scene in scenes for thing in scene.things]
    headings = ("left", "right", "up", "down")
    assert {number for scene in scenes for number in scene.blocks.flat} == {*range(len(FULL.blocks)), DARK}
    assert {number for scene in scenes for number in scene.items.flat} == set(range(len(FULL.items)))
    assert {thing.label for thing in things} == {thing.label for thing in FULL.mobs} | {
        thing.label for thing in FULL.projectiles
    }
    assert {(thing.owner, thing.heading) for thing in things if thing.owner} == {
        (owner, heading) for owner in ("mob", "player") for heading in headings
    }
    assert {scene.floor for scene in scenes} == set(range(9))
    assert {scene.direction for scene in scenes if not scene.sleeping} >= set(headings)
    assert {scene.boss_vulnerable for scene in scenes} == {scene.ladder_open for scene in scenes} == {False, True}
    assert {number for scene in scenes for number in scene.armour_enchantments} == {0, 1, 2}
    assert {tuple(np.unique(scene.light > 0)) for scene in scenes} >= {(False, True)}
    for name in FULL.materials:
        cap = len(FULL.tools[name]) - 1 if name in FULL.tools else FULL.inventory_cap
        assert {0, cap} <= {scene.materials[name] for scene in scenes}, name
    nights = [scene for scene in scenes if scene.floor == 0 and scene.daylight < 0.5]
    assert {scene.sleeping for scene in nights} == {False, True}


def test_doctored_classic_worlds_show_everything() -> None:
    _, scenes = doctored_worlds("classic")
    things = {(thing.label, thing.heading) for scene in scenes for thing in scene.things}
    assert {number for scene in scenes for number in scene.blocks.flat} == set(range(len(CLASSIC.blocks)))
    assert things == {("zombie", ""), ("cow", ""), ("skeleton", "")} | {
        ("arrow", heading) for heading in ("left", "right", "up", "down")
    }
    for name in CLASSIC.materials:
        assert {scene.materials[name] for scene in scenes} >= {0, 9}, name
    assert {count for scene in scenes for count in scene.materials.values()} == set(range(10))
    assert {scene.sleeping for scene in scenes if scene.daylight < 0.5} == {False, True}


@pytest.mark.parametrize("key", KEYS)
def test_the_oracles_shortcut_gives_upstreams_own_textures(key: str) -> None:
    shortcut, original = load_textures(key, 6), load_textures(key, 6, fast=False)
    assert shortcut.keys() == original.keys()
    jax.tree.map(np.testing.assert_array_equal, shortcut, original)


@pytest.mark.parametrize("key", KEYS)
def test_vignette_equals_upstreams_to_the_bit(key: str) -> None:
    upstream = load_textures(key, 13)["night_noise_intensity_texture"]
    np.testing.assert_array_equal(vignette(key, 13), upstream[..., :1])


def blank(key: str, **fields: Any) -> Scene:
    rows = np.zeros(1, row_dtype(get(key)))
    for name, value in fields.items():
        rows[name] = value
    return Scene(get(key), rows.tobytes())


@pytest.mark.parametrize("key", KEYS)
def test_picture_is_a_fresh_array_of_bytes(key: str) -> None:
    scene = blank(key, direction=1)
    rows, columns = {"full": (13, 11), "classic": (9, 9)}[key]
    picture = render(scene)
    assert picture.dtype == np.uint8
    assert picture.shape == (rows * 16, columns * 16, 3)
    picture[:] = 7
    assert (render(scene) != 7).any()


@pytest.mark.parametrize("key", KEYS)
def test_static_of_the_night_is_fixed_by_the_step(key: str) -> None:
    first, again, later = (render(blank(key, direction=1, timestep=step)) for step in (5, 5, 6))
    np.testing.assert_array_equal(first, again)
    assert (first != later).any()


@pytest.mark.parametrize("key", KEYS)
def test_daylight_shows_no_static(key: str) -> None:
    scene = blank(key, direction=1, daylight=0.5)
    shape = tuple(tiles * 16 for tiles in get(key).window)
    np.testing.assert_array_equal(render(scene, noise=np.zeros(shape)), render(scene, noise=np.ones(shape)))


@pytest.mark.parametrize("size", [MIN_TILE_SIZE - 1, 0, -1, True])
def test_too_small_a_tile_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"tile_size of at least {MIN_TILE_SIZE} pixels, got {int(size)}"):
        render(blank("full"), size)


@pytest.mark.parametrize("size", [2.5, 16.0, "16", None])
def test_a_tile_size_that_is_no_integer_is_refused(size: Any) -> None:
    with pytest.raises(TypeError, match="Expected an integer as tile_size, got"):
        render(blank("full"), size)


def test_noise_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Expected noise of shape \(144, 176\), got \(9, 11\)"):
        render(blank("full"), noise=np.zeros((9, 11)))


PROGRAM = """
import sys, time
from craftax_text_gym.observation.layout import row_dtype
from craftax_text_gym.games import get
from craftax_text_gym.observation.scene import Scene

start = time.perf_counter()
from craftax_text_gym.rendering.frames import render

render(Scene(get(sys.argv[1]), bytes(row_dtype(get(sys.argv[1])).itemsize)), int(sys.argv[2]))
assert time.perf_counter() - start < 5
assert not {"jax", "jaxlib", "craftax", "imageio"} & sys.modules.keys()
"""


@pytest.mark.parametrize("key", KEYS)
def test_first_picture_is_quick_and_silent_and_writes_nothing(key: str) -> None:
    import craftax

    folder = Path(craftax.__path__[0])
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    done = subprocess.run([sys.executable, "-c", PROGRAM, key, "64"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
