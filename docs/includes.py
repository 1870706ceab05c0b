"""Includes in pages: parts of the README, the changelog, examples, the games' data, the command's help.

A line `<!-- include: KIND ARGUMENT -->` of a page is replaced by what the function in `KINDS` returns. This is an
extension of Python-Markdown, named in `zensical.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

import craftax_text_gym
from craftax_text_gym import games, handbook
from craftax_text_gym.cli import app
from craftax_text_gym.evaluation import PROTOCOLS
from craftax_text_gym.evaluation.tables import markdown_table
from craftax_text_gym.utils.validation import check_choice

ROOT = Path(craftax_text_gym.__file__).parent.parent
"""The repository, from the editable install; the pages themselves may be built from a copy."""

NOT_SETTABLE = ("max_timesteps",)
"""Fields of `EnvParams` that `env_params` rejects."""

_LINE = re.compile(r"<!-- include: (\w+) ?(.*) -->")
_BEFORE_FENCES = 31  # Python-Markdown priorities: after line endings are normalised (30), before fences are read (25)


def file(path: str) -> str:
    """A whole file, such as `CHANGELOG.md`."""
    return (ROOT / path).read_text(encoding="utf-8")


def example(path: str) -> str:
    """A program of the folder `examples`, as code."""
    return f'```python title="examples/{path}"\n{file(f"examples/{path}")}```'


def table(name: str) -> str:
    """A table of the README between `<!-- table: NAME -->` and `<!-- end of table -->`."""
    return _only(rf"<!-- table: {name} -->\n(.*?)<!-- end of table -->", name)


def section(heading: str) -> str:
    """The first table of a section of the README."""
    return _only(rf"^##+ {heading}\n(?:(?!\||#).*\n)*((?:\|.*\n)+)", heading)


def shown(game: str) -> str:
    """The README's observation of a game."""
    return _only(rf"^<!-- craftax-text show --game {game} .*-->\n(````text\n(?:.*\n)*?````)$", game)


def manual(game: str) -> str:
    """The rules of a game, as agents read them."""
    return handbook.manual(game)


def achievements(game: str) -> str:
    """A game's achievements: keys, labels and rewards."""
    rows = [(f"`{entry.key}`", entry.label, str(entry.reward)) for entry in games.get(game).achievements]
    return markdown_table(("Key", "In words", "Reward"), rows)


def params(game: str) -> str:
    """The fields that `env_params` may set."""
    settable = [entry for entry in games.get(game).params if entry.name not in NOT_SETTABLE]
    rows = [(f"`{entry.name}`", entry.kind.__name__, f"`{entry.default}`") for entry in settable]
    return markdown_table(("Field", "Type", "Default"), rows)


def protocols(_argument: str) -> str:
    """The evaluation protocols."""
    return markdown_table(
        ("Protocol", "What it is"), [(f"`{name}`", entry.summary) for name, entry in PROTOCOLS.items()]
    )


def dependencies(_argument: str) -> str:
    """The packages that this one needs, and which versions of them it allows."""
    required = tomllib.loads(file("pyproject.toml"))["project"]["dependencies"]
    return markdown_table(
        ("Package", "Allowed versions"), [(f"`{name}`", f"`{allowed}`") for name, allowed in map(_split, required)]
    )


def commands(_argument: str) -> str:
    """Every command with its arguments and options, read from the program."""
    return "\n\n".join(_command(words, entry) for words, entry in all_commands())


def all_commands() -> list[tuple[str, Any]]:
    """The words of each command, such as `"serve mcp"`, and its Typer object."""
    found: list[tuple[str, Any]] = []
    waiting: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while waiting:
        words, entry = waiting.pop(0)
        inner = getattr(entry, "commands", None)
        if inner is None:
            found.append((words, entry))
        else:
            waiting = [(f"{words} {name}".strip(), command) for name, command in inner.items()] + waiting
    return found


KINDS: dict[str, Callable[[str], str]] = {
    kind.__name__: kind
    for kind in (file, example, table, section, shown, manual, achievements, params, protocols, dependencies, commands)
}
"""Kind -> function that returns the text for an argument."""


def expand(line: str) -> list[str]:
    """Expand a line of a page.

    Args:
        line: The line.

    Returns:
        The included lines, or the line itself.

    Raises:
        ValueError: If the kind or its argument does not exist.
        OSError: If a file cannot be read.
    """
    asked = _LINE.fullmatch(line.strip())
    if asked is None:
        return [line]
    check_choice("kind of include", asked[1], KINDS)
    return KINDS[asked[1]](asked[2]).splitlines()


class IncludeExtension(Extension):
    """Expands includes before any Markdown is parsed."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register the preprocessor."""
        md.preprocessors.register(_Includes(md), "includes", _BEFORE_FENCES)


def makeExtension(**options: Any) -> IncludeExtension:  # noqa: N802
    """Make the extension; Python-Markdown calls this."""
    return IncludeExtension(**options)


class _Includes(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return [included for line in lines for included in expand(line)]


def _only(pattern: str, what: str) -> str:
    """The text of a pattern's group in the README."""
    found = re.search(pattern, file("README.md"), re.DOTALL if "end of table" in pattern else re.MULTILINE)
    if found is None:
        raise ValueError(f"Expected {what!r} in README.md, found nothing: has it been renamed?")
    return found[1]


def _split(requirement: str) -> tuple[str, str]:
    """A requirement's name and its versions."""
    name = re.split(r"[<>=!~]", requirement)[0]
    return name, requirement.removeprefix(name).replace(",", ", ")


def _command(words: str, command: Any) -> str:
    """One command's heading, help and options."""
    arguments = [entry for entry in command.params if entry.param_type_name == "argument"]
    options = [entry for entry in command.params if entry.param_type_name == "option"]
    rows = [(f"`{entry.name.upper()}`", entry.help, "") for entry in arguments]
    rows += [(f"`{entry.opts[0]}`", entry.help, _default(entry)) for entry in options]
    usage = " ".join(["craftax-text", words, *[entry.name.upper() for entry in arguments]])
    return f"## `{usage}`\n\n{command.help}\n\n{markdown_table(('Option', 'What it does', 'Default'), rows)}"


def _default(option: Any) -> str:
    return "" if option.is_flag or option.default in (None, "") else f"`{option.default}`"
