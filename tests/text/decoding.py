"""Reading an observation back, and saying from the raw state what must be read: two ways to one `Facts`."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

import numpy as np

from craftax_text_gym.games.shared import DIRECTIONS, OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.text import TextFormat
from craftax_text_gym.text.symbols import symbols
from tests.worlds import SLOTS, floor_of

Offset = tuple[int, int]

LIT_FLOORS = (0, 1, 3, 4, 6)
"""The full game's floors on which no tile of the map is ever dark."""


@dataclass
class Facts:
    """All that an observation tells, in whichever way. Offsets are (rows below, columns right of) the player."""

    vitals: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, int] = field(default_factory=dict)
    spells: tuple[str, ...] = ()
    floor: tuple[int, str] | None = None
    daylight: int = -1
    ladder: str = ""
    boss: str = ""
    states: frozenset[str] = frozenset()
    direction: str = ""
    faced: str = ""
    underfoot: str = ""
    inventory: Counter[str] = field(default_factory=Counter)
    blocks: dict[Offset, str] = field(default_factory=dict)
    items: dict[Offset, str] = field(default_factory=dict)
    things: Counter[tuple[str, Offset]] = field(default_factory=Counter)


def _sorted_things(phrase: str) -> str:
    """A tile's phrase with its things in one order: theirs is of no meaning."""
    things, *below = phrase.split(" on ")
    return " on ".join([" + ".join(sorted(things.split(" + "))), *below])


# From the text


@dataclass
class Layout:
    """A text taken apart: the lines of each section, and the grid's rows."""

    status: list[str] = field(default_factory=list)
    inventory: list[str] = field(default_factory=list)
    nearby: list[str] = field(default_factory=list)
    grid: list[str] = field(default_factory=list)
    legend: str = ""


def decode(text: str, spec: GameSpec, text_format: TextFormat) -> Facts:
    """Read an observation of any preset that shows a map."""
    if text_format.markup == "json":
        return _decode_json(json.loads(text), spec)
    if "balrog" in text_format.sections:
        return _decode_words(_take_balrog_apart(text), spec, text_format)
    if text_format.terse:
        return _decode_words(_take_terse_apart(text, spec), spec, text_format)
    return _decode_words(_take_apart(text, text_format), spec, text_format)


def _take_apart(text: str, text_format: TextFormat) -> Layout:
    if text_format.markup == "xml":
        parts = {element.tag.title(): (element.text or "").strip("\n") for element in ElementTree.fromstring(text)}
    else:
        mark, colon = ("## ", "") if text_format.markup == "markdown" else ("", ":")
        titles = ("Last action", "Status", "Inventory", "Nearby", "Map", "Available actions")
        pattern = rf"(?:^|\n\n){re.escape(mark)}({'|'.join(titles)}){colon}\n"
        pieces = re.split(pattern, text)
        parts = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    *grid, legend = [line for line in parts.get("Map", "").split("\n") if line != "```"]
    lists = {name: parts[name].split("\n") if name in parts else [] for name in ("Status", "Inventory", "Nearby")}
    return Layout(lists["Status"], lists["Inventory"], lists["Nearby"], grid, legend)


def _take_terse_apart(text: str, spec: GameSpec) -> Layout:
    """Without headings the lines tell themselves apart by their form."""
    lines = text.split("\n")
    at = next(index for index, line in enumerate(lines) if line.startswith("health "))
    end = next(index for index, line in enumerate(lines) if line.startswith("facing ")) + 1
    rows = spec.window[0]
    grid = len(lines) - 1 - rows
    nearby = next((i for i in range(end, grid) if re.search(r": (here|\d)", lines[i]) and ", on " in lines[i]), grid)
    facing, _, underfoot = lines[end - 1].partition("; ")
    status = [re.sub(r" (?=[a-z])", ", ", lines[at]), *lines[at + 1 : end - 1], facing, underfoot]
    return Layout(status, lines[end:nearby], lines[nearby:grid], lines[grid:-1], lines[-1])


def _take_balrog_apart(text: str) -> Layout:
    found = re.search(
        r"Your status:\n(.*)\nYour inventory:\n(.*)\nYou see:\n(.*)\nYou face (.+) at your front \((\w+)\)\.\n"
        r"You stand on ([^\n]+)\.",
        text,
        re.DOTALL,
    )
    assert found, text
    status, inventory, nearby = ([line.removeprefix("- ") for line in found[n].split("\n")] for n in (1, 2, 3))
    place = ", ".join(line for line in status if re.match(r"floor|daylight|ladder|necromancer", line))
    groups = [
        ", ".join(line for line in status if re.fullmatch(r"\w+ [\d.]+/\d+", line)),
        ", ".join(line for line in status if re.fullmatch(r"\w+ \d+", line)),
        place,
        "; ".join(line for line in status if line.startswith("you ")),
        f"facing {found[5]}: {found[4]}",
        f"underfoot: {found[6]}",
    ]
    groups[1] += "".join(f"; {line}" for line in status if line.startswith("spells: "))
    return Layout([line for line in groups if line], inventory, nearby)


def _decode_words(layout: Layout, spec: GameSpec, text_format: TextFormat) -> Facts:
    facts = Facts()
    back = {"north": "up", "south": "down", "west": "left", "east": "right"}

    def words(line: str) -> str:
        """The line in the words of the actions."""
        if text_format.directions == "up":
            return line
        return re.sub(r"\b(north|south|west|east)\b", lambda match: back[match[1]], line)

    _read_status([words(line) for line in layout.status], spec, text_format, facts)
    for line in layout.inventory:
        kind, _, entries = line.rpartition(": ")
        facts.inventory.update(f"{kind}: {entry}".removeprefix(": ") for entry in entries.split(", "))
    for nothing in ("nothing", "carrying nothing"):
        facts.inventory.pop(nothing, None)
    listed = _read_nearby([words(line) for line in layout.nearby], spec, facts)
    if layout.grid:
        _read_grid(layout.grid, layout.legend, spec, facts, terse=text_format.terse)
    # An overlaid tile's block stands in the list, beside what lies on it.
    facts.blocks[0, 0] = facts.underfoot.split(" on ")[-1]
    for offset, label in listed.items():
        assert facts.blocks.get(offset, label) == label, (offset, label, facts.blocks[offset])
        facts.blocks[offset] = label
    return facts


def _read_status(lines: list[str], spec: GameSpec, text_format: TextFormat, facts: Facts) -> None:
    facts.vitals = dict(entry.split(" ") for entry in lines[0].split(", "))
    if text_format.terse:
        facts.vitals = {name: f"{value}/{{}}" for name, value in facts.vitals.items()}
    states: list[str] = []
    long = {"xp": "experience", "dex": "dexterity", "str": "strength", "int": "intelligence"}
    for line in lines[1:]:
        if line.startswith(("experience", "xp")):
            numbers, _, spells = line.partition("; spells: ")
            found = re.findall(r"(\w+) (\d+)", numbers)
            facts.attributes = {long.get(name, name): int(value) for name, value in found}
            facts.spells = tuple(spells.split(", ")) if spells else ()
        elif match := re.fullmatch(r"(?:floor (\d+)(?: \(([^)]+)\))?, )?daylight (\d+)%(?:, (.*))?", line):
            if match[1]:
                facts.floor = int(match[1]), match[2] or spec.floors[int(match[1])].label
                key, _, value = match[4].rpartition(" ")
                setattr(facts, {"ladder down": "ladder", "necromancer": "boss"}[key], value)
            facts.daylight = int(match[3])
        elif match := re.fullmatch(r"facing (\w+): (.+)", line):
            facts.direction, facts.faced = match[1], _sorted_things(match[2])
        elif line.startswith("underfoot: "):
            facts.underfoot = _sorted_things(line.removeprefix("underfoot: "))
        else:
            states += line.split("; ")
    facts.states = frozenset(states)
    if text_format.terse:  # the maxima follow from the attributes
        body = 7 + 2 * facts.attributes.get("dexterity", 1)
        caps = {"health": 8 + facts.attributes.get("strength", 1), "food": body, "drink": body, "energy": body}
        caps["mana"] = 6 + 3 * facts.attributes.get("intelligence", 1)
        facts.vitals = {name: value.format(caps[name]) for name, value in facts.vitals.items()}


def _offsets(words: str) -> list[Offset]:
    """The tiles of a stretch such as `3 up 1-4 left`."""
    if words == "here":
        return [(0, 0)]
    match = re.fullmatch(
        r"(?:(\d+) (up|down))? ?(?:(?:(\d+) left to (\d+) right)|(?:(\d+)(?:-(\d+))? (left|right)))?", words
    )
    assert match, words
    down = int(match[1] or 0) * (-1 if match[2] == "up" else 1)
    if match[3]:
        columns = range(-int(match[3]), int(match[4]) + 1)
    elif match[5]:
        first, last = int(match[5]), int(match[6] or match[5])
        columns = range(-last, -first + 1) if match[7] == "left" else range(first, last + 1)
    else:
        columns = range(1)
    return [(down, right) for right in columns]


def _read_nearby(lines: list[str], spec: GameSpec, facts: Facts) -> dict[Offset, str]:
    item_labels = {item.label for item in spec.items[1:]}
    listed: dict[Offset, str] = {}
    rest = None
    for line in lines:
        label, _, where = line.partition(": ")
        if label == "everything else":
            rest = where
        elif label == "nearest terrain" or line == "nothing":
            continue
        elif ", on " in where:
            for group in where.split("; "):
                words, _, ground = group.partition(", on ")
                for offset in [offset for part in words.split(", ") for offset in _offsets(part)]:
                    listed[offset] = ground.split(" on ")[-1]
                    if label in item_labels:
                        facts.items[offset] = label
                    else:
                        facts.things[label, offset] += 1
        else:
            for words in where.split(", "):
                listed |= dict.fromkeys(_offsets(words), label)
    if rest is not None:
        _fill(spec, facts, listed, rest)
    return listed


def _fill(spec: GameSpec, facts: Facts, listed: dict[Offset, str], rest: str) -> None:
    rows, columns = spec.window
    for down in range(-(rows // 2), rows // 2 + 1):
        for right in range(-(columns // 2), columns // 2 + 1):
            facts.blocks[down, right] = listed.get((down, right), rest)


def _read_grid(grid: list[str], legend: str, spec: GameSpec, facts: Facts, *, terse: bool) -> None:
    entries = dict(re.findall(r"(?:^|, )(.)" + ("" if terse else " ") + r"([^,]+)", legend))
    if terse:
        entries["@"] = "you"
    _use_grid(grid, entries, spec, facts)


def _use_grid(grid: list[str], legend: dict[str, str], spec: GameSpec, facts: Facts) -> None:
    rows, columns = spec.window
    assert len(grid) == rows
    assert all(len(row) == columns for row in grid), grid
    labels = {block.label for block in spec.blocks} | {"darkness"}
    assert set(legend) == set("".join(grid)), "the legend names what is in view, and nothing else"
    assert all(symbols(spec)[symbol] == words for symbol, words in legend.items())
    for row, line in enumerate(grid):
        for column, symbol in enumerate(line):
            if legend[symbol] in labels:
                facts.blocks[row - rows // 2, column - columns // 2] = legend[symbol]


def _decode_json(data: Any, spec: GameSpec) -> Facts:
    status, inventory, nearby = data["status"], data["inventory"], data["nearby"]
    facts = Facts()
    _use_grid(data["map"]["rows"], data["map"]["legend"], spec, facts)
    for vital, cap in status["maxima"].items():
        facts.vitals[vital] = f"{cut(status[vital])}/{cap}"
    flags = {
        "you are asleep": status["asleep"],
        "you have died": status["dead"],
        "you are resting": status.get("resting", False),
        "you have defeated the necromancer": status.get("boss_defeated", False),
    }
    facts.states = frozenset(words for words, holds in flags.items() if holds)
    facts.daylight, facts.direction = round(100 * status["daylight"]), status["facing"]
    if spec.key == "full":
        facts.attributes = {name: status[name] for name in ("experience", "dexterity", "strength", "intelligence")}
        facts.spells = tuple(status["spells"])
        facts.floor = status["floor"], status["floor_name"]
        if status["necromancer_vulnerable"] is None:
            facts.ladder = "open" if status["ladder_down_open"] else "closed"
        else:
            facts.boss = "vulnerable" if status["necromancer_vulnerable"] else "invulnerable"
    facts.inventory = _json_inventory(inventory, spec)
    for entry in (*nearby["creatures"], *nearby["projectiles"], *nearby["items"]):
        offset = entry["down"], entry["right"]
        facts.blocks[offset] = entry["on"] or "darkness"
        if "owner" in entry:
            mine = "your " if entry["owner"] == "player" else ""
            facts.things[f"{mine}{entry['name']} flying {entry['heading']}", offset] += 1
        elif entry in nearby["creatures"]:
            facts.things[entry["name"], offset] += 1
        else:
            facts.items[offset] = entry["name"]
    for label, offsets in nearby["blocks"].items():
        for down, right in offsets:
            assert facts.blocks.get((down, right), label) == label
            facts.blocks[down, right] = label
    facts.blocks[0, 0] = status["underfoot"]["block"] or "darkness"
    facts.faced = _phrase(facts, OFFSETS[DIRECTIONS.index(facts.direction)])
    facts.underfoot = _phrase(facts, (0, 0))
    for name, offset in (("faced", OFFSETS[DIRECTIONS.index(facts.direction)]), ("underfoot", (0, 0))):
        assert (status[name]["block"] or "darkness") == facts.blocks[offset]
        assert status[name]["item"] == facts.items.get(offset)
    return facts


def _json_inventory(inventory: Any, spec: GameSpec) -> Counter[str]:
    carried: Counter[str] = Counter()

    def enchanted(words: str, enchantment: str | None) -> str:
        return f"{words} ({enchantment})" if enchantment else words

    for name in spec.materials:
        value, enchantment = inventory[name], inventory.get(f"{name}_enchantment")
        if name in spec.tools and (value or enchantment):
            carried[enchanted(value or f"no {name}", enchantment)] += 1
        elif value:
            carried[f"{name.replace('_', ' ')} {value}"] += 1
    for piece, worn in inventory.get("armour", {}).items():
        if worn["material"] or worn["enchantment"]:
            carried["armour: " + enchanted(f"{worn['material'] or 'no'} {piece}", worn["enchantment"])] += 1
    for colour, count in inventory.get("potions", {}).items():
        if count:
            carried[f"potions: {colour} {count}"] += 1
    return carried


# From the state


def expect(state: Any, spec: GameSpec) -> Facts:
    """What a state's observation must tell, by plain NumPy on the raw `EnvState`."""
    facts = Facts()
    _expect_map(state, spec, facts)
    _expect_person(state, spec, facts)
    facts.inventory = _expect_inventory(state, spec)
    facts.direction = DIRECTIONS[int(state.player_direction)]
    facts.faced = _phrase(facts, OFFSETS[int(state.player_direction)])
    facts.underfoot = _phrase(facts, (0, 0))
    return facts


def _phrase(facts: Facts, offset: Offset) -> str:
    things = " + ".join(
        label for (label, where), count in facts.things.items() for _ in range(count) if where == offset
    )
    layers = [things, facts.items.get(offset, ""), facts.blocks[offset]]
    return _sorted_things(" on ".join(layer for layer in layers if layer))


def _expect_map(state: Any, spec: GameSpec, facts: Facts) -> None:
    floor, full = floor_of(spec, state), spec.key == "full"
    centre_row, centre_column = (int(value) for value in state.player_position)
    rows, columns = spec.window
    vulnerable = full and _is_vulnerable(state)
    is_open = full and state.monsters_killed[floor] >= spec.kills_to_open
    seen: set[Offset] = set()
    for down in range(-(rows // 2), rows // 2 + 1):
        for right in range(-(columns // 2), columns // 2 + 1):
            row, column = centre_row + down, centre_column + right
            inside = 0 <= row < spec.map_size[0] and 0 <= column < spec.map_size[1]
            if full and not (inside and state.light_map[floor][row, column] > 0.05):
                is_edge = not inside and floor in LIT_FLOORS
                facts.blocks[down, right] = "out of bounds" if is_edge else "darkness"
                continue
            name = spec.blocks[state.map[floor][row, column]].name if inside else "out_of_bounds"
            if name == "necromancer" and vulnerable:
                name = "necromancer_vulnerable"
            facts.blocks[down, right] = spec.blocks[spec.block_index[name]].label
            seen.add((down, right))
            item = int(state.item_map[floor][row, column]) if full else 0
            if item:
                blocked = spec.items[item].name == "ladder_down" and not is_open
                facts.items[down, right] = spec.items[item].label if not blocked else "blocked ladder down"
    for slots in SLOTS[spec.key]:
        mobs = getattr(state, slots.field)
        for slot in np.flatnonzero(mobs.mask[floor]):
            down, right = (int(value) for value in mobs.position[floor][slot] - state.player_position)
            if (down, right) not in seen:
                continue
            kind = int(mobs.type_id[floor][slot]) if full else 0
            if slots.headings:
                step = tuple(int(value) for value in getattr(state, slots.headings)[floor][slot])
                label = f"{spec.projectiles[kind].label} flying {DIRECTIONS[OFFSETS.index(step)]}"
                label = f"your {label}" if slots.field == "player_projectiles" else label
            else:
                label = spec.mob(slots.kind, kind).label  # type: ignore[arg-type]
            facts.things[label, (down, right)] = 1  # what looks alike is told once


def _is_vulnerable(state: Any) -> bool:
    floor = int(state.player_level)
    alive = state.melee_mobs.mask[floor].any() or state.ranged_mobs.mask[floor].any()
    return not alive and state.boss_timesteps_to_spawn_this_round <= 0


def _expect_person(state: Any, spec: GameSpec, facts: Facts) -> None:
    full = spec.key == "full"
    most = dict.fromkeys(("health", "food", "drink", "energy"), 9)
    dead = state.player_health <= 0
    states = {"you are asleep": bool(state.is_sleeping), "you have died": bool(dead)}
    if full:
        dexterity, strength = int(state.player_dexterity), int(state.player_strength)
        intelligence = int(state.player_intelligence)
        most = {"health": 8 + strength, **dict.fromkeys(("food", "drink", "energy"), 7 + 2 * dexterity)}
        most["mana"] = 6 + 3 * intelligence
        facts.attributes = {
            "experience": int(state.player_xp),
            "dexterity": dexterity,
            "strength": strength,
            "intelligence": intelligence,
        }
        facts.spells = tuple(spell for spell, known in zip(spec.spells, state.learned_spells, strict=True) if known)
        floor = int(state.player_level)
        facts.floor = floor, spec.floors[floor].label
        if floor == 8:
            facts.boss = "vulnerable" if _is_vulnerable(state) else "invulnerable"
        else:
            facts.ladder = "open" if state.monsters_killed[floor] >= spec.kills_to_open else "closed"
        states |= {
            "you are resting": bool(state.is_resting),
            "you have defeated the necromancer": state.boss_progress >= 8,
        }
    else:
        row, column = state.player_position
        states["you have died"] = bool(dead) or spec.blocks[state.map[row, column]].name == "lava"
    facts.states = frozenset(words for words, holds in states.items() if holds)
    facts.daylight = round(100 * float(state.light_level))
    for vital, cap in most.items():
        value = float(getattr(state, f"player_{vital}"))
        facts.vitals[vital] = f"{cut(value)}/{cap}"


def cut(value: float) -> str:
    """A number to two decimals, never rounded up and never 0 above zero: of what NumPy prints for the float32."""
    whole, _, decimals = np.format_float_positional(np.float32(value)).partition(".")
    text = f"{whole}.{decimals[:2]}".rstrip("0").rstrip(".")
    return "0.01" if value > 0 and float(text) == 0 else text


def _expect_inventory(state: Any, spec: GameSpec) -> Counter[str]:
    carried: Counter[str] = Counter()
    for name in spec.materials:
        count = int(getattr(state.inventory, name))
        tiers = spec.tools.get(name)
        enchantment = {"sword": "sword_enchantment", "bow": "bow_enchantment"}.get(name)
        number = int(getattr(state, enchantment)) if enchantment and spec.key == "full" else 0
        if tiers:
            words = tiers[count] or f"no {name}"
            if count or number:
                carried[f"{words} ({spec.enchantments[number]})" if number else words] += 1
        elif count:
            carried[f"{name.replace('_', ' ')} {count}"] += 1
    if spec.key == "full":
        for piece, tier, number in zip(spec.armour, state.inventory.armour, state.armour_enchantments, strict=True):
            words = f"{('no', 'iron', 'diamond')[tier]} {piece}"
            if tier or number:
                carried[f"armour: {words} ({spec.enchantments[number]})" if number else f"armour: {words}"] += 1
        for colour, count in zip(spec.potions, state.inventory.potions, strict=True):
            if count:
                carried[f"potions: {colour} {count}"] += 1
    return carried
