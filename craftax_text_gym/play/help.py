"""The help overlay with the keys."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from craftax_text_gym.play.keys import KEYS, SHOWN

ABOUT = "Also: the arrow keys move, PgUp and PgDn scroll the text, F2 changes the map's style, Ctrl+Q quits."
_COLUMNS = 3


class Help(ModalScreen[None]):
    """Shows what every key does, until a key is pressed."""

    CSS = """
    Help { align: center middle; }
    Help VerticalScroll { width: 79; max-width: 100%; height: auto; max-height: 100%; }
    Help VerticalScroll { border: round $accent; padding: 0 1; }
    """

    def __init__(self, game: str) -> None:
        """Make the overlay.

        Args:
            game: `"classic"` or `"full"`.
        """
        super().__init__()
        self._game = game

    def compose(self) -> ComposeResult:
        """Lay out the table of keys."""
        with VerticalScroll(can_focus=False) as box:
            box.border_title = "Keys"
            yield Static(f"{table(self._game)}\n\n{ABOUT}\nAny key closes this.", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Close the overlay."""
        event.stop()
        self.dismiss()


def table(game: str) -> str:
    """The keys of a game in columns.

    Args:
        game: `"classic"` or `"full"`.

    Returns:
        Lines of at most 75 characters.
    """
    entries = [(SHOWN.get(key, key), action) for key, action in KEYS[game].items()]
    height = -(-len(entries) // _COLUMNS)
    columns = [_column(entries[start : start + height], height) for start in range(0, len(entries), height)]
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))


def _column(entries: list[tuple[str, str]], height: int) -> list[str]:
    """Keys and actions, one pair per line, padded to one width."""
    key_width, action_width = (max(len(text) for text in side) for side in zip(*entries, strict=True))
    lines = [f"{key:>{key_width}} {action:<{action_width}}" for key, action in entries]
    return lines + [" " * (key_width + 1 + action_width)] * (height - len(lines))
