"""Facts that the two games share: Classic's enums are prefixes of the full game's."""

from __future__ import annotations

from craftax_text_gym.games.spec import Achievement, Block, Recipe

DIRECTIONS: tuple[str, ...] = ("", "left", "right", "up", "down")
"""Heading names by the engine's number."""

OFFSETS: tuple[tuple[int, int], ...] = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0))
"""Heading number -> (row, column) step; rows grow downwards."""

ATTRIBUTES: tuple[str, ...] = ("experience", "dexterity", "strength", "intelligence")
"""The entries of the packed row's `attributes` field, in order; full game only."""

ACTIONS: tuple[str, ...] = (
    "noop",
    "left",
    "right",
    "up",
    "down",
    "do",
    "sleep",
    "place_stone",
    "place_table",
    "place_furnace",
    "place_plant",
    "make_wood_pickaxe",
    "make_stone_pickaxe",
    "make_iron_pickaxe",
    "make_wood_sword",
    "make_stone_sword",
    "make_iron_sword",
)

BLOCKS: tuple[Block, ...] = (
    Block("invalid", "invalid", "$", walkable=True),
    Block("out_of_bounds", "out of bounds", "X", walkable=False, terrain=True),
    Block("grass", "grass", ".", walkable=True, terrain=True),
    Block("water", "water", "~", walkable=False, terrain=True),
    Block("stone", "stone", "#", walkable=False, terrain=True),
    Block("tree", "tree", "T", walkable=False),
    Block("wood", "wood", "w", walkable=True),
    Block("path", "path", "_", walkable=True, terrain=True),
    Block("coal", "coal", "o", walkable=False),
    Block("iron", "iron", "i", walkable=False),
    Block("diamond", "diamond", "d", walkable=False),
    Block("crafting_table", "crafting table", "=", walkable=False),
    Block("furnace", "furnace", "[", walkable=False),
    Block("sand", "sand", ":", walkable=True, terrain=True),
    Block("lava", "lava", "L", walkable=False, terrain=True),
    Block("plant", "plant", "p", walkable=False),
    Block("ripe_plant", "ripe plant", "r", walkable=False),
)

ACHIEVEMENTS: tuple[Achievement, ...] = (
    Achievement("collect_wood", "collect wood", 1),
    Achievement("place_table", "place table", 1),
    Achievement("eat_cow", "eat cow", 1),
    Achievement("collect_sapling", "collect sapling", 1),
    Achievement("collect_drink", "collect drink", 1),
    Achievement("make_wood_pickaxe", "make wood pickaxe", 1),
    Achievement("make_wood_sword", "make wood sword", 1),
    Achievement("place_plant", "place plant", 1),
    Achievement("defeat_zombie", "defeat zombie", 1),
    Achievement("collect_stone", "collect stone", 1),
    Achievement("place_stone", "place stone", 1),
    Achievement("eat_plant", "eat plant", 1),
    Achievement("defeat_skeleton", "defeat skeleton", 1),
    Achievement("make_stone_pickaxe", "make stone pickaxe", 1),
    Achievement("make_stone_sword", "make stone sword", 1),
    Achievement("wake_up", "wake up", 1),
    Achievement("place_furnace", "place furnace", 1),
    Achievement("collect_coal", "collect coal", 1),
    Achievement("collect_iron", "collect iron", 1),
    Achievement("collect_diamond", "collect diamond", 1),
    Achievement("make_iron_pickaxe", "make iron pickaxe", 1),
    Achievement("make_iron_sword", "make iron sword", 1),
)

OVERWORLD_FINDS = ("tree", "grass", "water", "stone", "coal", "iron", "diamond", "lava")
TABLE_COST = {"wood": 2}
FURNACE_COST = {"stone": 1}
STONE_COST = {"stone": 1}
PLANT_COST = {"sapling": 1}
WOOD_TOOL_COST = {"wood": 1}
STONE_TOOL_COST = {"wood": 1, "stone": 1}
IRON_TOOL_COST = {"wood": 1, "stone": 1, "iron": 1, "coal": 1}
TABLE = ("crafting_table",)
TABLE_AND_FURNACE = ("crafting_table", "furnace")


def tool_recipe(kind: str, material: str, tier: int, product: str) -> Recipe:
    """The recipe of a wood, stone or iron tool, the same in both games.

    Args:
        kind: `"pickaxe"` or `"sword"`.
        material: `"wood"`, `"stone"` or `"iron"`.
        tier: The number that the product field takes (full) or grows by (Classic).
        product: The inventory field of the product.

    Returns:
        The recipe.
    """
    costs = {"wood": WOOD_TOOL_COST, "stone": STONE_TOOL_COST, "iron": IRON_TOOL_COST}[material]
    near = TABLE_AND_FURNACE if material == "iron" else TABLE
    return Recipe(f"make_{material}_{kind}", costs, {product: tier}, near)
