"""Loads sections and markups by name; a file of its own, because they import `section` and `markup`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from craftax_text_gym.text.markup import DataMarkup, WordMarkup
from craftax_text_gym.text.registry import MARKUPS, SECTIONS
from craftax_text_gym.text.section import Section
from craftax_text_gym.utils.plugins import load


def load_section(name: str) -> type[Section]:
    """Import the class of a section.

    Args:
        name: A key of `SECTIONS`, or a user's own `"package.module:Class"`.

    Returns:
        The class.

    Raises:
        ValueError: If it cannot be loaded.
    """
    section: type[Section] = _load("section", name, f"craftax_text_gym.text.sections.{name}", SECTIONS)
    return section


def load_markup(name: str) -> type[WordMarkup] | type[DataMarkup]:
    """Import the class of a markup.

    Args:
        name: A key of `MARKUPS`, or a user's own `"package.module:Class"`.

    Returns:
        The class.

    Raises:
        ValueError: If it cannot be loaded.
    """
    markup: type[WordMarkup] | type[DataMarkup] = _load(
        "markup", name, f"craftax_text_gym.text.markups.{name}", MARKUPS
    )
    return markup


def _load(what: str, name: str, module: str, classes: Mapping[str, str]) -> Any:
    return load(what, name, {name: f"{module}:{classes[name]}"} if name in classes else {})
