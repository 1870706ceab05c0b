"""What the player carries and wears."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.observation.layout import HIDDEN, read_group
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import TextFormat
from craftax_text_gym.text.schema_parts import COUNT, Schema, nullable, object_of, with_optional
from craftax_text_gym.text.section import Body
from craftax_text_gym.utils.words import spaced

Numbers = Sequence[int]

_EFFECT: Schema = {
    "type": "array",
    "prefixItems": [{"type": "string"}, {"type": "integer"}],
    "minItems": 2,
    "maxItems": 2,
}


class Inventory:
    """Materials and tools with counts, weapons and armour with enchantments, potions."""

    title = "Inventory"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        self._spec = spec
        self._names = [(spaced(name), spec.tools.get(name)) for name in spec.materials]
        self._weapons = [spec.materials.index(name) for name in ("sword", "bow") if name in spec.tools]
        self._absent = text_format.absent
        self._silent = Body(["carrying nothing"]) if text_format.terse else Body(["nothing"])
        self._body = lru_cache(4096)(self._write)

    def body(self, moment: Moment) -> Body:
        """The section in words."""
        scene = moment.scene
        return self._body(scene.belongings, scene.numbers("potion_effects"))

    def data(self, moment: Moment) -> dict[str, Any]:
        """The section as JSON values, what is absent included."""
        scene, spec = moment.scene, self._spec
        data: dict[str, Any] = {
            name: count if name not in spec.tools else spec.tools[name][count] or None
            for name, count in scene.materials.items()
        }
        if not scene.is_full:
            return data
        names = [name or None for name in spec.enchantments]
        sword, bow = scene.weapon_enchantments
        worn = zip(spec.armour, scene.armour, scene.armour_enchantments, strict=True)
        data |= {"sword_enchantment": names[sword], "bow_enchantment": names[bow]}
        data["armour"] = {
            piece: {"material": spec.armour_tiers[tier] or None, "enchantment": names[enchantment]}
            for piece, tier, enchantment in worn
        }
        data["potions"] = scene.potions
        if scene.potion_effects is not None:
            data["potion_effects"] = {colour: list(effect) for colour, effect in scene.potion_effects.items()}
        return data

    def schema(self) -> Schema:
        """The JSON Schema of its data."""
        spec = self._spec
        carried = {
            name: nullable(spec.tools[name][1:], "The one carried, if any.") if name in spec.tools else COUNT
            for name in spec.materials
        }
        if not spec.armour:
            return object_of(**carried)
        enchantment = nullable(spec.enchantments[1:], "Its enchantment, if any.")
        piece = object_of(material=nullable(spec.armour_tiers[1:], "Null where none is worn."), enchantment=enchantment)
        inventory = object_of(
            **carried,
            sword_enchantment=enchantment,
            bow_enchantment=enchantment,
            armour=object_of(**dict.fromkeys(spec.armour, piece)),
            potions=object_of(**dict.fromkeys(spec.potions, COUNT)),
        )
        return with_optional(inventory, potion_effects=object_of(**dict.fromkeys(spec.potions, _EFFECT)))

    def _write(self, belongings: bytes, effects: Numbers) -> Body:
        values = read_group(self._spec, "belongings", belongings)
        counts, weapons = values["materials"], values.get("weapon_enchantments", ())
        carried = [
            (tiers[count] or f"no {name}") if tiers else f"{name} {count}"
            for (name, tiers), count in zip(self._names, counts, strict=True)
            if count or self._absent
        ]
        lines = [", ".join(self._enchanted(counts, weapons, carried))] if carried or any(weapons) else []
        worn = self._worn(values.get("armour", ()), values.get("armour_enchantments", ()))
        drinks = self._potions(values.get("potions", ()), effects)
        lines += [f"armour: {', '.join(worn)}"] if worn else []
        lines += [f"potions: {', '.join(drinks)}"] if drinks else []
        return Body(lines) if lines else self._silent

    def _enchanted(self, counts: Numbers, weapons: Numbers, carried: list[str]) -> list[str]:
        """Add the enchantments of the sword and the bow."""
        for index, enchantment in zip(self._weapons, weapons, strict=True):
            if enchantment:
                name, tiers = self._names[index]
                label = (tiers[counts[index]] if tiers else "") or f"no {name}"
                enchanted = f"{label} ({self._spec.enchantments[enchantment]})"
                carried = [enchanted if words == label else words for words in carried]
                if enchanted not in carried:
                    carried.append(enchanted)
        return carried

    def _worn(self, armour: Numbers, enchantments: Numbers) -> list[str]:
        """The armour; an empty slot is told where it is enchanted, as the game allows."""
        spec, worn = self._spec, []
        for piece, tier, enchantment in zip(spec.armour, armour, enchantments, strict=True):
            if tier or enchantment or self._absent:
                words = f"{spec.armour_tiers[tier] or 'no'} {piece}"
                worn.append(f"{words} ({spec.enchantments[enchantment]})" if enchantment else words)
        return worn

    def _potions(self, potions: Numbers, effects: Numbers) -> list[str]:
        found = []
        for index, (colour, count) in enumerate(zip(self._spec.potions, potions, strict=True)):
            if count or self._absent:
                words = f"{colour} {count}"
                if effects[index] != HIDDEN:
                    vital, change = self._spec.potion_effects[effects[index]]
                    words += f" ({vital} {change:+})"
                found.append(words)
        return found
