"""What a reason claims is so in the engine's state, and it claims nothing of what is dark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from craftax_text_gym.availability.reasons import explain
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.games.spec import GameSpec
from tests import proof
from tests.availability.cases import chance_states
from tests.worlds import GAMES, SLOTS, floor_of, scene_of

_PLURALS = {"torch": "torches", "arrow": "arrows", "book": "books", "rubies": "ruby"}
_LADDER_DOWN, _LADDER_UP = 2, 3


@dataclass
class Here:
    """A state, and the action of which a reason speaks."""

    spec: GameSpec
    state: Any
    action: str

    @property
    def ahead(self) -> tuple[int, int]:
        row, column = self.state.player_position + np.array(OFFSETS[int(self.state.player_direction)])
        return int(row), int(column)

    def is_lit(self, row: int, column: int) -> bool:
        if self.spec.key == "classic":
            return True
        return bool(self.state.light_map[int(self.state.player_level)][row, column] > 0.05)

    def is_inside(self, row: int, column: int) -> bool:
        return 0 <= row < self.spec.map_size[0] and 0 <= column < self.spec.map_size[1]

    def block(self, row: int, column: int) -> str:
        """The label of a block that is not dark."""
        if not self.is_inside(row, column):
            return "out of bounds"
        assert self.is_lit(row, column), f"{self.action}: of a dark tile nothing may be claimed"
        label = self.spec.blocks[int(self.state.map[floor_of(self.spec, self.state)][row, column])].label
        return label.removeprefix("vulnerable ")

    def item(self, row: int, column: int) -> int:
        assert self.is_lit(row, column), f"{self.action}: of a dark tile nothing may be claimed"
        return int(self.state.item_map[int(self.state.player_level)][row, column])

    def creatures(self) -> set[str]:
        """Who stands ahead."""
        found, floor = set(), floor_of(self.spec, self.state)
        for slots in SLOTS[self.spec.key]:
            mobs = getattr(self.state, slots.field)
            for slot in np.flatnonzero(mobs.mask[floor]) if slots.kind != "projectile" else ():
                if tuple(mobs.position[floor][slot].tolist()) == self.ahead:
                    kind = int(mobs.type_id[floor][slot]) if self.spec.key == "full" else 0
                    found.add(self.spec.mob(slots.kind, kind).label)  # type: ignore[arg-type]
        return found

    def owns(self, words: str) -> int:
        """How much of something is carried, or what a number of the player's own is."""
        name = words.replace(" ", "_")
        for suffix in ("", "s"):
            field = _PLURALS.get(name, name).removesuffix(suffix)
            if hasattr(self.state.inventory, field):
                return int(getattr(self.state.inventory, field))
        return int(getattr(self.state, {"experience_point": "player_xp"}.get(name, f"player_{name}")))


def _in_the_way(here: Here, what: str) -> bool:
    if what == "the edge of the world":
        return not here.is_inside(*here.ahead) or here.block(*here.ahead) == "out of bounds"
    label = re.sub(r"^an? ", "", what)
    if label in here.creatures():
        return here.is_lit(*here.ahead)
    items = {item.label: number for number, item in enumerate(here.spec.items)}
    if label.removeprefix("blocked ") in items and here.item(*here.ahead) == items[label.removeprefix("blocked ")]:
        return True
    return here.block(*here.ahead) == label


def _no_station(here: Here, label: str) -> bool:
    row, column = here.state.player_position
    near = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    return all(here.block(*place) != label for place in near if here.is_inside(*place))


def _lowest(here: Here) -> bool:
    return int(here.state.player_level) == len(here.spec.floors) - 1


def _is_shut(here: Here) -> bool:
    floor, place = int(here.state.player_level), tuple(here.state.player_position)
    on_it = not here.is_lit(*place) or here.item(*place) == _LADDER_DOWN
    return on_it and bool(here.state.monsters_killed[floor] < 8) and not _lowest(here)


def _is_idle(here: Here, label: str) -> bool:
    harvested = {here.spec.blocks[here.spec.block_index[harvest.block]].label for harvest in here.spec.harvests}
    return here.block(*here.ahead) == label and label not in harvested and not here.creatures()


def _lacks_tool(here: Here, label: str, tool: str) -> bool:
    tiers = next((tiers for field, tiers in here.spec.tools.items() if field == "pickaxe"), None)
    owned = here.owns("pickaxe") < tiers.index(tool) if tiers else not here.owns(tool)
    return here.block(*here.ahead) == label and owned and not here.creatures()


def _flying(here: Here, count: str) -> bool:
    return int(here.state.player_projectiles.mask[int(here.state.player_level)].sum()) == int(count)


def _has_already(here: Here, tool: str) -> bool:
    field = next(field for field, tiers in here.spec.tools.items() if tool in tiers)
    return here.spec.tools[field].index(tool) == here.owns(field)


CLAIMS: dict[str, Callable[..., bool]] = {
    r"you are (asleep|resting)": lambda here, how: bool(
        here.state.is_sleeping if how == "asleep" else here.state.is_resting
    ),
    r"needs (\d+) ([\w ]+): you have (\d+)": lambda here, least, what, has: here.owns(what) == int(has) < int(least),
    r"needs 1 ruby or 1 sapphire: you have neither": lambda here: not (here.owns("ruby") or here.owns("sapphire")),
    r"needs a (bow|sword)": lambda here, what: here.owns(what) == 0,
    r"needs armour": lambda here: not here.state.inventory.armour.any(),
    r"no (crafting table|furnace) within reach": _no_station,
    r"(.+) is in the way": _in_the_way,
    r"you are not facing grass": lambda here: here.block(*here.ahead) != "grass",
    r"you are not facing an enchantment table": lambda here: "enchantment" not in here.block(*here.ahead),
    r"(?:an? )?[\w ]+ cannot be placed on ([\w() ]+)": lambda here, label: here.block(*here.ahead) == label,
    r"there is nothing to do with ([\w() ]+)": _is_idle,
    r"([\w ]+) needs an? ([\w ]+)": _lacks_tool,
    r"the plant is not ripe": lambda here: here.block(*here.ahead) == "plant",
    r"the necromancer cannot be hurt (?:now|on this floor)": lambda here: here.block(*here.ahead) == "necromancer",
    r"you already carry (\d+) ([\w ]+)": lambda here, count, what: here.owns(what) == int(count),
    r"you already have an? ([\w ]+)": _has_already,
    r"every piece of your armour is already .+": lambda here: bool(here.state.inventory.armour.all()),
    r"you are not tired: your energy is full": lambda here: (
        here.state.player_energy >= scene_of(get_engine(here.spec.key), here.state).maxima["energy"]
    ),
    r"your health is full": lambda here: here.state.player_health >= 8 + here.state.player_strength,
    r"you are starving": lambda here: here.state.player_food <= 0,
    r"you are parched": lambda here: here.state.player_drink <= 0,
    r"you have not learned (\w+)": lambda here, spell: not here.state.learned_spells[here.spec.spells.index(spell)],
    r"you have no (\w+) potion": lambda here, colour: (
        here.state.inventory.potions[here.spec.potions.index(colour)] == 0
    ),
    r"(\d) shots of yours are still in flight": _flying,
    r"you are not on a ladder down": lambda here: here.item(*here.state.player_position) != _LADDER_DOWN,
    r"you are not on a ladder up": lambda here: here.item(*here.state.player_position) != _LADDER_UP,
    r"the ladder down is blocked until 8 monsters of this floor are killed": _is_shut,
    r"this is the lowest floor": _lowest,
    r"this is the highest floor": lambda here: int(here.state.player_level) == 0,
    r"(\w+) is already (\d), its maximum": lambda here, name, level: here.owns(name) == int(level),
}


@pytest.mark.parametrize("key", GAMES)
def test_what_a_reason_claims_is_so(key: str) -> None:
    engine, made = get_engine(key), Counter[str]()
    for state in chance_states(engine.spec, proof.count(4_000, 150), seed=11):
        scene = scene_of(engine, state)
        for number, action in enumerate(engine.spec.actions):
            here, reasons = Here(engine.spec, state, action), explain(scene, number)
            for reason in reasons.replace("vulnerable ", "").split("; ") if reasons else ():
                found = [(text, match) for text in CLAIMS if (match := re.fullmatch(text, reason))]
                assert any(CLAIMS[text](here, *match.groups()) for text, match in found), (action, reason)
                made[found[0][0]] += 1
    print(key, dict(made))
    assert len(made) > (10 if key == "classic" else 24)
