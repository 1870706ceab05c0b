"""From an observation's JSON to a typed view. Nothing else of the agent parses the text."""

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
class _Words:
    """What the words of a game mean.

    Attributes:
        symbols: Character code on the map -> block number, `UNSEEN` for all that covers a block.
        blocks: Block label -> number.
        mobs: Creature label -> its facts.
    """

    symbols: bytes
    blocks: Mapping[str, int]
    mobs: Mapping[str, Mob]


@lru_cache
def _words(spec: GameSpec) -> _Words:
    symbols = bytearray([UNSEEN]) * 256
    for number, block in enumerate(spec.blocks):
        symbols[ord(block.symbol)] = number
    labels = {block.label: number for number, block in enumerate(spec.blocks)}
    return _Words(bytes(symbols), labels, {mob.label: mob for mob in spec.mobs})


def read(observation: str) -> View:
    """Read an observation.

    Args:
        observation: The text of the format `"json"`.

    Returns:
        What it says.

    Raises:
        ValueError: If it is no such text.
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
    """The game that has so many achievements."""
    for key in ("classic", "full"):
        spec = games.get(key)
        if len(spec.achievements) == total:
            return spec
    raise KeyError(f"no game has {total} achievements")


def _view(spec: GameSpec, data: Mapping[str, Any]) -> View:
    status, inventory, nearby = data["status"], data["inventory"], data["nearby"]
    counts = {name: value for name, value in inventory.items() if isinstance(value, int)}
    worn = inventory.get("armour", {})
    enchanted = {piece: made["enchantment"] for piece, made in worn.items()}
    enchanted |= {tool: inventory.get(f"{tool}_enchantment") for tool in ("sword", "bow")}
    mobs = _words(spec).mobs
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
        necromancer_vulnerable=bool(status.get("necromancer_vulnerable")),
        experience=status.get("experience", 0),
        levels={name: status.get(name, 1) for name in ("strength", "dexterity", "intelligence")},
        spells=tuple(status.get("spells", ())),
        counts=counts,
        tiers=_tiers(spec, inventory),
        armour=tuple([spec.armour_tiers.index(made["material"] or "") for made in worn.values()]),
        enchanted={thing: name for thing, name in enchanted.items() if name},
        potions=inventory.get("potions", {}),
        blocks=_blocks(spec, data),
        items=tuple([(item["down"], item["right"], item["name"]) for item in _items(data)]),
        creatures=tuple([Creature(mobs[it["name"]], it["down"], it["right"]) for it in nearby["creatures"]]),
        shots=tuple(
            [Shot(it["down"], it["right"], it["heading"], it["owner"] == "player") for it in nearby["projectiles"]]
        ),
        achievements=frozenset(data["achievements"]["unlocked"]),
        actions=frozenset(data["actions"]),
    )


def _tiers(spec: GameSpec, inventory: Mapping[str, Any]) -> dict[str, int]:
    """The best of each kind of tool. Classic counts the tools of each material, the full game names the one."""
    if spec.tools:
        return {tool: labels.index(inventory[tool] or "") for tool, labels in spec.tools.items()}
    owned = {
        tool: max((tier for tier, made in enumerate(_TIERS, 1) if inventory.get(f"{made}_{tool}")), default=0)
        for tool in ("pickaxe", "sword")
    }
    return {**owned, "bow": 0}


def _items(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All that lies on tiles, that under creatures and under the player included."""
    under = data["status"]["underfoot"]["item"]
    found = list(data["nearby"]["items"])
    return [*found, {"down": 0, "right": 0, "name": under}] if under else found


def _blocks(spec: GameSpec, data: Mapping[str, Any]) -> bytes:
    """The window's blocks. The map draws what lies on them; the lists say what is below."""
    words = _words(spec)
    rows, columns = spec.window
    grid = bytearray("".join(data["map"]["rows"]).encode("ascii").translate(words.symbols))
    centre = rows // 2 * columns + columns // 2
    nearby = data["nearby"]
    for thing in (*nearby["creatures"], *nearby["projectiles"], *nearby["items"]):
        if thing["on"] is not None:
            grid[centre + thing["down"] * columns + thing["right"]] = words.blocks[thing["on"]]
    under = data["status"]["underfoot"]["block"]
    grid[centre] = UNSEEN if under is None else words.blocks[under]
    return bytes(grid)
