from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import gymnasium as gym
import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from craftax_text_gym import games
from craftax_text_gym.play import PlayApp
from craftax_text_gym.play.app import COMPILING
from craftax_text_gym.play.help import Help
from craftax_text_gym.recording.json_lines import RecordingError
from tests.worlds import GAMES

SMALL, LARGE = (80, 24), (140, 40)
Play = Callable[[PlayApp, Pilot[str]], Awaitable[None]]


async def begun(app: PlayApp, pilot: Pilot[str]) -> None:
    """Wait until the game is compiled."""
    while not app.is_ready and app.is_running:
        await pilot.pause(0.02)
    await pilot.pause()
    assert app.is_ready


def played(env: gym.Env[Any, Any], play: Play, seed: int | None = 1, size: tuple[int, int] = SMALL) -> PlayApp:
    """Run the application until the game is ready, then `play`."""
    app = PlayApp(env, seed)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await begun(app, pilot)
            await play(app, pilot)

    asyncio.run(run())
    return app


def make(key: str, **arguments: Any) -> gym.Env[Any, Any]:
    return gym.make(games.get(key).env_id, **arguments)


def shown(app: PlayApp, name: str) -> str:
    return str(app.screen_stack[0].query_one(f"#{name}", Static).content)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("key", GAMES)
def test_keys_play_the_same_game_as_steps(key: str, size: tuple[int, int]) -> None:
    pressed = {"d": "right", "space": "do", "up": "up", "q": "noop", "t": "place_table", "tab": "sleep", "A": "left"}
    expected = make(key)
    expected.reset(seed=1)
    for action in pressed.values():
        text, *_ = expected.step(action)

    async def play(app: PlayApp, pilot: Pilot[str]) -> None:
        assert shown(app, "text").startswith("## ")
        await pilot.press(*pressed)
        await pilot.pause()
        assert shown(app, "text") == text
        assert "seed 1" in shown(app, "title")
        assert f"step {len(pressed)}" in shown(app, "title")
        assert "facing left" in shown(app, "state")
        board = app.query_one("#board", Static)
        assert ("▀" in str(board.content)) == (size == LARGE)
        assert board.region.right <= app.query_one("#right").region.x
        assert app.query_one("#right").region.width >= 38

    played(make(key), play, size=size)


def test_the_compiling_is_told_and_keys_wait_for_the_game() -> None:
    env, compiled = make("classic"), threading.Event()
    game: Any = env.unwrapped
    reset = game.reset

    def slow_reset(*, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        assert compiled.wait(30)
        return reset(seed=seed, options=options)

    game.reset = slow_reset
    app = PlayApp(env, 1)

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            assert not app.is_ready
            assert COMPILING in shown(app, "text")
            await pilot.press("d", "f2", "pagedown")
            compiled.set()
            await begun(app, pilot)
            assert "step 0" in shown(app, "title")

    asyncio.run(run())


def test_new_achievements_flash() -> None:
    env = make("classic")
    path = path_to_wood(env)

    async def play(app: PlayApp, pilot: Pilot[str]) -> None:
        for action in path:
            app.act(action)
        await pilot.pause()
        news = app.query_one("#news", Static)
        assert str(news.content) == "★ collect wood"
        assert news.has_class("flash")
        assert "1/22 achievements" in shown(app, "title")
        assert "return 1.0" in shown(app, "title")
        assert "wood 1" in shown(app, "state")
        await pilot.pause(1.7)
        assert not news.has_class("flash")

    played(env, play)


def path_to_wood(env: gym.Env[Any, Any]) -> list[str]:
    """Steps that fell a tree in the world of seed 1, found by trying."""
    game: Any = env.unwrapped
    game.reset(seed=1)
    across = next(seen for seen in _trees(game) if seen[0] == 0 or seen[1] == 0)
    down, right = across
    walk = ["right" if right > 0 else "left"] * abs(right) + ["down" if down > 0 else "up"] * abs(down)
    return [*walk, "do"]


def _trees(game: Any) -> list[tuple[int, int]]:
    spec, blocks = game.game, game.scene.blocks
    rows, columns = (side // 2 for side in spec.window)
    tree, grass = spec.block_index["tree"], spec.block_index["grass"]

    def is_free(down: int, right: int) -> bool:
        way = blocks[
            rows + min(down, 0) + (down < 0) : rows + max(down, 0) + (down <= 0),
            columns + min(right, 0) + (right < 0) : columns + max(right, 0) + (right <= 0),
        ]
        return bool((way == grass).all())

    found = [(row - rows, column - columns) for row, column in zip(*(blocks == tree).nonzero(), strict=True)]
    return [(int(down), int(right)) for down, right in found if (down == 0 or right == 0) and is_free(down, right)]


def test_help_tells_the_keys_and_stops_the_game() -> None:
    async def play(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, Help)
        assert "level_up_intelligence" in str(app.screen.query_one(Static).content)
        await pilot.press("d")
        await pilot.pause()
        assert not isinstance(app.screen, Help)
        assert "step 0" in shown(app, "title")
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, Help)

    played(make("full"), play)


def test_the_style_of_the_map_changes_and_the_map_follows_the_terminal() -> None:
    async def play(app: PlayApp, pilot: Pilot[str]) -> None:
        board = app.query_one("#board", Static)
        assert "▀" in str(board.content)
        await pilot.press("f2")
        assert "▀" not in str(board.content)
        await pilot.press("f2")
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert "▀" not in str(board.content)

    played(make("full"), play, size=LARGE)


def test_the_text_scrolls() -> None:
    async def play(app: PlayApp, pilot: Pilot[str]) -> None:
        box = app.query_one("#right")
        await pilot.press("pagedown")
        assert box.scroll_y > 0
        await pilot.press("pageup")
        assert box.scroll_y == 0

    played(make("full"), play)


def test_a_sleeper_sleeps_on_without_keys() -> None:
    env = make("classic")

    async def play(_: PlayApp, pilot: Pilot[str]) -> None:
        game: Any = env.unwrapped
        state = game.state
        game.state = state.replace(player_energy=state.player_energy - 5)
        await pilot.press("tab")
        assert game.scene.sleeping
        begun = game.scene.timestep
        await pilot.press("d")  # as in Craftax, keys wait until the player wakes
        await pilot.pause(0.5)
        assert game.scene.timestep > begun + 1
        assert game.scene.executed_action == 0

    played(env, play)


def test_the_end_is_told_and_nothing_is_played_after_it() -> None:
    async def play(app: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("q", "q", "q", "q")
        await pilot.pause()
        assert app.is_over
        assert shown(app, "keys") == "The episode is over: step cap. Ctrl+Q quits."
        assert "step 3" in shown(app, "title")

    played(make("classic", max_episode_steps=3), play)


class _Torn(gym.Wrapper[Any, Any, Any, Any]):
    """A recorder whose disk is full."""

    def step(self, action: Any) -> Any:  # noqa: ARG002
        raise RecordingError("no space")


def test_a_recording_that_fails_ends_the_application_with_the_reason() -> None:
    async def play(_: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("q")

    assert played(_Torn(make("classic")), play).return_value == "no space"


def test_ctrl_q_quits() -> None:
    async def play(_: PlayApp, pilot: Pilot[str]) -> None:
        await pilot.press("ctrl+q")

    assert played(make("classic"), play, seed=None).return_value is None
