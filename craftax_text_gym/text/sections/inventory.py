"""What the player carries and wears."""

from __future__ import annotations

from typing import Any

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.scene import Scene
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.moment import Moment
from craftax_text_gym.text.sections import Body


class Inventory:
    """Materials and tools with counts, weapons and armour with enchantments, potions."""

    title = "Inventory"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._names = [(name.replace("_", " "), spec.tools.get(name)) for name in spec.materials]
        self._weapons = [spec.materials.index(name) for name in ("sword", "bow") if name in spec.tools]
        self._full = spec.key == "full"
        self._absent = text_format.absent
        self._silent = Body(["carrying nothing"]) if text_format.terse else Body(["nothing"])

    def body(self, moment: Moment) -> Body:
        """The section in words."""
        scene = moment.scene
        counts = scene.numbers("materials")
        carried = [
            (tiers[count] or f"no {name}") if tiers else f"{name} {count}"
            for (name, tiers), count in zip(self._names, counts, strict=True)
            if count or self._absent
        ]
        if any(scene.weapon_enchantments):
            carried = self._enchanted(scene, counts, carried)
        lines = [", ".join(carried)] if carried else []
        if self._full:
            lines += _worn(scene, self._absent) + _potions(scene, self._absent)
        return Body(lines) if lines else self._silent

    def data(self, moment: Moment) -> dict[str, Any]:
        """The section as JSON values, what is absent included."""
        scene, spec = moment.scene, moment.scene.spec
        tools = {name: spec.tools[name][count] or None for name, count in scene.materials.items() if name in spec.tools}
        data: dict[str, Any] = {name: count for name, count in scene.materials.items() if name not in spec.tools}
        if not self._full:
            return data
        names = [name or None for name in spec.enchantments]
        sword, bow = scene.weapon_enchantments
        worn = zip(spec.armour, scene.armour, scene.armour_enchantments, strict=True)
        data |= tools | {"sword_enchantment": names[sword], "bow_enchantment": names[bow]}
        data["armour"] = {
            piece: {"material": spec.armour_tiers[tier] or None, "enchantment": names[enchantment]}
            for piece, tier, enchantment in worn
        }
        data["potions"] = scene.potions
        if scene.potion_effects is not None:
            data["potion_effects"] = {colour: list(effect) for colour, effect in scene.potion_effects.items()}
        return data

    def _enchanted(self, scene: Scene, counts: tuple[int, ...], carried: list[str]) -> list[str]:
        """Add the enchantments of the sword and the bow."""
        for index, enchantment in zip(self._weapons, scene.weapon_enchantments, strict=True):
            if enchantment:
                name, tiers = self._names[index]
                label = (tiers or {})[counts[index]] or f"no {name}"
                enchanted = f"{label} ({scene.spec.enchantments[enchantment]})"
                carried = [enchanted if words == label else words for words in carried]
                if enchanted not in carried:
                    carried.append(enchanted)
        return carried


def _worn(scene: Scene, absent: bool) -> list[str]:
    """The armour; an empty slot is told where it is enchanted, as the game allows."""
    spec, worn = scene.spec, []
    for piece, tier, enchantment in zip(spec.armour, scene.armour, scene.armour_enchantments, strict=True):
        if tier or enchantment or absent:
            words = f"{spec.armour_tiers[tier] or 'no'} {piece}"
            worn.append(f"{words} ({spec.enchantments[enchantment]})" if enchantment else words)
    return [f"armour: {', '.join(worn)}"] if worn else []


def _potions(scene: Scene, absent: bool) -> list[str]:
    effects = scene.potion_effects or {}
    potions = []
    for colour, count in scene.potions.items():
        if count or absent:
            vital, change = effects.get(colour, ("", 0))
            potions.append(f"{colour} {count}" + (f" ({vital} {change:+})" if vital else ""))
    return [f"potions: {', '.join(potions)}"] if potions else []
