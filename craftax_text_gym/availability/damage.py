"""How hard the player's blow is, and whether it must kill: from what the player knows of himself and of a kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from craftax_text_gym.games.spec import Mob
from craftax_text_gym.observation.scene import Scene

_DOUBT = 1e-3
"""The engine computes in single precision, so that a share of damage may come out a little smaller than it is here."""


def must_kill(scene: Scene, mob: Mob, params: Mapping[str, object]) -> bool:
    """Whether a blow does at least as much damage as a creature of a kind can have health.

    Args:
        scene: What the player sees before it.
        mob: The kind of creature that he strikes.
        params: The fields of Craftax's `EnvParams` that differ from its own; Classic's healths are among them.

    Returns:
        Whether it does.
    """
    full_health: Any = params.get(f"{mob.label}_health", mob.health)
    return _damage(scene, mob) >= float(full_health)


def _damage(scene: Scene, mob: Mob) -> float:
    """At least how much health a blow costs a creature."""
    if not scene.is_full:
        return scene.spec.mechanics.blows[_classic_tier(scene)]
    mechanics = scene.spec.mechanics
    _, _, strength, intelligence = scene.attributes
    base = mechanics.blows[scene.materials["sword"]]
    physical = base * (1 + mechanics.bonus.strength_blow * (strength - 1)) * (1 - mob.defence[0])
    damage = physical - (_DOUBT if mob.defence[0] else 0)
    enchantment = scene.weapon_enchantments[0]
    if enchantment:
        share = mechanics.enchanted_blow * (1 + mechanics.bonus.intelligence_enchantment * (intelligence - 1))
        damage += base * share * (1 - mob.defence[enchantment]) - _DOUBT
    return damage


def _classic_tier(scene: Scene) -> int:
    owned = [scene.materials[f"{material}_sword"] > 0 for material in ("wood", "stone", "iron")]
    return max([tier for tier, has in enumerate(owned, start=1) if has], default=0)
