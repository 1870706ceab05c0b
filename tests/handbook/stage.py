"""How the plays measure the engine, and the table of plays.

A play tries a rule out in the engine and yields what it found: numbers, and words that the rule must hold. The numbers
of a rule's text must be those that its play found, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import jax
import pytest

from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games import ALL
from craftax_text_gym.games.spec import GameSpec, Mob
from craftax_text_gym.observation.scene import Scene
from tests.availability.arena import arena, put_creature, set_block
from tests.worlds import SLOTS, floor_of, to_numpy

Fact = Any
Fields = dict[str, Any]
Play = Callable[[GameSpec], Iterable[Fact]]

PLAYS: dict[str, dict[str, Play]] = {spec.key: {} for spec in ALL}
"""Game -> rule -> play."""

AHEAD = (-1, 0)
HEM = ((-2, 0), (-1, -1), (-1, 1))
"""The tiles around the one ahead of the player."""


def plays(*keys: str, games: tuple[str, ...] = ("classic", "full")) -> Callable[[Play], Play]:
    """Enter a play into the table."""

    def enter(play: Play) -> Play:
        for game in games:
            for key in keys:
                assert key not in PLAYS[game], key
                PLAYS[game][key] = play
        return play

    return enter


def on_floor(spec: GameSpec, number: int) -> Fields:
    """The arena's argument for a floor; Classic has but one."""
    return {"floor": number} if spec.key == "full" else {}


def about(value: float, within: float) -> Any:
    """A number found by chance."""
    return pytest.approx(value, abs=within)


class Run:
    """A game under way on the device."""

    def __init__(self, spec: GameSpec, state: Any, seed: int = 0, **params: Any) -> None:
        self.spec, self.seed = spec, seed
        self.engine = get_engine(spec.key)
        self.params = self.engine.params(params)
        self.game = self.engine.from_state(state)
        self.buffer = self.engine.look(self.game, self.params)

    def act(self, *actions: str, times: int = 1) -> Run:
        """Carry actions out in their order, the lot so many times."""
        for action in actions * times:
            number = self.spec.action_index[action]
            self.game, self.buffer = self.engine.step(self.game, number, self.seed, self.params)
        return self

    def reseed(self, seed: int) -> Run:
        """Go on by other chances."""
        self.seed = seed
        return self

    @property
    def scene(self) -> Scene:
        return Scene(self.spec, self.engine.to_bytes(self.buffer))

    @property
    def state(self) -> Any:
        """`EnvState` of NumPy arrays."""
        return self.engine.to_numpy(self.game)

    def until(self, holds: Callable[[Run], Any], most: int, action: str = "noop") -> int:
        """How many steps of an action it takes until something holds; one more than `most` where it does not."""
        for step in range(1, most + 1):
            if holds(self.act(action)):
                return step
        return most + 1


def play(spec: GameSpec, *actions: str, seed: int = 0, state: Any = None, **fields: Any) -> Any:
    """The state after actions from an arena."""
    return Run(spec, arena(spec.key, **fields) if state is None else state, seed).act(*actions).state


def samples(spec: GameSpec, state: Any, action: str, count: int) -> Iterator[Any]:
    """The states after one action under `count` keys."""
    engine = get_engine(spec.key)
    params, number = engine.params({}), spec.action_index[action]
    arrays = engine.copy(engine.from_state(state))
    for seed in range(count):
        game, _ = engine.step(engine.enter(arrays), number, seed, params)
        yield engine.to_numpy(game)


@lru_cache
def worlds(key: str, count: int = 12) -> tuple[Any, ...]:
    """New worlds, as NumPy arrays."""
    engine = get_engine(key)
    params = engine.params({})
    return tuple([to_numpy(engine.to_state(engine.reset(seed, params)[0])) for seed in range(count)])


def field_of(spec: GameSpec, kind: str) -> str:
    """The field of `EnvState` that holds a kind of creature or projectile."""
    return next(slots.field for slots in SLOTS[spec.key] if slots.kind == kind)


def mob_of(spec: GameSpec, label: str) -> Mob:
    """A creature by its label."""
    return next(mob for mob in spec.mobs if mob.label == label)


def mobs_here(spec: GameSpec, state: Any, kind: str) -> Any:
    """The creatures of a kind on the player's floor: arrays by slot."""
    floor = floor_of(spec, state)
    return jax.tree.map(lambda leaf: leaf[floor], getattr(state, field_of(spec, kind)))


def with_mob(
    spec: GameSpec,
    state: Any,
    label: str,
    offset: tuple[int, int] = AHEAD,
    *,
    slot: int = 0,
    health: float = 50,
    hemmed: bool = False,
) -> Any:
    """Put a creature beside the player; hemmed, one that stands ahead cannot move."""
    mob = mob_of(spec, label)
    put_creature(spec, state, field_of(spec, mob.mob_class), offset, slot, mob.type_id)
    getattr(state, field_of(spec, mob.mob_class)).health[floor_of(spec, state)][slot] = health
    if hemmed:
        for around in HEM:
            set_block(spec, state, around, "stone")
    return state


def with_shot(
    spec: GameSpec, state: Any, heading: tuple[int, int], offset: tuple[int, int], kind: int = 0, own: bool = False
) -> Any:
    """Put a projectile beside the player."""
    name = "player_projectiles" if own else field_of(spec, "projectile")
    headings = "arrow_directions" if spec.key == "classic" else f"{name.removesuffix('s')}_directions"
    put_creature(spec, state, name, offset, kind=kind, marked=False)
    getattr(state, headings)[floor_of(spec, state)][0] = heading
    return state


def filled(spec: GameSpec, state: Any, block: str) -> Any:
    """Make the whole floor of one block, but for the player's own tile."""
    state.map[floor_of(spec, state)][...] = spec.block_index[block]
    set_block(spec, state, (0, 0), "path")
    return state


def health(state: Any) -> float:
    """The player's health, rounded against the engine's floats."""
    return round(float(state.player_health), 4)


def lost(spec: GameSpec, state: Any, *actions: str) -> float:
    """The health that a step costs."""
    return round(health(state) - health(play(spec, *(actions or ("noop",)), state=state)), 4)


def has(spec: GameSpec, state: Any, achievement: str) -> bool:
    """Whether an achievement is unlocked."""
    return bool(state.achievements[spec.achievement_keys.index(achievement)])
