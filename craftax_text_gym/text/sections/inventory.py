"""What the player carries and wears."""

from __future__ import annotations

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.scene import Scene
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.moment import Moment


class Inventory:
    """Materials and tools with counts, weapons and armour with enchantments, potions."""

    title = "Inventory"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._names = [(name.replace("_", " "), spec.tools.get(name)) for name in spec.materials]
        self._weapons = [spec.materials.index(name) for name in ("sword", "bow") if name in spec.tools]
        self._full = spec.key == "full"

    def lines(self, moment: Moment) -> list[str]:
        scene = moment.scene
        counts = tuple(scene.materials.values())
        carried = [
            tiers[count] if tiers else f"{name} {count}"
            for (name, tiers), count in zip(self._names, counts, strict=True)
            if count
        ]
        if self._full:
            carried = self._enchanted(scene, counts, carried) + _worn(scene) + _potions(scene)
        return [", ".join(carried) or "nothing"]

    def _enchanted(self, scene: Scene, counts: tuple[int, ...], carried: list[str]) -> list[str]:
        """Add the enchantments of the sword and the bow."""
        for index, enchantment in zip(self._weapons, scene.weapon_enchantments, strict=True):
            if not enchantment:
                continue
            name, tiers = self._names[index]
            label = tiers[counts[index]] if tiers and counts[index] else ""
            enchanted = f"{label or f'no {name}'} ({scene.spec.enchantments[enchantment]})"
            carried = [enchanted if words == label else words for words in carried]
            if not label:
                carried.append(enchanted)
        return carried


def _worn(scene: Scene) -> list[str]:
    """The armour; an empty slot is told only where it is enchanted, as the game allows."""
    spec, worn = scene.spec, []
    for piece, tier, enchantment in zip(spec.armour, scene.armour, scene.armour_enchantments, strict=True):
        if tier or enchantment:
            words = f"{spec.armour_tiers[tier] or 'no'} {piece}"
            worn.append(f"{words} ({spec.enchantments[enchantment]})" if enchantment else words)
    return worn


def _potions(scene: Scene) -> list[str]:
    effects = scene.potion_effects or {}
    potions = []
    for colour, count in scene.potions.items():
        if count:
            vital, change = effects.get(colour, ("", 0))
            potions.append(f"{colour} potion {count}" + (f" ({vital} {change:+})" if vital else ""))
    return potions
