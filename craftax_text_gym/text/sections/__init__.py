"""The sections of a text, one file each. A new one is a new file and a line in `SECTIONS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from craftax_text_gym.utils.plugins import load as _load

if TYPE_CHECKING:
    from craftax_text_gym.games.spec import GameSpec
    from craftax_text_gym.observation.moment import Moment
    from craftax_text_gym.text.formats import TextFormat

_HERE = "craftax_text_gym.text.sections"

SECTIONS: Mapping[str, str] = {
    "feedback": f"{_HERE}.feedback:Feedback",
    "status": f"{_HERE}.status:Status",
    "inventory": f"{_HERE}.inventory:Inventory",
    "nearby": f"{_HERE}.nearby:Nearby",
    "map": f"{_HERE}.map:Map",
    "achievements": f"{_HERE}.achievements:Achievements",
    "actions": f"{_HERE}.actions:Actions",
    "balrog": f"{_HERE}.balrog:Balrog",
}
"""Name -> `"module:Class"`."""


class Body(NamedTuple):
    """What a section says.

    Attributes:
        lines: Lines of words.
        grid: Rows of characters that stand above the lines, their width to be kept.
    """

    lines: list[str]
    grid: tuple[str, ...] = ()


class Section(Protocol):
    """A part of a text; a user's own needs no more than this.

    Attributes:
        title: Its heading; `""` for none.
    """

    title: str

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        """Prepare whatever does not change from step to step."""

    def body(self, moment: Moment) -> Body | None:
        """The section in words; None where it has nothing to say."""

    def data(self, moment: Moment) -> Any:
        """The section as JSON values, for markups that are structured."""


def load(name: str) -> type[Section]:
    """The class of a section.

    Args:
        name: A key of `SECTIONS`, or a user's own `"package.module:Class"`.

    Returns:
        The class.

    Raises:
        ValueError: If it cannot be loaded.
    """
    section: type[Section] = _load("section", name, SECTIONS)
    return section
