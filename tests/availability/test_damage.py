"""A blow that is said to kill does kill by the engine's own arithmetic: every sword, level, enchantment and kind."""

from __future__ import annotations

from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from craftax.craftax.constants import MOB_TYPE_DEFENSE_MAPPING, MOB_TYPE_HEALTH_MAPPING
from craftax.craftax.util.game_logic_utils import get_damage, get_player_damage_vector

from craftax_text_gym.availability.damage import must_kill
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games.classic import CLASSIC
from craftax_text_gym.games.full import FULL
from craftax_text_gym.observation.layout import row_dtype
from craftax_text_gym.observation.scene import Scene
from tests.worlds import played_states, to_numpy

_COLUMNS = {"passive": 0, "melee": 1, "ranged": 2}


def fighters() -> list[tuple[int, ...]]:
    """Sword, strength, intelligence and enchantment, beyond the maximum of attributes too."""
    return list(product(range(5), range(1, 8), range(1, 8), range(3)))


def remaining_health(state: Any) -> Any:
    """float32 `[fighters, kinds]`: what a blow leaves of a full health, by the engine."""
    kinds = np.array([(mob.type_id, _COLUMNS[mob.mob_class]) for mob in FULL.mobs])
    health = MOB_TYPE_HEALTH_MAPPING[kinds[:, 0], kinds[:, 1]]
    defence = MOB_TYPE_DEFENSE_MAPPING[kinds[:, 0], kinds[:, 1]]

    def blow(sword: Any, strength: Any, intelligence: Any, enchantment: Any) -> Any:
        fighter = state.replace(
            inventory=state.inventory.replace(sword=sword),
            player_strength=strength,
            player_intelligence=intelligence,
            sword_enchantment=enchantment,
        )
        vector = get_player_damage_vector(fighter)
        return health - jax.vmap(lambda shares: get_damage(vector, shares))(defence)

    columns = jnp.array(fighters(), jnp.int32).T
    return np.asarray(jax.jit(jax.vmap(blow))(*columns))


def scene_of_fighter(sword: int, strength: int, intelligence: int, enchantment: int) -> Scene:
    row = np.zeros(1, row_dtype(FULL))
    row["materials"][0][FULL.materials.index("sword")] = sword
    row["attributes"] = (0, 1, strength, intelligence)
    row["weapon_enchantments"] = (enchantment, 0)
    return Scene(FULL, row.tobytes())


def test_a_blow_of_a_full_health_is_what_the_engine_makes_it() -> None:
    left, decided = remaining_health(to_numpy(played_states("full")[0])), 0
    for fighter, healths in zip(fighters(), left, strict=True):
        scene = scene_of_fighter(*fighter)
        for mob, health in zip(FULL.mobs, healths, strict=True):
            claimed = must_kill(scene, mob, {})
            assert not (claimed and health > 0), (fighter, mob.label)
            assert claimed or health > -0.01, (fighter, mob.label)
            decided += claimed
    assert decided > 1000


@pytest.mark.parametrize("health", [3, 5, 6])
def test_classic_s_healths_are_those_of_its_params(health: int) -> None:
    row = np.zeros(1, row_dtype(CLASSIC))
    row["materials"][0][CLASSIC.materials.index("iron_sword")] = 1
    scene = Scene(CLASSIC, row.tobytes())
    for mob in CLASSIC.mobs:
        assert must_kill(scene, mob, {f"{mob.label}_health": health}) == (health <= 5)
    assert get_engine("classic").params({"zombie_health": health})
