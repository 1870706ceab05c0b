"""Single steps of the engine from states that a test edits, with what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from craftax_text_gym.availability import feedback
from craftax_text_gym.engine.core import Engine, get_engine
from craftax_text_gym.observation.scene import Scene
from tests.worlds import floor_of, mark_mobs, played_states, scene_of, to_numpy

SEED = 11
NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


@dataclass
class Step:
    """A step: the states and scenes around it, and what is said of it."""

    engine: Engine
    before: Any
    action: str
    after: Any
    earlier: Scene
    seen: Scene
    told: list[str]
    seed: int = SEED
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return " ".join(self.told)

    def idle(self) -> Any:
        """The state that noop would have left."""
        state = self.before
        if self.engine.spec.key == "classic" and self.action == "do" and not state.is_sleeping:
            state = revived(state)
        game, _ = self.engine.step(self.engine.from_state(state), 0, self.seed, self.engine.params(dict(self.params)))
        return to_numpy(self.engine.to_state(game))


def take(engine: Engine, state: Any, action: str, seed: int = SEED, params: Mapping[str, Any] = NO_PARAMS) -> Step:
    """Play one step from a state."""
    spec = engine.spec
    index = spec.action_index[action]
    earlier = scene_of(engine, state)
    game, buffer = engine.step(engine.from_state(state), index, seed, engine.params(dict(params)))
    after = Scene(spec, engine.to_bytes(buffer))
    told = feedback.sentences(earlier, index, after, params=params)
    return Step(engine, state, action, to_numpy(engine.to_state(game)), earlier, after, told, seed, params)


def revived(state: Any) -> Any:
    """The state after what Classic's `do` does to creatures that have wandered off: the engine's own exception."""
    groups = {name: getattr(state, name) for name in ("zombies", "cows", "skeletons")}
    return state.replace(**{name: mobs.replace(mask=mobs.health > 0) for name, mobs in groups.items()})


def meadow(key: str, **changes: Any) -> tuple[Engine, Any]:
    """A quiet meadow: the player looks up, nobody is near, all is well."""
    engine = get_engine(key)
    state = to_numpy(played_states(key)[0]).replace(player_direction=np.int32(3), **changes)
    floor, (row, column) = floor_of(engine.spec, state), state.player_position
    state.map[floor][row - 6 : row + 7, column - 6 : column + 7] = engine.spec.block_index["grass"]
    return engine, state


def face(engine: Engine, state: Any, block: str) -> None:
    """Put a block before the player."""
    floor, (row, column) = floor_of(engine.spec, state), state.player_position
    state.map[floor][row - 1, column] = engine.spec.block_index[block]


def carry(state: Any, **amounts: int) -> Any:
    """Change what the player carries."""
    return state.replace(inventory=state.inventory.replace(**{name: np.int32(n) for name, n in amounts.items()}))


def with_mob(
    engine: Engine, state: Any, mob_class: str, kind: int = 0, health: float = 1.0, offset: tuple[int, int] = (-1, 0)
) -> Any:
    """A creature beside the player, by default on the tile that he faces."""
    classic = {"melee": "zombies", "passive": "cows", "ranged": "skeletons"}
    mobs = getattr(state, classic[mob_class] if engine.spec.key == "classic" else f"{mob_class}_mobs")
    floor = floor_of(engine.spec, state)
    slot = int(np.argmin(mobs.mask[floor]))
    mobs.position[floor][slot], mobs.mask[floor][slot] = state.player_position + offset, True
    mobs.health[floor][slot], mobs.attack_cooldown[floor][slot] = health, 9
    if engine.spec.key == "full":
        mobs.type_id[floor][slot] = kind
    mark_mobs(engine.spec, state)
    return state


def with_shot(
    state: Any, owner: str, offset: tuple[int, int], heading: tuple[int, int], kind: int = 0, slot: int = 0
) -> Any:
    """A projectile of a `"mob"` or `"player"` beside the player."""
    if hasattr(state, "arrows"):
        state.arrows.mask[slot], state.arrows.position[slot] = True, state.player_position + offset
        state.arrow_directions[slot] = heading
        return state
    floor, shots = int(state.player_level), getattr(state, f"{owner}_projectiles")
    shots.mask[floor][slot], shots.position[floor][slot] = True, state.player_position + offset
    shots.type_id[floor][slot] = kind
    getattr(state, f"{owner}_projectile_directions")[floor][slot] = heading
    return state


def darken(state: Any, *offsets: tuple[int, int]) -> Any:
    """Make tiles beside the player dark, or everything (full game)."""
    light = state.light_map[int(state.player_level)]
    if not offsets:
        light[:] = 0
    for offset in offsets:
        light[tuple(state.player_position + offset)] = 0
    return state
