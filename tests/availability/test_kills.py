"""What is said of whom the player struck and shot: never false, and a kill is seldom left unsaid."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from craftax_text_gym.engine.core import Engine, get_engine
from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.games.spec import Mob
from tests import proof
from tests.availability import claims
from tests.availability.arena import arena
from tests.availability.casualties import creatures
from tests.availability.stepping import Step, darken, take, with_mob, with_shot
from tests.worlds import GAMES, floor_of, played_states, scene_of, to_numpy

_SHOTS = ("shoot_arrow", "cast_fireball", "cast_iceball")


def fight(engine: Engine, rng: np.random.Generator) -> tuple[Any, Mob]:
    """A creature before the player somewhere in a world, on any floor, with others of all kinds about."""
    spec = engine.spec
    bases = played_states(spec.key)
    state = to_numpy(bases[int(rng.integers(len(bases)))])
    if spec.key == "full":
        state = state.replace(player_level=np.int32(rng.integers(len(spec.floors))))
    state = state.replace(player_position=standing_room(engine, state, rng), player_direction=np.int32(3))
    state = state.replace(achievements=rng.random(state.achievements.shape) < rng.choice([0.2, 0.9]))
    floor = floor_of(spec, state)
    for name in ("melee_mobs", "passive_mobs", "ranged_mobs", "zombies", "cows", "skeletons"):
        if hasattr(state, name):
            getattr(state, name).mask[floor] = False
            getattr(state, name).health[floor] = 0  # else Classic's `do` would revive them
    mob = spec.mobs[int(rng.integers(len(spec.mobs)))]
    state = with_mob(engine, state, mob.mob_class, mob.type_id, int(rng.integers(1, mob.health + 1)))
    for other in rng.choice(np.array(spec.mobs, object), size=int(rng.integers(4))):
        place = np.clip(state.player_position + rng.integers(-3, 4, size=2), 0, spec.map_size[0] - 1)
        offset = place - state.player_position
        taken = bool(state.mob_map[floor][tuple(place)])
        slots = spec.slots[("melee", "passive", "ranged").index(other.mob_class)]
        if not taken and offset.any() and crowd(spec.key, state, other) < slots:
            state = with_mob(engine, state, other.mob_class, other.type_id, other.health, tuple(offset))
    if spec.key == "full":
        near = np.indices(spec.map_size) - state.player_position[:, None, None]
        lamp = np.clip(1 - np.hypot(*near) / rng.choice([3, 5]), 0, 1)  # as a torch at the player's feet
        state.light_map[floor] = np.maximum(state.light_map[floor], lamp)
    return swords(engine, state, rng), mob


def standing_room(engine: Engine, state: Any, rng: np.random.Generator) -> Any:
    """Somewhere to stand, with a tile ahead on which a creature could stand too."""
    spec = engine.spec
    walkable = np.array([block.walkable for block in spec.blocks])[state.map[floor_of(spec, state)]]
    places = np.argwhere(walkable[1:] & walkable[:-1]) + np.array((1, 0))
    return places[int(rng.integers(len(places)))].astype(np.int32)


def crowd(key: str, state: Any, mob: Mob) -> int:
    classic = {"melee": "zombies", "passive": "cows", "ranged": "skeletons"}
    name = classic[mob.mob_class] if key == "classic" else f"{mob.mob_class}_mobs"
    mobs = getattr(state, name)
    return int(mobs.mask.sum() if key == "classic" else mobs.mask[int(state.player_level)].sum())


def swords(engine: Engine, state: Any, rng: np.random.Generator) -> Any:
    names = [name for name in engine.spec.materials if "sword" in name]
    tiers = range(5) if engine.spec.key == "full" else (0, 0, 0, 0, 1)
    inventory = state.inventory.replace(**{name: np.int32(rng.choice(tiers)) for name in names})
    state = state.replace(inventory=inventory, player_food=np.int32(rng.choice([1, 9])), is_sleeping=np.bool_(False))
    if engine.spec.key == "classic":
        return state
    levels = {f"player_{name}": np.int32(rng.integers(1, 6)) for name in ("strength", "intelligence", "dexterity")}
    return state.replace(
        is_resting=np.bool_(False),
        sword_enchantment=np.int32(rng.integers(3)),
        monsters_killed=rng.integers(5, 9, size=9).astype(state.monsters_killed.dtype),
        **levels,
    )


def verdict(step: Step, mob: Mob) -> tuple[bool, bool]:
    """Whether the creature ahead died, and whether that is said."""
    place = tuple(int(x) for x in step.before.player_position + OFFSETS[int(step.before.player_direction)])
    found = creatures(step.seen.spec, step.before, step.after)
    died = next(creature.is_dead for creature in found if creature.place == place and creature.mob is mob)
    if step.seen.is_full and mob.mob_class != "passive":  # another of its kind may stand in its slot and place at once
        others = sum(creature.is_dead and creature.place != place for creature in found)
        died |= bool((step.after.monsters_killed - step.before.monsters_killed).sum() > others)
    struck = f"Struck the {mob.label}." in step.told
    said = f"{'Ate' if mob.mob_class == 'passive' else 'Killed'} the {mob.label}." in step.told
    assert struck != said, step.told
    return died, said


@pytest.mark.parametrize("key", GAMES)
def test_kills_are_never_said_in_vain_and_seldom_left_unsaid(key: str) -> None:
    engine, rng, tally = get_engine(key), np.random.default_rng(3), Counter[tuple[bool, bool]]()
    wanted = proof.count(5_000, 120)
    while min(tally[True, True] + tally[True, False], tally[False, False]) < wanted:
        state, mob = fight(engine, rng)
        earlier = scene_of(engine, state)
        if earlier.faced.block is None or earlier.dead:
            continue
        step = take(engine, state, "do", seed=int(rng.integers(2**31)))
        died, said = verdict(step, mob)
        assert died or not said, step.told
        tally[died, said] += 1
    kills = tally[True, True] + tally[True, False]
    print(key, f"{kills} kills, {tally[True, True] / kills:.1%} said; {tally[False, False]} survivals")
    assert tally[True, True] >= 0.8 * kills


def test_kills_by_shots_are_never_said_in_vain() -> None:
    """In fights with the player's shots about, whatever he does meanwhile."""
    engine, rng, tally = get_engine("full"), np.random.default_rng(4), Counter[str]()
    wanted = proof.count(1_000, 40)
    actions = (*_SHOTS, "noop", "do", "up", "left", "right", "down")
    while tally["kills"] < wanted:
        state, _ = fight(engine, rng)
        armed = {"bow": np.int32(1), "arrows": np.int32(9)}
        state = state.replace(
            inventory=state.inventory.replace(**armed), learned_spells=np.ones(2, bool), player_mana=np.int32(9)
        )
        for slot in range(int(rng.integers(3))):
            offset, heading = tuple(rng.integers(-2, 3, size=2)), OFFSETS[int(rng.integers(1, 5))]
            with_shot(state, "player", offset, heading, int(rng.choice([2, 3, 4])), slot)
        step = take(engine, state, str(rng.choice(actions)), seed=int(rng.integers(2**31)))
        claims.check(step)
        row, column = step.before.player_position
        seen = {(seen.down + row, seen.right + column) for seen in step.earlier.things}
        ahead = (row - 1, column)
        found = creatures(engine.spec, step.before, step.after)
        dead = [creature for creature in found if creature.is_dead and creature.place in seen]
        tally["kills"] += sum(creature.place != ahead or step.action != "do" for creature in dead)
        tally["said"] += sum(line.startswith("A shot of yours killed") for line in step.told)
        tally["steps"] += 1
    print(dict(tally))
    assert tally["said"] > 0.6 * tally["kills"]


# One by one


def clearing(mob_class: str, health: float = 1, **changes: Any) -> tuple[Engine, Any]:
    """A lit clearing of the full game, with a creature ahead."""
    engine = get_engine("full")
    return engine, with_mob(engine, arena("full", direction="up", **changes), mob_class, health=health)


def test_a_creature_that_may_have_left_is_struck() -> None:
    """A dark tile beside it, from which it may be seen no more."""
    engine, state = clearing("melee")
    assert take(engine, state, "do").told[0] == "Killed the zombie."
    state = arena("full", direction="up", unlocked=("defeat_zombie",))
    state = with_mob(engine, state, "melee")
    assert take(engine, state, "do").told[0] == "Killed the zombie."
    assert take(engine, darken(state, (-2, 0)), "do").told[0] == "Struck the zombie."


def test_a_blow_of_a_full_health_kills_even_beside_the_dark() -> None:
    engine, state = clearing("melee", 5, unlocked=("defeat_zombie",), inventory={"sword": 3})
    assert take(engine, darken(state, (-2, 0)), "do").told[0] == "Killed the zombie."


def test_an_achievement_that_a_shot_may_have_earned_proves_nothing() -> None:
    """The creature struck lives; another one is shot."""
    engine, state = clearing("melee", 5)
    with_mob(engine, state, "melee", offset=(2, 0))
    with_shot(state, "player", (2, 0), (0, 1), 4)
    steps = [take(engine, state, "do", seed) for seed in range(20)]
    assert any("New achievement: defeat zombie." in step.told for step in steps)
    assert {step.told[0] for step in steps} == {"Struck the zombie."}


@pytest.mark.parametrize("food", [1, 9])
@pytest.mark.parametrize("unlocked", [(), ("eat_cow",)])
def test_who_dies_by_the_hand_is_eaten(food: int, unlocked: tuple[str, ...]) -> None:
    engine, state = clearing("passive", unlocked=unlocked, player_food=food)
    assert take(engine, state, "do").told[0] == "Ate the cow."


def test_who_was_perhaps_shot_was_perhaps_not_eaten() -> None:
    """The blow leaves the cow alive, and an arrow kills it: no meal."""
    engine, state = clearing("passive", 3, unlocked=("eat_cow",), player_food=9)
    with_shot(state, "player", (-1, 0), (0, 1), 4)
    told = {take(engine, state, "do", seed).told[0] for seed in range(20)}
    assert "Killed the cow." in told
    assert "Ate the cow." not in told


def test_an_arrow_s_kill_is_told_when_it_comes() -> None:
    engine, state = clearing("melee", inventory={"bow": 1, "arrows": 2})
    told = {tuple(take(engine, state, "shoot_arrow", seed).told[:2]) for seed in range(20)}
    assert ("Shot an arrow (1 left).", "A shot of yours killed a zombie.") in told


def test_a_despawn_is_no_death() -> None:
    engine, state = clearing("melee", 5, unlocked=("defeat_zombie",))
    step = take(engine, state, "do", params={"mob_despawn_distance": 1})
    assert not any(seen.mob for seen in step.seen.things)
    assert step.told[0] == "Struck the zombie."


def test_of_two_kinds_on_a_tile_either_may_have_been_struck() -> None:
    """The engine strikes the first of its slots, which nobody sees."""
    engine, state = clearing("melee", 5)
    state = with_mob(engine, state, "melee", kind=3, health=9)
    assert take(engine, state, "do").told[0] == "Struck the lizard or the zombie."


def test_two_that_come_to_look_alike_on_one_tile_are_still_two() -> None:
    """Where all slots are taken, upstream writes the floor's kind into the first, whoever lives there."""
    engine = get_engine("full")
    state = arena("full", floor=4)
    for kind in (0, 4):  # a skeleton and a knight archer, whose floor this is
        with_mob(engine, state, "ranged", kind, 8.0, (-2, 2))
    for row, column in ((-3, 2), (-1, 2), (-2, 1), (-2, 3)):  # neither can leave
        state.map[4][tuple(state.player_position + np.array((row, column)))] = engine.spec.block_index["stone"]
    with_shot(state, "player", (-3, -3), (0, -1), 1)
    for seed in range(20):
        step = take(engine, state, "noop", seed=seed)
        assert not any("killed" in sentence for sentence in step.told), step.told
