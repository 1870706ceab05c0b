"""Static data for Craftax-Classic. Tests verify every entry against the installed engine."""

from __future__ import annotations

from craftax_text_gym.games import mechanics, shared
from craftax_text_gym.games.spec import Floor, GameSpec, Harvest, Item, Mob, Param, Placement, Projectile

_OPEN_GROUND = frozenset({"invalid", "grass", "wood", "path", "sand", "lava"})

CLASSIC = GameSpec(
    key="classic",
    title="Craftax-Classic",
    env_id="CraftaxClassicText-v0",
    window=(7, 9),
    symbolic_size=1345,
    map_size=(64, 64),
    max_steps=10_000,
    actions=shared.ACTIONS,
    achievements=shared.ACHIEVEMENTS,
    blocks=shared.BLOCKS,
    items=(Item("none", "nothing", " "),),
    mobs=(
        Mob("zombie", "Z", "melee", 0, 5, "defeat_zombie", damage=(2, 0, 0)),
        Mob("cow", "C", "passive", 0, 3, "eat_cow"),
        Mob("skeleton", "S", "ranged", 0, 3, "defeat_skeleton", shoots="arrow"),
    ),
    projectiles=(Projectile("arrow", 0, (2, 0, 0)),),
    slots=(3, 3, 2, 3, 0),
    materials=(
        "wood",
        "stone",
        "coal",
        "iron",
        "diamond",
        "sapling",
        "wood_pickaxe",
        "stone_pickaxe",
        "iron_pickaxe",
        "wood_sword",
        "stone_sword",
        "iron_sword",
    ),
    inventory_cap=9,
    maxima=dict.fromkeys(("health", "food", "drink", "energy"), (9, "", 0)),
    tools={},
    potions=(),
    potion_effects=(),
    spells=(),
    enchantments=(),
    armour=(),
    armour_tiers=(),
    floors=(Floor("overworld", None, dark=False, mobs=("cow", "zombie", "skeleton"), finds=shared.OVERWORLD_FINDS),),
    kills_to_open=0,
    recipes=tuple(
        shared.tool_recipe(kind, material, 1, f"{material}_{kind}")
        for kind in ("pickaxe", "sword")
        for material in ("wood", "stone", "iron")
    ),
    placements=(
        Placement("place_stone", shared.STONE_COST, _OPEN_GROUND | {"water"}, "stone"),
        Placement("place_table", shared.TABLE_COST, _OPEN_GROUND, "crafting_table"),
        Placement("place_furnace", shared.FURNACE_COST, _OPEN_GROUND, "furnace"),
        Placement("place_plant", shared.PLANT_COST, frozenset({"grass"}), "plant"),
    ),
    harvests=(
        Harvest("tree", None, 0, {"wood": 1}, "grass"),
        Harvest("stone", "wood_pickaxe", 1, {"stone": 1}, "path"),
        Harvest("coal", "wood_pickaxe", 1, {"coal": 1}, "path"),
        Harvest("iron", "stone_pickaxe", 1, {"iron": 1}, "path"),
        Harvest("diamond", "iron_pickaxe", 1, {"diamond": 1}, "path"),
        Harvest("grass", None, 0, {"sapling": 1}, "grass", chance=0.1),
    ),
    params=(
        Param("max_timesteps", int, 10_000),
        Param("day_length", int, 300),
        Param("always_diamond", bool, True),
        Param("zombie_health", int, 5),
        Param("cow_health", int, 3),
        Param("skeleton_health", int, 3),
        Param("mob_despawn_distance", int, 14),
        Param("spawn_cow_chance", float, 0.1),
        Param("spawn_zombie_base_chance", float, 0.02),
        Param("spawn_zombie_night_chance", float, 0.1),
        Param("spawn_skeleton_chance", float, 0.05),
    ),
    mechanics=mechanics.CLASSIC,
)
