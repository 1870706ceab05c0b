"""The terminal app: the coloured map and the last feedback on the left, the text on the right."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium as gym
from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from craftax_text_gym.availability import feedback
from craftax_text_gym.env import CraftaxTextEnv
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.play import board
from craftax_text_gym.play.help import Help
from craftax_text_gym.play.keys import action_of
from craftax_text_gym.recording.json_lines import RecordingError
from craftax_text_gym.text import TextFormat, phrases
from craftax_text_gym.text.writer import get_writer
from craftax_text_gym.utils.words import number, spaced

KEYS_LINE = "WASD or arrows: move  Space: do  Tab: sleep  ?: all keys  Ctrl+Q: quit"
COMPILING = "Compiling the game: this takes up to a minute the first time"

_TEXT_COLUMNS, _STATE_ROWS = 38, 8
"""The columns kept for the text, and the rows kept below the map."""

_FLASH_SECONDS = 1.5
_SLEEP_STEP_SECONDS = 0.1
_INVENTORY_FORMAT = TextFormat(markup="plain", sections=("inventory",), terse=True)


class _BareScreen(Screen[None], inherit_bindings=False):
    """A screen without key bindings, so that every key, even Tab, reaches the game."""


class PlayApp(App[str]):
    """Lets a person play one episode. `run` returns the error message of the recording, or None.

    Attributes:
        is_ready: Whether the game is compiled and has begun.
        is_over: Whether the episode has ended.
    """

    TITLE = "craftax-text play"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        ("question_mark,f1", "help"),
        ("f2", "change_style"),
        ("pageup", "scroll_text(-1)"),
        ("pagedown", "scroll_text(1)"),
    ]
    CSS = """
    #title, #keys { height: 1; padding: 0 1; background: $panel; }
    #left { width: auto; }
    #board { width: auto; height: auto; border: round $primary; }
    #news { height: auto; padding: 0 1; color: $warning; text-style: bold; }
    #news.flash { background: $warning; color: $background; }
    #state { height: auto; padding: 0 1; }
    #right { width: 1fr; border: round $primary; padding: 0 1; }
    """

    def __init__(self, env: gym.Env[Any, Any], seed: int | None = None) -> None:
        """Prepare a game.

        Args:
            env: An environment of this package, wrapped or not, whose observations are texts.
            seed: The seed of the world; None for a random one.
        """
        super().__init__()
        self._env = env
        self._game: CraftaxTextEnv = env.unwrapped  # type: ignore[assignment]
        self._seed = seed
        self._text = ""
        self._info: Mapping[str, Any] = {}
        self._feedback: list[str] = []
        self._total = 0.0
        self._symbols_only = False
        self._writer = get_writer(self._game.game, _INVENTORY_FORMAT)
        self.is_ready = False
        self.is_over = False

    def get_default_screen(self) -> Screen[None]:
        """The screen of the game."""
        return _BareScreen(id="_default")

    def compose(self) -> ComposeResult:
        """Lay out title, map and state, text, and keys."""
        yield Static(self._game.game.title, id="title", markup=False)
        with Horizontal():
            with Vertical(id="left"):
                board_area = Static(id="board")
                board_area.display = False  # until there is a game
                yield board_area
                yield Static(id="news", markup=False)
                yield Static(id="state")
            with VerticalScroll(id="right", can_focus=False):
                yield Static(f"{COMPILING} ...", id="text", markup=False)
        yield Static(KEYS_LINE, id="keys", markup=False)

    # Playing

    def on_mount(self) -> None:
        """Compile in the background, and show the seconds meanwhile."""
        begun = time.monotonic()

        def tick() -> None:
            if not self.is_ready:
                self._static("text").update(f"{COMPILING} ... {time.monotonic() - begun:.0f} s")

        self.set_interval(1, tick)
        self.set_interval(_SLEEP_STEP_SECONDS, self._continue_sleep)
        self._compile()

    @work(thread=True)
    def _compile(self) -> None:
        """Compile by a reset and a step that wrappers do not see, then begin the episode."""
        self._game.reset(seed=0)
        self._game.step("noop")
        self.call_from_thread(self._begin)

    def _begin(self) -> None:
        try:
            self._text, self._info = self._env.reset(seed=self._seed)
        except RecordingError as error:
            self.exit(str(error))
            return
        self.is_ready = True
        self._static("board").display = True
        self._show()

    def on_key(self, event: events.Key) -> None:
        """Play the key's action. While the player sleeps or rests, the game ignores keys and continues by itself."""
        action = action_of(self._game.game.key, event.key)
        if action is None or not self.is_ready or self._is_inactive():
            return
        event.stop()
        self.act(action)

    def act(self, action: str) -> None:
        """Play an action and show the result. Does nothing once the episode is over.

        Args:
            action: The name of the action.
        """
        if self.is_over:
            return
        before = self._game.scene
        try:
            self._text, reward, terminated, truncated, self._info = self._env.step(action)
        except RecordingError as error:
            self.exit(str(error))
            return
        number = self._game.action_space.index_of(action)
        self._feedback = feedback.sentences(before, number, self._game.scene, params=self._game.env_params)
        self._total += float(reward)
        self.is_over = terminated or truncated
        self._show()

    def _is_inactive(self) -> bool:
        scene = self._game.scene
        return (scene.sleeping or scene.resting) and not self.is_over

    def _continue_sleep(self) -> None:
        if self.is_ready and self._is_inactive() and not isinstance(self.screen, Help):
            self.act("noop")

    # Drawing

    def on_resize(self, event: events.Resize) -> None:
        """Redraw the map to fit the new size."""
        if self.is_ready:
            self._draw(event.size)

    def _show(self) -> None:
        scene = self._game.scene
        self._static("title").update(self._title(scene))
        self._draw(self.size)
        self._static("state").update(self._state(scene))
        self._static("text").update(self._text)
        if self._info["new_achievements"]:
            self._flash(self._info["new_achievements"])
        if self.is_over:
            reason = spaced(self._info["end_reason"] or "step_cap")
            self._static("keys").update(f"The episode is over: {reason}. Ctrl+Q quits.")

    def _title(self, scene: Scene) -> str:
        spec = scene.spec
        place = f"floor {scene.floor} ({spec.floors[scene.floor].label})  " if scene.is_full else ""
        done = f"{sum(self._info['achievements'])}/{len(spec.achievements)} achievements"
        counts = f"step {scene.timestep}  return {self._total:.1f}  {done}"
        return f"{spec.title}  seed {self._info['episode_seed']}  {place}{counts}"

    def _draw(self, size: Size) -> None:
        columns, rows = size.width - _TEXT_COLUMNS - 2, size.height - _STATE_ROWS - 4
        picture = board.draw(self._game.scene, columns, rows, symbols_only=self._symbols_only)
        left = self.screen_stack[0].query_one("#left", Vertical)
        left.styles.width = max(len(line) for line in picture.plain.split("\n")) + 2
        self._static("board").update(picture)

    def _state(self, scene: Scene) -> Text:
        """Vitals, inventory, the faced tile, and what the last action did."""
        text = Text()
        for name, most in scene.maxima.items():
            value = getattr(scene, name)
            style = "bold red" if value <= most / 3 else "yellow" if value <= most / 2 else "green"
            text.append(f"{name} ").append(f"{number(value)}/{most}  ", style)
        text.append(f"\n{self._writer.write(Moment(scene, self._info['action_mask']))}\n")
        faced = phrases.tile_at(scene, scene.ahead, phrases.DIRECTIONS["up"])
        text.append(f"facing {scene.direction}: {faced}\n", "dim")
        return text.append(" ".join(self._feedback), "italic")

    def _flash(self, keys: tuple[str, ...]) -> None:
        labels = {achievement.key: achievement.label for achievement in self._game.game.achievements}
        news = self._static("news")
        news.update("★ " + ", ".join(labels[key] for key in keys))
        news.add_class("flash")
        self.set_timer(_FLASH_SECONDS, lambda: news.remove_class("flash"))

    def _static(self, name: str) -> Static:
        return self.screen_stack[0].query_one(f"#{name}", Static)

    # Bindings

    def action_help(self) -> None:
        """Show the keys."""
        if not isinstance(self.screen, Help):
            self.push_screen(Help(self._game.game.key))

    def action_change_style(self) -> None:
        """Switch the map between picture and characters."""
        self._symbols_only = not self._symbols_only
        if self.is_ready:
            self._draw(self.size)

    def action_scroll_text(self, direction: int) -> None:
        """Scroll the text by a page."""
        box = self.screen_stack[0].query_one("#right", VerticalScroll)
        box.scroll_page_down(animate=False) if direction > 0 else box.scroll_page_up(animate=False)
