from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

from craftax_text_gym import games
from craftax_text_gym.play.help import table
from craftax_text_gym.play.keys import KEYS, SHOWN, action_of
from tests.worlds import GAMES

FILES = {"classic": "craftax_classic/play_craftax_classic.py", "full": "craftax/play_craftax.py"}
PYGAME = {
    "COMMA": "comma",
    "PERIOD": "full_stop",
    "LEFTBRACKET": "left_square_bracket",
    "RIGHTBRACKET": "right_square_bracket",
    "MINUS": "minus",
    "EQUALS": "equals_sign",
    "SEMICOLON": "semicolon",
}


def upstreams(key: str) -> dict[str, str]:
    """Craftax's own `KEY_MAPPING`, read from its source, for importing that opens a window's library."""
    spec = find_spec("craftax")
    assert spec is not None
    assert spec.submodule_search_locations
    source = (Path(spec.submodule_search_locations[0]) / FILES[key]).read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "KEY_MAPPING":
            assert isinstance(node.value, ast.Dict)
            pairs = [
                (ast.unparse(name).removeprefix("pygame.K_"), ast.unparse(action).removeprefix("Action.").lower())
                for name, action in zip(node.value.keys, node.value.values, strict=True)
                if name is not None
            ]
            return {PYGAME.get(name, name.lower()): action for name, action in pairs}
    raise AssertionError(f"there is no KEY_MAPPING in {FILES[key]}")


@pytest.mark.parametrize("key", GAMES)
def test_keys_are_craftaxs_own(key: str) -> None:
    assert KEYS[key] == upstreams(key)


@pytest.mark.parametrize("key", GAMES)
def test_every_action_has_one_key(key: str) -> None:
    assert sorted(KEYS[key].values()) == sorted(games.get(key).actions)


@pytest.mark.parametrize(
    ("game", "pressed", "action"),
    [
        ("full", "w", "up"),
        ("full", "upper_w", "up"),
        ("full", "W", "up"),
        ("full", "up", "up"),
        ("full", "7", "make_iron_sword"),
        ("classic", "7", None),
        ("classic", "4", "make_wood_sword"),
        ("full", "escape", None),
        ("full", "ctrl+w", None),
    ],
)
def test_a_key_plays_its_action(game: str, pressed: str, action: str | None) -> None:
    assert action_of(game, pressed) == action


@pytest.mark.parametrize("key", GAMES)
def test_the_table_has_every_key_and_fits_a_small_terminal(key: str) -> None:
    lines = table(key).splitlines()
    assert max(map(len, lines)) <= 75
    assert len(lines) <= 16
    words = table(key).split()
    for name, action in KEYS[key].items():
        assert words[words.index(action) - 1] == SHOWN.get(name, name)
