"""Whatever stands in the pages of the site is true and runs; the site itself is built by `nox -s docs`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import craftax_text_gym as ctg
from craftax_text_gym import agents, evaluation, games, handbook, scoring, text, wrappers
from craftax_text_gym.agents import llm
from craftax_text_gym.wrappers import vector
from tests import pages
from tests.pages import DOCS, PAGES
from tests.subprocesses import ROOT

PACKAGE = ROOT / "craftax_text_gym"
CONFIG = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]
BESIDE = [
    pages.README,
    *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "SUBMISSION.md", "leaderboards/README.md")),
]
"""Pages that are not part of the site."""
WITH_PROGRAMS = [page for page in PAGES if pages.programs(page.read_text())]
REFERENCE = (agents, evaluation, games, handbook, llm, scoring, text, vector, wrappers)
REFERENCE_TEXT = "".join(page.read_text() for page in (DOCS / "reference").glob("*.md"))
SHOWN = [shown for page in PAGES for shown in pages.shown(page.read_text())]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def entries(nav: list[Any] | dict[str, Any] | str) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for inner in nav.values() if isinstance(nav, dict) else nav:
            yield from entries(inner)


def test_the_navigation_has_every_page_once() -> None:
    assert sorted(entries(CONFIG["nav"])) == sorted(str(page.relative_to(DOCS)) for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_is_said_to_be_printed_stands_after_a_program(page: Path) -> None:
    text = page.read_text()
    assert text.count("<!-- prints -->") == sum(program.printed is not None for program in pages.programs(text))


@pytest.mark.parametrize("module", REFERENCE, ids=lambda module: module.__name__)
def test_the_reference_has_every_package_with_public_names(module: ModuleType) -> None:
    assert re.search(rf"^::: {module.__name__}$", REFERENCE_TEXT, re.MULTILINE)


def test_the_reference_has_every_name_at_the_top() -> None:
    told = set(re.findall(r"`ctg\.(\w+)`", (DOCS / "reference" / "package.md").read_text()))
    assert told == {name for name in ctg.__all__ if not name.startswith("_")}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_a_page_includes_is_there(page: Path) -> None:
    readme = pages.README.read_text()
    for kind, argument in re.findall(r"<!-- include: (\w+) (\S.*) -->", page.read_text()):
        if kind == "table":
            assert f"<!-- table: {argument} -->" in readme
        elif kind == "section":
            assert f"\n## {argument}\n" in readme
        elif kind in ("file", "example"):
            assert (ROOT / ("examples" if kind == "example" else "") / argument).is_file()


@pytest.mark.parametrize("page", WITH_PROGRAMS, ids=name_of)
def test_the_programs_of_a_page_run_one_after_another(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    for program in pages.programs(page.read_text()):
        pages.run_program(program, page, names)


@pytest.mark.parametrize("page", [*PAGES, *BESIDE], ids=name_of)
def test_the_commands_of_a_page_exist(page: Path) -> None:
    for words in pages.commands(page.read_text()):
        pages.parse(words)


@pytest.mark.parametrize("command", ["shwo", "show --gaem full", "show --seed one", "serve mpc", "replay --check"])
def test_a_command_that_does_not_exist_is_found_out(command: str) -> None:
    (words,) = pages.commands(f"```bash\ncraftax-text {command}\n```")
    with pytest.raises(Exception, match=r"No such|valid integer|Missing parameter"):
        pages.parse(words)


@pytest.mark.parametrize(("command", "observation"), SHOWN)
def test_an_observation_is_the_real_one(command: str, observation: str) -> None:
    assert pages.is_the_real_one(command, observation), f"Write the page anew, from: {command}"


@pytest.mark.parametrize("page", [*PAGES, *BESIDE], ids=name_of)
def test_links_and_pictures_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text()):
        assert (page.parent / target).is_file(), target


def test_every_path_of_the_architecture_page_exists() -> None:
    text = (DOCS / "architecture.md").read_text()
    paths = set(re.findall(r"`([\w./-]*(?:/|\.py|\.toml))`", text))
    assert len(paths) > 20
    for path in paths:
        assert (PACKAGE / path).exists() or (ROOT / path).exists(), path


def test_the_layers_of_the_architecture_page_are_those_of_the_contract() -> None:
    text = (DOCS / "architecture.md").read_text()
    picture = text.split("<!-- layers -->\n```text\n")[1].split("```")[0]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    assert [re.split(r"  +", line)[0] for line in picture.splitlines()] == layers
