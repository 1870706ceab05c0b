"""The full game's fast step runs only with the code of Craftax that it was tested with."""

from __future__ import annotations

import ast
import shutil
import warnings
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from craftax_text_gym.engine import core, full, proved
from tests.subprocesses import run


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    proved.is_proved.cache_clear()
    yield
    proved.is_proved.cache_clear()


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the installed sources, which is read in their place."""
    for name in proved.SOURCES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(proved.craftax_folder() / name, tmp_path / name)
    monkeypatch.setattr(proved, "craftax_folder", lambda: tmp_path)
    return tmp_path


def test_the_installed_version_is_proved() -> None:
    assert proved.PROVED[proved.digest()] == version("craftax")
    engine = core.Engine("full")
    assert engine.traced.advance is full.fast_advance


def test_the_sources_are_all_that_the_step_imports() -> None:
    seen, ahead = set(), ["craftax/game_logic.py"]
    while ahead:
        name = ahead.pop()
        seen.add(name)
        for node in ast.walk(ast.parse((proved.craftax_folder() / name).read_text())):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            paths = [(module or "").split(".") for module in modules]
            found = {"/".join(path[1:]) + ".py" for path in paths if path[0] == "craftax"}
            ahead += sorted(found - seen)
            assert not isinstance(node, ast.ImportFrom) or node.level == 0
    assert seen == set(proved.SOURCES)


@pytest.mark.parametrize("name", proved.SOURCES)
@pytest.mark.parametrize("change", ["a byte more", "missing"])
def test_other_sources_are_not_proved(copied: Path, name: str, change: str) -> None:
    usual = proved.digest()
    assert usual in proved.PROVED
    if change == "missing":
        (copied / name).unlink()
    else:
        (copied / name).write_bytes((copied / name).read_bytes() + b"\n")
    assert proved.digest() != usual
    with pytest.warns(RuntimeWarning, match="upstream's own step"):
        assert not proved.allows_shortcuts("full")
    assert proved.allows_shortcuts("classic")


def test_with_other_sources_upstream_s_step_plays_and_one_warning_says_so(copied: Path) -> None:
    usual = core.Engine("full").plan("step").name
    proved.is_proved.cache_clear()
    with (copied / "craftax/game_logic.py").open("a") as file:
        file.write("# another version")
    with pytest.warns(RuntimeWarning) as caught:
        engine = core.Engine("full")
    message = str(caught[0].message)
    newest = [*proved.PROVED.values()][-1]
    for words in (f"craftax {version('craftax')} is installed", newest, f'pip install "craftax=={newest}"'):
        assert words in message
    assert engine.traced.advance is full.advance
    assert engine.plan("step").name != usual, "an entry of the cache would stand for both steps"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert core.Engine("full").traced.advance is full.advance


def test_the_check_imports_neither_craftax_nor_jax() -> None:
    script = """
        import json, sys
        from craftax_text_gym.engine import proved
        print(json.dumps([proved.allows_shortcuts("full"), sorted({"craftax", "jax"} & set(sys.modules))]))
    """
    assert run(script) == [True, []]
