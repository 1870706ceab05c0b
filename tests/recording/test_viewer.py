from __future__ import annotations

import base64
import dataclasses
import io
import json
import re
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Page

from craftax_text_gym import games
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games import CLASSIC, FULL
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.recording.trajectory import Trajectory
from craftax_text_gym.recording.viewer import CHUNK_STEPS, TILE_SIZE, build_page, write_html
from craftax_text_gym.recording.viewer_tiles import SHEET_COLUMNS, TileSheet, in_full_light
from craftax_text_gym.rendering import frames
from craftax_text_gym.utils import provenance
from tests.proof import count
from tests.recording import browsers
from tests.worlds import GAMES, edited_states, scene_of

NASTY = '</script><script>document.title="broken"</script><!--<script> <b>bold</b> "\'&amp; ]]> \u2028 \ud800 {{DATA}}'
PHONE, DESK = (390, 844), (1280, 900)


@lru_cache
def scenes_of(key: str, number: int = count(200, 30)) -> tuple[Scene, ...]:
    """Edited scenes, dark, nightly and asleep among them."""
    return tuple(scene_of(get_engine(key), state) for state in edited_states(key, number))


def trajectory_of(key: str, length: int, unlocked: dict[int, list[str]] | None = None) -> Trajectory:
    """A recording of so many steps, with the achievements of a step as given."""
    start = {"kind": "reset", "t": 0, "text": "the first text"}
    steps = tuple(
        {
            "kind": "step",
            "t": t,
            "action": "do" if t % 2 else ["left", "up"],
            "reply": f"thought {t} {NASTY}",
            "reward": 0.5,
            "text": f"text {t} {NASTY}",
            "achievements": (unlocked or {}).get(t, []),
            "terminated": t == length,
            "truncated": False,
            "end_reason": "death" if t == length else "",
        }
        for t in range(1, length + 1)
    )
    header = {"game": key, "seed": 7, "reveal": [NASTY], "versions": dict(provenance.versions())}
    return Trajectory(header, start, steps, None, 0)


def page_of(key: str, length: int, unlocked: dict[int, list[str]] | None = None, num_scenes: int | None = None) -> str:
    pool = scenes_of(key)[:num_scenes]
    return build_page(trajectory_of(key, length, unlocked), [pool[t % len(pool)] for t in range(length + 1)])


def data_of(page: str) -> dict[str, Any]:
    """What the page's script reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def frames_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [frame for chunk in data["chunks"] for frame in json.loads(zlib.decompress(base64.b64decode(chunk)))]


# Without a browser


@pytest.mark.parametrize("key", GAMES)
def test_tiles_make_up_the_picture_in_full_light(key: str) -> None:
    sheet = TileSheet(16)
    numbers = [sheet.add(scene) for scene in scenes_of(key)]
    pixels = sheet.pixels()
    tiles = pixels.reshape(-1, 16, SHEET_COLUMNS, 16, 3).swapaxes(1, 2).reshape(-1, 16, 16, 3)
    for grid, scene in zip(numbers, scenes_of(key), strict=True):
        rows, columns = grid.shape
        picture = tiles[grid].swapaxes(1, 2).reshape(16 * rows, 16 * columns, 3)
        np.testing.assert_array_equal(picture, frames.render(in_full_light(scene), 16))
    assert len(sheet) < sum(grid.size for grid in numbers)


@pytest.mark.parametrize("key", GAMES)
def test_full_light_changes_neither_what_is_carried_nor_what_is_seen(key: str) -> None:
    rows = games.get(key).window[0]
    for scene in scenes_of(key):
        lit = in_full_light(scene)
        assert lit.daylight == 1
        assert not lit.sleeping
        np.testing.assert_array_equal(lit.light, np.ones(lit.spec.window))
        assert (lit.blocks.tobytes(), lit.items.tobytes(), lit.things) == (
            scene.blocks.tobytes(),
            scene.items.tobytes(),
            scene.things,
        )
        np.testing.assert_array_equal(frames.render(lit)[16 * rows :], frames.render(scene)[16 * rows :])


def test_texts_and_replies_cannot_leave_their_place() -> None:
    page = page_of("classic", 3)
    assert page.count("<script") == page.count("</script>") == 2
    assert "<b>" not in page
    assert "<!--" not in page
    assert ("reveal", NASTY.replace("\ud800", "?")) in map(tuple, data_of(page)["facts"])
    [first, second, *_] = frames_of(data_of(page))
    shown = NASTY.replace("\ud800", "?")
    assert second["text"] == f"text 1 {shown}"
    assert first["reply"] == f"thought 1 {shown}"


def test_reasoning_is_apart_from_the_reply_and_other_replies_are_json() -> None:
    recorded = trajectory_of("classic", 4)
    replies: list[Any] = [
        {"role": "assistant", "reasoning_content": f"Wood first. {NASTY}", "content": f"do {NASTY}"},
        {"reasoning_content": "Hm.", "tool_calls": [{"function": {"name": "act", "arguments": '{"action": "do"}'}}]},
        {"action": "do"},
        ["left", "up"],
    ]
    steps = tuple([{**step, "reply": reply} for step, reply in zip(recorded.steps, replies, strict=True)])
    page = build_page(dataclasses.replace(recorded, steps=steps), scenes_of("classic")[:5])
    first, second, third, fourth, _ = frames_of(data_of(page))
    shown = NASTY.replace("\ud800", "?")
    assert (first["thoughts"], first["reply"]) == (f"Wood first. {shown}", f"do {shown}")
    assert second["thoughts"] == "Hm."
    assert json.loads(second["reply"]) == replies[1]["tool_calls"]
    assert json.loads(third["reply"]) == replies[2]
    assert fourth["reply"] == "left, up"
    assert "thoughts" not in third


def test_a_frame_has_what_led_there_and_what_the_agent_did_next() -> None:
    data = data_of(page_of("classic", 600, {5: ["collect_wood"], 599: ["eat_cow", "place_table"]}))
    told = frames_of(data)
    assert len(told) == data["length"] == 601
    assert [len(data["chunks"]), data["chunkLength"]] == [3, CHUNK_STEPS]
    assert "action" not in told[0]
    assert [told[2]["action"], told[2]["next"], told[2]["total"]] == ["left, up", "do", 1.0]
    assert "next" not in told[600]
    assert told[600]["end"] == "death"
    assert [(goal["frame"], goal["label"]) for goal in data["achievements"]] == [
        (5, "collect wood"),
        (599, "eat cow"),
        (599, "place table"),
    ]
    assert (data["curve"][0], data["curve"][-1]) == (0, 300)


def test_scenes_that_do_not_fit_the_lines_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with pytest.raises(ValueError, match="Expected 4 scenes, one for each line of the trajectory, got 2"):
        write_html(path, trajectory_of("classic", 3), scenes_of("classic")[:2])
    assert not path.exists()
    assert write_html(path, trajectory_of("classic", 3), scenes_of("classic")[:4]) == 4
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_what_repeats_costs_next_to_nothing() -> None:
    short, long = (len(page_of("full", length, num_scenes=30)) for length in (300, 1_300))
    assert long - short < 100 * 1_000


# In a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsers.launched() as launched:
        yield launched


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of a browser without network, in which anything that goes wrong is an error."""
    width, height = getattr(request, "param", DESK)
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
    page, problems = context.new_page(), []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda sent: problems.append(sent.url) if not sent.url.startswith(("file:", "data:")) else None)
    yield page
    context.close()
    assert problems == []


def opened(page: Page, folder: Path, text: str) -> None:
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    at_step(page, 0)


def at_step(page: Page, t: int) -> None:
    """Wait until the page shows a step."""
    text = "the first text" if t == 0 else f"text {t} "
    page.wait_for_function("text => document.getElementById('text').textContent.startsWith(text)", arg=text)
    assert page.text_content("#step") == f"{t:,}"
    assert page.input_value("#slider") == str(t)


def noise_of(scene: Scene, t: int) -> NDArray[np.float32]:
    """The static that the page draws, as its own arithmetic has it."""
    height, width = (tiles * TILE_SIZE for tiles in scene.spec.window)
    place = np.arange(height * width, dtype=np.uint32)
    numbers = (place + np.uint32(1)) * np.uint32(0x9E3779B1) ^ np.uint32((t + 1) * 0x85EBCA77 % 2**32)
    numbers = (numbers ^ numbers >> np.uint32(15)) * np.uint32(0x2C1B3C6D)
    numbers = (numbers ^ numbers >> np.uint32(12)) * np.uint32(0x297A2D39)
    numbers ^= numbers >> np.uint32(15)
    return (numbers / 2**32).reshape(height, width).astype(np.float32)


def drawn(page: Page) -> NDArray[np.int16]:
    url = page.evaluate("document.getElementById('picture').toDataURL()")
    with Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))) as image:
        return np.asarray(image.convert("RGB")).astype(np.int16)


@pytest.mark.parametrize("key", GAMES)
def test_the_page_draws_the_games_own_pictures(key: str, page: Page, tmp_path: Path) -> None:
    scenes = scenes_of(key)
    assert any(scene.sleeping for scene in scenes)
    assert any(scene.daylight < 0.5 and scene.floor == 0 for scene in scenes)
    opened(page, tmp_path, page_of(key, len(scenes) - 1))
    for t, scene in enumerate(scenes):
        at_step(page, t)
        expected = frames.render(scene, TILE_SIZE, noise_of(scene, t))
        assert np.abs(drawn(page) - expected).max() <= 1
        page.keyboard.press("ArrowRight")


def test_keys_and_buttons_lead_to_any_step(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, page_of("classic", 700, {30: ["collect_wood"], 650: ["eat_cow"]}))
    for key, t in {
        "ArrowRight": 1,
        "PageDown": 11,
        "j": 30,
        "J": 650,
        "End": 700,
        "ArrowLeft": 699,
        "k": 650,
        "PageUp": 640,
        "Home": 0,
    }.items():
        page.keyboard.press(key)
        at_step(page, t)
    for name, t in {
        "Next achievement": 30,
        "One step on": 31,
        "Last step": 700,
        "Previous achievement": 650,
        "One step back": 649,
        "First step": 0,
    }.items():
        page.get_by_role("button", name=name, exact=True).click()
        at_step(page, t)
    page.locator("#slider").fill("512")
    at_step(page, 512)


def test_achievements_are_told_and_lead_to_their_steps(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, page_of("full", 40, {30: ["defeat_orc_solider"], 35: ["eat_cow"]}))
    assert page.text_content("#unlocked") == f"0 of {len(FULL.achievements)}"
    page.locator("#markers").get_by_title("defeat orc soldier, step 30").click()
    at_step(page, 30)
    assert page.text_content("#news") == "★ defeat orc soldier"
    assert page.text_content("#unlocked") == f"1 of {len(FULL.achievements)}"
    page.get_by_role("button", name="eat cow · 35").click()
    at_step(page, 35)
    assert page.locator('#goals [aria-current="true"]').text_content() == "eat cow · 35"
    page.keyboard.press("ArrowRight")
    at_step(page, 36)
    assert page.text_content("#news") == ""


def test_the_page_shows_what_was_read_and_replied_as_text(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, page_of("classic", 3))
    shown = NASTY.replace("\ud800", "?")
    assert page.text_content("#reply") == f"thought 1 {shown}"
    assert page.text_content("#next") == "do"
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    assert page.text_content("#text") == f"text 1 {shown}"
    assert page.text_content("#happened") == "after do, reward +0.5"
    assert page.text_content("#total") == "0.5"
    page.keyboard.press("End")
    at_step(page, 3)
    assert page.text_content("#next") == "The episode is over: death."
    assert page.locator("#reply").is_hidden()
    assert page.title() == f"{CLASSIC.title}, seed 7"
    assert page.locator("pre b").count() == 0


def test_play_goes_on_to_the_end_and_can_be_paused(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, page_of("classic", 12))
    page.locator("#speed").select_option("60 steps/s")
    page.locator("body").press(" ")
    page.wait_for_function("document.getElementById('play').ariaPressed === 'true'")
    at_step(page, 12)
    page.wait_for_function("document.getElementById('play').ariaPressed === 'false'")
    page.locator("#speed").select_option("2 steps/s")
    button = page.locator("#play")
    button.click()
    at_step(page, 0)
    button.focus()
    page.keyboard.press(" ")
    assert button.get_attribute("aria-label") == "Play"


@pytest.mark.parametrize("page", [PHONE, DESK], indirect=True)
def test_the_page_fits_the_screen(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, page_of("full", 40, {30: ["collect_wood"]}))
    width, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= inner
    for name in ("#picture", "#play", "#slider"):
        box = page.locator(name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= inner
        assert box["y"] + box["height"] <= page.evaluate("innerHeight")


def test_ten_thousand_steps_load_at_once(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, page_of("full", count(10_000, 2_000)))
    page.keyboard.press("End")
    at_step(page, count(10_000, 2_000))
