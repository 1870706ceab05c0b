"""Facts about blocks from the games' data: which are walkable, and the cost of passing others."""

from __future__ import annotations

from functools import lru_cache

from craftax_text_gym.games.spec import GameSpec, Harvest

_WALK, _DIG, _BRIDGE = 1, 2, 4


@lru_cache
def numbers(spec: GameSpec, *names: str) -> frozenset[int]:
    """The numbers of the named blocks; names that the game lacks are skipped."""
    return frozenset(spec.block_index[name] for name in names if name in spec.block_index)


@lru_cache
def walkable(spec: GameSpec) -> frozenset[int]:
    """The numbers of the walkable blocks."""
    return frozenset(number for number, block in enumerate(spec.blocks) if block.walkable)


@lru_cache
def free_ground(spec: GameSpec) -> frozenset[int]:
    """The numbers of the blocks on which stone, a table or a furnace can be placed, except water and lava."""
    onto = next(placement.onto for placement in spec.placements if placement.action == "place_stone")
    return numbers(spec, *onto) - numbers(spec, "water", "lava")


def required_tier(harvest: Harvest) -> int:
    """The pickaxe tier that a harvest requires, 0 for none."""
    if harvest.tool is None:
        return 0
    if harvest.tool == "pickaxe":
        return harvest.tier
    return ("wood", "stone", "iron", "diamond").index(harvest.tool.removesuffix("_pickaxe")) + 1


@lru_cache
def diggable(spec: GameSpec, pickaxe: int) -> frozenset[int]:
    """The numbers of the blocks that `do` makes walkable, with a pickaxe of that tier."""
    kept = {"crafting_table", "furnace", "grass", "ice_shrub"}
    return numbers(
        spec, *[h.block for h in spec.harvests if h.block not in kept and required_tier(h) <= pickaxe], "chest"
    )


@lru_cache
def costs(spec: GameSpec, pickaxe: int, *, has_stone: bool) -> tuple[int, ...]:
    """Block number -> steps to enter such a tile; 0 if it is impassable.

    Args:
        spec: The game.
        pickaxe: The tier of the pickaxe.
        has_stone: Whether the player has stone to bridge water.

    Returns:
        256 numbers, so that `UNSEEN` is a valid index.
    """
    table = [0] * 256
    for number in diggable(spec, pickaxe):
        table[number] = _DIG
    for number in walkable(spec):
        table[number] = _WALK
    if has_stone and pickaxe:
        for number in numbers(spec, "water") if spec.key == "classic" else numbers(spec, "water", "lava"):
            table[number] = _BRIDGE
    return tuple(table)


@lru_cache
def walking(spec: GameSpec) -> tuple[int, ...]:
    """Block number -> steps to enter such a tile by walking only; 0 if it is impassable."""
    return tuple([_WALK if number in walkable(spec) else 0 for number in range(256)])


@lru_cache
def danger(spec: GameSpec, floor: int) -> float:
    """The damage of one hit plus one shot by the monsters of a floor, without armour."""
    shots = {shot.label: sum(shot.damage) for shot in spec.projectiles}
    here = [mob for mob in spec.mobs if mob.label in spec.floors[floor].mobs]
    hit = max((sum(mob.damage) for mob in here if mob.mob_class == "melee"), default=0)
    return hit + max((shots[mob.shoots] for mob in here if mob.shoots), default=0)
