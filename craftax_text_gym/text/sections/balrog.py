"""The shape of BALROG's Crafter text, but with every instance and exact offsets."""

from __future__ import annotations

from typing import Any

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text import phrases
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.schema_parts import Schema, object_of
from craftax_text_gym.text.section import Body
from craftax_text_gym.text.sections.inventory import Inventory
from craftax_text_gym.text.sections.nearby import Nearby
from craftax_text_gym.text.sections.status import Status


class Balrog:
    """Status, inventory, what is seen and what is faced, one entry a line."""

    title = ""

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._status = Status(spec, text_format)
        self._inventory = Inventory(spec, text_format)
        self._nearby = Nearby(spec, text_format)
        self._words = phrases.DIRECTIONS[text_format.directions]

    def body(self, moment: Moment) -> Body:
        """The section in words."""
        scene = moment.scene
        *status, _, _ = self._status.body(moment).lines
        seen = self._nearby.body(moment)
        facing = getattr(self._words, scene.direction)
        ahead = scene.ahead
        lines = ["Your status:", *_items(_one_a_line([part for line in status for part in line.split("; ")]))]
        lines += ["Your inventory:", *_items(_one_a_line(self._inventory.body(moment).lines))]
        lines += ["You see:", *_items(seen.lines if seen else ["nothing"])]
        lines.append(f"You face {phrases.tile_at(scene, ahead, self._words)} at your front ({facing}).")
        lines.append(f"You stand on {phrases.tile_at(scene, (0, 0), self._words)}.")
        return Body(lines)

    def data(self, moment: Moment) -> dict[str, Any]:
        """The section as JSON values."""
        return {
            "status": self._status.data(moment),
            "inventory": self._inventory.data(moment),
            "nearby": self._nearby.data(moment),
        }

    def schema(self) -> Schema:
        """The JSON Schema of its data."""
        return object_of(status=self._status.schema(), inventory=self._inventory.schema(), nearby=self._nearby.schema())


def _one_a_line(lines: list[str]) -> list[str]:
    """Cut enumerations apart, but for those under a heading of their own such as `armour: …`."""
    return [entry for line in lines for entry in ([line] if ": " in line else line.split(", "))]


def _items(entries: list[str]) -> list[str]:
    return [f"- {entry}" for entry in entries]
