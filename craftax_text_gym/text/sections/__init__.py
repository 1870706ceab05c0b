"""The sections of a text, one file each. A new one is a new file and a line in `SECTIONS`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from craftax_text_gym.games.spec import GameSpec
    from craftax_text_gym.text.formats import TextFormat
    from craftax_text_gym.text.moment import Moment

SECTIONS: Mapping[str, str] = {
    "status": "craftax_text_gym.text.sections.status:Status",
    "inventory": "craftax_text_gym.text.sections.inventory:Inventory",
    "nearby": "craftax_text_gym.text.sections.nearby:Nearby",
    "map": "craftax_text_gym.text.sections.map:Map",
    "actions": "craftax_text_gym.text.sections.actions:Actions",
}
"""Name -> `"module:Class"`."""


class Section(Protocol):
    """A part of a text.

    Attributes:
        title: Its heading.
    """

    title: str

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        """Prepare whatever does not change from step to step."""

    def lines(self, moment: Moment) -> list[str]:
        """The section's lines; none where it has nothing to say."""


def load(name: str) -> type[Section]:
    """The class of a section.

    Args:
        name: A key of `SECTIONS`.

    Returns:
        The class.
    """
    module, _, attribute = SECTIONS[name].partition(":")
    section: type[Section] = getattr(import_module(module), attribute)
    return section
