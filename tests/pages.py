"""What pages for users hold - programs, commands, observations - and how to see whether it is true."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer
from typer.testing import CliRunner

from craftax_text_gym.cli import app
from tests.subprocesses import ROOT

DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = tuple(sorted(DOCS.rglob("*.md")))

_PROGRAM = re.compile(
    r"^```python(?: title=\"[^\"]*\")?\n(?P<code>.*?)^```$(?:\n+<!-- prints -->\n```text\n(?P<printed>.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)
_SHELL = re.compile(r"^```bash\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SHOWN = re.compile(r"^<!-- (craftax-text show .*?) -->\n````text\n(.*?)````$", re.DOTALL | re.MULTILINE)
_IN_A_BLOCK = re.compile(r"\bcraftax-text ([^;|&#\n]+)")
_IN_A_LINE = re.compile(r"`craftax-text ([^`]+)`")
_SAID = re.compile(r"^ *print\(.*\)  # (.+)$", re.MULTILINE)


class Program(NamedTuple):
    """A block of Python, and what the page says that it prints; None where it does not say."""

    code: str
    printed: str | None


def programs(page: str) -> list[Program]:
    """The blocks of Python of a page."""
    return [Program(**found.groupdict()) for found in _PROGRAM.finditer(page)]


def shell_blocks(page: str) -> list[str]:
    """The blocks of shell commands of a page."""
    return _SHELL.findall(page)


def shown(page: str) -> list[tuple[str, str]]:
    """The observations of a page, each after the command that prints it."""
    return _SHOWN.findall(page)


def commands(page: str) -> Iterator[list[str]]:
    """The words of every `craftax-text` command in a page's shell blocks and in its lines."""
    for block in shell_blocks(page):
        for words in _IN_A_BLOCK.findall(block.replace("\\\n", " ")):
            yield shlex.split(words)
    for words in _IN_A_LINE.findall(_SHELL.sub("", page)):
        yield shlex.split(words)


def run_program(program: Program, path: Path, names: dict[str, Any]) -> None:
    """Run a block and compare what it prints with what the page says, in a block or in comments beside `print`."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program.code, str(path), "exec"), names)
    for said in _SAID.findall(program.code):
        assert said in printed.getvalue().splitlines()
    if program.printed is not None:
        assert printed.getvalue() == program.printed


def parse(words: list[str]) -> None:
    """Read a command's arguments and options as the program would, and carry nothing out; wrong ones raise.

    Where a command is only named, without any, it has to exist.
    """
    command: Any = typer.main.get_command(app)
    name, context = "craftax-text", None
    with contextlib.suppress(typer.Exit):  # --version has done its work
        while words:
            context = command.make_context(name, list(words), parent=context)
            if not hasattr(command, "commands"):
                return
            name, command, words = command.resolve_command(context, [*context._protected_args, *context.args])


def is_the_real_one(command: str, observation: str) -> bool:
    """Whether a command prints an observation."""
    return CliRunner().invoke(app, shlex.split(command)[1:]).stdout == observation
