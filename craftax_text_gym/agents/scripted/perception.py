"""Parse the JSON of an observation into a typed view. No other module parses text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from craftax_text_gym import games
from craftax_text_gym.agents.scripted.view import UNSEEN, Creature, Shot, View
from craftax_text_gym.games.spec import GameSpec, Mob

_TIERS = ("wood", "stone", "iron", "diamond")


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What the symbols and labels of a game mean.

    Attributes:
        symbols: Character code on the map -> block number; `UNSEEN` for anything that covers a block.
        blocks: Block label -> number.
        mobs: Creature label -> mob.
    """

    symbols: bytes
    blocks: Mapping[str, int]
    mobs: Mapping[str, Mob]


@lru_cache
def _vocabulary(spec: GameSpec) -> _Vocabulary:
    symbols = bytearray([UNSEEN]) * 256
    for number, block in enumerate(spec.blocks):
        symbols[ord(block.symbol)] = number
    labels = {block.label: number for number, block in enumerate(spec.blocks)}
    return _Vocabulary(bytes(symbols), labels, {mob.label: mob for mob in spec.mobs})


def read(observation: str) -> View:
    """Parse an observation.

    Args:
        observation: The text of the format `"json"`.

    Returns:
        The view.

    Raises:
        ValueError: If the text is not of that format.
    """
    try:
        data = json.loads(observation)
        spec = _game(data["achievements"]["total"])
        return _view(spec, data)
    except (KeyError, TypeError, json.JSONDecodeError) as problem:
        raise ValueError(
            f"Expected an observation of text_format='json', got {observation[:60]!r} ({problem!r}). "
            "Make the environment with text_format='json'."
        ) from problem


@lru_cache
def _game(total: int) -> GameSpec:
    """The game with that number of achievements."""
    for key in ("classic", "full"):
        spec = games.get(key)
        if len(spec.achievements) == total:
            return spec
    raise KeyError(f"no game has {total} achievements")


def _view(spec: GameSpec, data: Mapping[str, Any]) -> View:
    status, inventory, nearby = data["status"], data["inventory"], data["nearby"]
    counts = {name: value for name, value in inventory.items() if isinstance(value, int)}
    worn = inventory.get("armour", {})
    mobs = _vocabulary(spec).mobs
    return View(
        spec=spec,
        feedback=tuple(data["feedback"]),
        health=status["health"],
        wants={name: status[name] for name in ("food", "drink", "energy")},
        mana=status.get("mana", 0),
        maxima=status["maxima"],
        daylight=status["daylight"],
        is_idle=status["asleep"] or status.get("resting", False),
        facing=status["facing"],
        faces_unseen=status["faced"]["block"] is None,
        floor=status.get("floor", 0),
        ladder_open=status.get("ladder_down_open", False),
        experience=status.get("experience", 0),
        counts=counts,
        tiers=_tiers(spec, inventory),
        armour=tuple([spec.armour_tiers.index(made["material"] or "") for made in worn.values()]),
        potions=inventory.get("potions", {}),
        blocks=_blocks(spec, data),
        items=tuple([(item["down"], item["right"], item["name"]) for item in _items(data)]),
        creatures=tuple([Creature(mobs[it["name"]], it["down"], it["right"]) for it in nearby["creatures"]]),
        shots=tuple(
            [Shot(it["down"], it["right"], it["heading"], it["owner"] == "player") for it in nearby["projectiles"]]
        ),
        achievements=frozenset(data["achievements"]["unlocked"]),
        actions=frozenset((*data["actions"]["available"], *data["actions"]["perhaps"])),
    )


def _tiers(spec: GameSpec, inventory: Mapping[str, Any]) -> dict[str, int]:
    """The best tier of each tool. Classic counts the tools of each material; the full game names the only one."""
    if spec.tools:
        return {tool: labels.index(inventory[tool] or "") for tool, labels in spec.tools.items()}
    owned = {
        tool: max((tier for tier, made in enumerate(_TIERS, 1) if inventory.get(f"{made}_{tool}")), default=0)
        for tool in ("pickaxe", "sword")
    }
    return {**owned, "bow": 0}


def _items(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All items, including those under creatures and under the player."""
    under = data["status"]["underfoot"]["item"]
    found = list(data["nearby"]["items"])
    return [*found, {"down": 0, "right": 0, "name": under}] if under else found


def _blocks(spec: GameSpec, data: Mapping[str, Any]) -> bytes:
    """The blocks of the window. The map shows what covers a block; the lists name the block below."""
    vocabulary = _vocabulary(spec)
    rows, columns = spec.window
    grid = bytearray("".join(data["map"]["rows"]).encode("ascii").translate(vocabulary.symbols))
    centre = rows // 2 * columns + columns // 2
    nearby = data["nearby"]
    for thing in (*nearby["creatures"], *nearby["projectiles"], *nearby["items"]):
        if thing["on"] is not None:
            grid[centre + thing["down"] * columns + thing["right"]] = vocabulary.blocks[thing["on"]]
    under = data["status"]["underfoot"]["block"]
    grid[centre] = UNSEEN if under is None else vocabulary.blocks[under]
    return bytes(grid)
