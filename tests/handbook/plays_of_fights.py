"""Plays of the rules on fighting."""

from __future__ import annotations

from typing import Any

import numpy as np

from craftax_text_gym.games.shared import OFFSETS
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.utils.words import listed, percent, with_article
from tests.availability.arena import arena, block_at, owned, set_block
from tests.handbook.stage import (
    AHEAD,
    Fact,
    Fields,
    Run,
    filled,
    has,
    lost,
    mobs_here,
    on_floor,
    play,
    plays,
    samples,
    with_mob,
    with_shot,
)
from tests.worlds import floor_of


def swords_of(spec: GameSpec) -> list[tuple[str, dict[str, int]]]:
    """Each sword by its label, from none to the best, and a bag with just that."""
    if spec.key == "full":
        return [(label, {"sword": tier}) for tier, label in enumerate(spec.tools["sword"])]
    names = [name for name in spec.materials if name.endswith("sword")]
    return [("", {}), *[(name.replace("_", " "), {name: 1}) for name in names]]


def blow(spec: GameSpec, label: str, inventory: dict[str, int], **fields: Any) -> float:
    """The damage of one blow."""
    state = with_mob(spec, arena(spec.key, inventory=inventory, **fields), label, hemmed=True)
    kind = next(mob.mob_class for mob in spec.mobs if mob.label == label)
    return round(50 - float(mobs_here(spec, play(spec, "do", state=state), kind).health[0]), 3)


@plays("fighting.strike")
def strike(spec: GameSpec) -> Any:
    for label, bag in swords_of(spec):
        damage = blow(spec, "zombie", bag)
        yield f"{damage:g} with {with_article(label) if label else 'bare hands'}".replace(
            " with bare", " damage with bare"
        )


@plays("fighting.swords", games=("classic",))
def swords(spec: GameSpec) -> Any:
    assert blow(spec, "zombie", {"wood_sword": 3, "stone_sword": 1}) == 6
    assert blow(spec, "zombie", {"wood_sword": 1, "stone_sword": 1}) == 3
    yield from (3, blow(spec, "zombie", {"wood_sword": 3}))


@plays("fighting.reach")
def reach(spec: GameSpec) -> Any:
    for offset, hits in ((AHEAD, True), ((1, 0), True), ((1, 1), False), ((-1, 1), False), ((0, 2), False)):
        assert (lost(spec, with_mob(spec, arena(spec.key), "zombie", offset)) > 0) == hits
    run = Run(spec, with_mob(spec, arena(spec.key), "zombie", hemmed=True)).act("noop")
    before = run.scene.health
    yield run.until(lambda run: run.scene.health < before, 20)


@plays("fighting.chase")
def chase(spec: GameSpec) -> Any:
    def comes(distance: int) -> bool:
        state = filled(spec, arena(spec.key), "path")
        rows = [
            int(mobs_here(spec, after, "melee").position[0][0])
            for after in samples(spec, with_mob(spec, state, "zombie", (-distance, 0)), "noop", 40)
        ]
        return float(np.mean([row > 20 - distance for row in rows])) > 0.5

    assert comes(3)
    yield max(distance for distance in (7, 8, 9, 10, 11) if comes(distance))


@plays("fighting.shooters")
def shooters(spec: GameSpec) -> Any:
    def shoots(distance: int, *, blocked: bool = False) -> bool:
        state = arena(spec.key)
        for side in OFFSETS[1:] if blocked else ():
            set_block(spec, state, (side[0] - distance, side[1]), "stone")
        with_mob(spec, state, "skeleton", (-distance, 0))
        return any(_cooldown(spec, after) == 4 for after in samples(spec, state, "noop", 20))

    yield from (distance for distance in (2, 3, 4, 5, 6, 7) if shoots(distance))
    state = arena(spec.key)
    for side in OFFSETS[1:]:
        set_block(spec, state, (side[0] - 4, side[1]), "stone")
    run = Run(spec, with_mob(spec, state, "skeleton", (-4, 0)))
    run.until(lambda run: _cooldown(spec, run.state) == 4, 9)
    yield run.until(lambda run: _cooldown(spec, run.state) == 4, 20)
    assert all(shoots(distance, blocked=True) for distance in (2, 3, 4))
    yield min(distance for distance in (3, 4, 5) if shoots(distance))


def _cooldown(spec: GameSpec, state: Any) -> int:
    return int(mobs_here(spec, state, "ranged").attack_cooldown[0])


@plays("fighting.aim")
def aim(spec: GameSpec) -> list[Fact]:
    headings = "arrow_directions" if spec.key == "classic" else "mob_projectile_directions"
    for offset, heading in (((-3, -1), (1, 0)), ((3, 1), (-1, 0)), ((-1, -3), (0, 1)), ((2, 3), (0, -1))):
        state = with_mob(spec, arena(spec.key), "skeleton", offset)
        found = [after for after in samples(spec, state, "noop", 60) if mobs_here(spec, after, "projectile").mask.any()]
        assert found
        for after in found:
            assert tuple(getattr(after, headings)[floor_of(spec, after)][0].tolist()) == heading
    return []


@plays("fighting.shots")
def shots(spec: GameSpec) -> Any:
    flights = set()
    for block, flies in (("path", True), ("water", True), ("stone", False), ("tree", False)):
        state = with_shot(spec, arena(spec.key), (0, 1), (-3, -3))
        set_block(spec, state, (-3, -2), block)
        shot = mobs_here(spec, play(spec, "noop", state=state), "projectile")
        assert shot.mask[0] == flies
        if flies:
            flights.add(tuple((shot.position[0] - np.array((17, 17))).tolist()))
    assert len(flights) == 1
    state = with_mob(spec, with_shot(spec, arena(spec.key), (0, 1), (-3, -3)), "zombie", (-3, -2))
    for around in ((-4, -2), (-2, -2), (-3, -1)):
        set_block(spec, state, around, "stone")
    assert not mobs_here(spec, play(spec, "noop", state=state), "projectile").mask[0]
    yield max(flights.pop())


@plays("fighting.tables")
def tables(spec: GameSpec) -> list[Fact]:
    for block in ("crafting_table", "furnace"):
        for own in (False, True) if spec.key == "full" else (False,):
            state = with_shot(spec, arena(spec.key), (0, 1), (-3, -3), kind=4 if own else 0, own=own)
            set_block(spec, state, (-3, -2), block)
            assert block_at(spec, play(spec, "noop", state=state), (-3, -2)) == (block if own else "path")
    return []


_ALWAYS: Fields = {f"spawn_{name}_chance": 1.0 for name in ("cow", "zombie_base", "zombie_night", "skeleton")}


def _appears(spec: GameSpec, kind: str, distance: int, block: str, floor: int = 1, steps: int = 110) -> bool:
    """Whether a creature of a kind comes to be on the only tile where it could, straight above the player."""
    state = arena(spec.key, **on_floor(spec, floor))
    filled(spec, state, "stone")
    set_block(spec, state, (-distance, 0), block)
    for other, label in (("melee", "zombie"), ("ranged", "skeleton"), ("passive", "cow")):
        for slot in range(len(mobs_here(spec, state, other).mask) if other != kind else 0):
            with_mob(spec, state, label, (5 + slot, 5), slot=slot)  # they leave no room for more of their kind
    params = _ALWAYS if spec.key == "classic" else {}
    run = Run(spec, state, **params)
    for _ in range(1 if spec.key == "classic" else steps // 10):
        if mobs_here(spec, run.act("noop", times=1 if spec.key == "classic" else 10).state, kind).mask.any():
            return True
    return False


@plays("fighting.appearing")
def appearing(spec: GameSpec) -> Any:
    ground = {"melee": "path", "ranged": "path", "passive": "grass"}
    nearest = {}
    for kind, block in ground.items():
        nearest[kind] = max(distance for distance in (2, 3, 4, 8, 9, 10) if not _appears(spec, kind, distance, block))
    assert nearest["melee"] == nearest["ranged"]
    yield from (nearest["melee"], nearest["passive"])
    known = ("grass", "sand", "path", "water", "fire_grass", "ice_grass", "ice_shrub", "darkness")
    names = [name for name in known if name in spec.block_index]
    where = {kind: [name for name in names if _appears(spec, kind, 10, name)] for kind in ground}
    if spec.key == "classic":
        assert where == {"melee": ["grass", "path"], "ranged": ["path"], "passive": ["grass"]}
        yield "zombies on grass and path, skeletons on path, cows on grass"
    else:
        assert where["melee"] == where["ranged"] == where["passive"]
        yield f"on {listed([name.replace('_', ' ') for name in where['melee']])}"
    yield min(distance for distance in (12, 13, 14, 15) if _disappears(spec, distance))


@plays("fighting.deep_things", games=("full",))
def deep_things(spec: GameSpec) -> list[Fact]:
    ground = [name for name in ("path", "water", "grass") if _appears(spec, "ranged", 10, name, floor=5, steps=150)]
    assert ground == ["water"]
    return []


def _disappears(spec: GameSpec, distance: int) -> bool:
    state = with_mob(spec, filled(spec, arena(spec.key), "path"), "cow", (3 - distance, 3))
    return not mobs_here(spec, play(spec, "noop", state=state), "passive").mask[0]


@plays("fighting.crowd")
def crowd(spec: GameSpec) -> Any:
    state = arena(spec.key, **on_floor(spec, 1))
    blocks = np.where(np.indices(spec.map_size).sum(0) % 2, spec.block_index["grass"], spec.block_index["path"])
    state.map[floor_of(spec, state)][...] = blocks
    for side in OFFSETS[1:]:
        set_block(spec, state, side, "stone")
    run = Run(spec, state, **(_ALWAYS if spec.key == "classic" else {}))
    most = dict.fromkeys(("melee", "ranged", "passive"), 0)
    for _ in range(40):
        now = run.act("noop", times=8).state
        most = {kind: max(count, int(mobs_here(spec, now, kind).mask.sum())) for kind, count in most.items()}
    yield from most.values()


@plays("fighting.night")
def night(spec: GameSpec) -> list[Fact]:
    seen = []
    for timestep in (200_000, 700_000):
        cleared: Fields = {"kills": 8} if spec.key == "full" else {}
        state = arena(spec.key, timestep=timestep, **cleared)
        set_block(spec, filled(spec, state, "stone"), (-10, 0), "grass")
        state = state.replace(light_level=np.float32(timestep == 200_000))
        run = Run(spec, state, day_length=1_000_000)
        seen.append(0)
        for seed in range(14):
            run.game = run.engine.from_state(state)
            seen[-1] += bool(mobs_here(spec, run.reseed(seed).act("noop", times=20).state, "melee").mask.any())
    by_day, by_night = seen
    assert by_night > 2 * by_day
    return []


@plays("fighting.armour", games=("full",))
def armour(spec: GameSpec) -> Any:
    bare = lost(spec, with_mob(spec, arena("full"), "zombie"))
    for tier in (1, 2):
        worn = lost(spec, with_mob(spec, arena("full", inventory={"armour": (0, tier, 0, 0)}), "zombie"))
        suit = lost(spec, with_mob(spec, arena("full", inventory={"armour": (tier,) * 4}), "zombie"))
        assert abs((1 - suit / bare) - 4 * (1 - worn / bare)) < 1e-3
        yield percent(1 - worn / bare)


@plays("fighting.arrow", games=("full",))
def arrow(spec: GameSpec) -> Any:
    bag = {"bow": 1, "arrows": 3}
    flying = [shots for shots in range(4) if owned(play(spec, "shoot_arrow", inventory=bag, shots=shots), "arrows") < 3]
    assert owned(play(spec, "shoot_arrow", inventory={"arrows": 3}), "arrows") == 3
    yield 3 - owned(play(spec, "shoot_arrow", inventory=bag), "arrows")
    yield max(flying) + 1
    yield shot_damage(spec, "shoot_arrow", inventory=bag)


def shot_damage(spec: GameSpec, action: str, label: str = "zombie", **fields: Any) -> float:
    state = with_mob(spec, arena("full", **fields), label, hemmed=True)
    kind = next(mob.mob_class for mob in spec.mobs if mob.label == label)
    return round(50 - float(mobs_here(spec, play(spec, action, state=state), kind).health[0]), 3)


@plays("fighting.game", games=("full",))
def game(spec: GameSpec) -> list[Fact]:
    for action in ("shoot_arrow", "cast_fireball"):
        for label, counts in (("cow", False), ("zombie", True)):
            state = arena("full", inventory={"bow": 1, "arrows": 1}, learned_spells=(1, 1), player_food=3)
            after = play(spec, action, state=with_mob(spec, state, label, health=1, hemmed=True))
            assert not after.melee_mobs.mask[0][0]
            assert not after.passive_mobs.mask[0][0]
            achieved = has(spec, after, "defeat_zombie") or has(spec, after, "eat_cow")
            assert (int(after.monsters_killed[0]), int(after.player_food), achieved) == (int(counts), 3, counts)
    return []
