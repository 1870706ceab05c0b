"""The requirements of each action as data: one table per game, used by the mask and by the reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from craftax_text_gym.availability.derived import CELLS_AHEAD, formulas
from craftax_text_gym.games.shared import ATTRIBUTES, DIRECTIONS
from craftax_text_gym.games.spec import GameSpec, Harvest, Placement, Recipe
from craftax_text_gym.observation.layout import DARK
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.utils.words import counted, spaced, with_article

Words = Callable[[Scene, Any], str]

_LOWEST = "this is the lowest floor"
_MOVES = ("left", "right", "up", "down")


@dataclass(frozen=True, slots=True)
class Need:
    """A range in which a fact must lie.

    Attributes:
        fact: Its name in `facts.Facts`.
        words: The reason in words where it lies outside, from the scene and the fact's value. They may depend on
            nothing but the given facts behind this one and the faced tile: reasons are cached by these.
        least: The lower end.
        most: The upper end, if any.
    """

    fact: str
    words: Words
    least: int = 1
    most: int | None = None

    def holds(self, value: Any) -> bool:
        """Whether a value of the fact lies in the range."""
        return bool(value >= self.least and (self.most is None or value <= self.most))


@lru_cache
def needs(spec: GameSpec) -> Mapping[str, tuple[Need, ...]]:
    """The needs of every action that has any.

    Args:
        spec: The game.

    Returns:
        Action name -> needs; all of them must hold, and the player must be awake.
    """
    table: dict[str, tuple[Need, ...]] = {move: (Need(f"free_{move}", _blocked),) for move in _MOVES}
    table["do"] = _using(spec)
    table["sleep"] = (Need("tired", _says("you are not tired: your energy is full")),)
    table |= {placement.action: _placement(placement) for placement in spec.placements}
    table |= {recipe.action: _recipe(spec, recipe) for recipe in spec.recipes}
    if spec.key == "full":
        table |= _full(spec)
    return table


def _full(spec: GameSpec) -> dict[str, tuple[Need, ...]]:
    lowest = len(spec.floors) - 1
    slot = Need("free_shots", lambda scene, _: f"{scene.spec.slots[-1]} shots of yours are still in flight")
    table = {
        "do": (*_using(spec), Need("boss_fights", _says("the necromancer cannot be hurt on this floor"))),
        "rest": (
            Need("hurt", _says("your health is full")),
            Need("food", _says("you are starving")),
            Need("drink", _says("you are parched")),
        ),
        "descend": (
            Need("on_ladder_down", _no_way_down),
            Need("floor", _says(_LOWEST), least=0, most=lowest - 1),
        ),
        "ascend": (
            Need("on_ladder_up", _says("you are not on a ladder up")),
            Need("floor", _says("this is the highest floor")),
        ),
        "shoot_arrow": (Need("bow", _says("needs a bow")), _cost("arrows", 1), slot),
        "read_book": (_cost("books", 1),),
    }
    table |= {
        f"cast_{spell}": (
            Need(spell, _says(f"you have not learned {spell}")),
            _cost("mana", spec.mechanics.spell_mana),
            slot,
        )
        for spell in spec.spells
    }
    table |= {
        f"drink_potion_{colour}": (Need(colour, _says(f"you have no {colour} potion")),) for colour in spec.potions
    }
    for thing, missing in (("sword", "a sword"), ("bow", "a bow"), ("armour", "armour")):
        table[f"enchant_{thing}"] = (
            Need("gem", _no_gem),
            Need(thing, _says(f"needs {missing}")),
            _cost("mana", spec.mechanics.enchant_mana),
        )
    for number, attribute in enumerate(ATTRIBUTES[1:], start=1):
        table[f"level_up_{attribute}"] = (
            Need("experience", _says("needs 1 experience point: you have 0")),
            Need(f"{attribute}_to_gain", partial(_at_the_top, number)),
        )
    return table


def _at_the_top(number: int, scene: Scene, to_gain: int) -> str:
    return f"{ATTRIBUTES[number]} is already {scene.attributes[number] + to_gain}, its maximum"


def _using(spec: GameSpec) -> tuple[Need, ...]:
    tools = sorted({harvest.tool for harvest in spec.harvests if harvest.tool})
    full_bag = _says(f"you already carry {counted(spec.inventory_cap, 'sapling')}")
    return (
        *(Need(f"spare_{tool}", _cannot_use, least=0) for tool in tools),
        Need("sapling_room", full_bag),
    )


def _placement(placement: Placement) -> tuple[Need, ...]:
    return (
        *(_cost(field, amount) for field, amount in placement.costs.items()),
        Need(f"site_{placement.action}", lambda scene, _: _refused(scene, placement)),
    )


def _recipe(spec: GameSpec, recipe: Recipe) -> tuple[Need, ...]:
    found = [_cost(field, amount) for field, amount in recipe.costs.items()]
    found += [Need(station, _says(f"no {spaced(station)} within reach")) for station in recipe.near]
    (product, amount), *_ = recipe.gives.items()
    if recipe.limit is not None:
        full = _says(f"you already carry {counted(recipe.limit, product)}")
        found.append(Need(product, full, least=0, most=recipe.limit - 1))
    elif product in spec.tools:
        owned = lambda scene, value: f"you already have {with_article(scene.spec.tools[product][value])}"  # noqa: E731
        found.append(Need(product, owned, least=0, most=amount - 1))
    elif product == "armour":
        words = f"every piece of your armour is already {' or '.join(spec.armour_tiers[amount:])}"
        found.append(Need(f"below_armour_{amount}", _says(words)))
    return tuple(found)


def _cost(field: str, amount: int) -> Need:
    return Need(field, lambda _, value: f"needs {counted(amount, field)}: you have {value}", least=amount)


def _says(text: str) -> Words:
    return lambda _scene, _value: text


def _blocked(scene: Scene, _: Any) -> str:
    return f"{_obstacle(scene)} in the way"


def _obstacle(scene: Scene) -> str:
    tile = scene.faced
    creatures = [thing.label for thing in tile.things if thing.mob]
    if creatures:
        return f"{with_article(creatures[0])} is"
    if tile.block == "out of bounds":
        return "the edge of the world is"
    return f"{tile.block} is"


def _refused(scene: Scene, placement: Placement) -> str:
    tile = scene.faced
    names = {block.label: block.name for block in scene.spec.blocks}
    if names[tile.block or ""] not in placement.onto:
        if len(placement.onto) == 1:
            return f"you are not facing {next(iter(placement.onto))}"
        if tile.block == "out of bounds":
            return _blocked(scene, None)
        thing = spaced(placement.becomes)
        return f"{thing if thing == 'stone' else with_article(thing)} cannot be placed on {tile.block}"
    if tile.item:
        return f"{with_article(tile.item)} is in the way"
    return _blocked(scene, None)


def _cannot_use(scene: Scene, _: Any) -> str:
    tile = scene.faced
    harvest = _harvests(scene.spec).get(tile.block or "")
    if harvest is None or harvest.tool is None:
        return _IDLE.get(tile.block or "", f"there is nothing to do with {tile.block}")
    tool = scene.spec.tools[harvest.tool][harvest.tier] if harvest.tool in scene.spec.tools else harvest.tool
    return f"{tile.block} needs {with_article(spaced(tool))}"


_IDLE = {
    "plant": "the plant is not ripe",
    "necromancer": "the necromancer cannot be hurt now",
    "out of bounds": "the edge of the world is in the way",
}


@lru_cache
def _harvests(spec: GameSpec) -> dict[str, Harvest]:
    return {spec.blocks[spec.block_index[harvest.block]].label: harvest for harvest in spec.harvests}


def _no_gem(scene: Scene, _: Any) -> str:
    block = scene.faced.block
    if block is None:
        return "needs 1 ruby or 1 sapphire: you have neither"
    if not block.endswith("enchantment table"):
        return "you are not facing an enchantment table"
    return f"needs {counted(1, 'ruby' if block.startswith('fire') else 'sapphire')}: you have 0"


def _no_way_down(scene: Scene, _: Any) -> str:
    if scene.on_boss_floor:
        return _LOWEST
    if not scene.ladder_open and (scene.underfoot.item == "blocked ladder down" or scene.underfoot.block is None):
        return f"the ladder down is blocked until {scene.spec.kills_to_open} monsters of this floor are killed"
    return "you are not on a ladder down"


@lru_cache(4096)
def unseen(spec: GameSpec, direction: str, around: bytes, god_mode: bool = False) -> Mapping[str, str]:
    """Facts that count as favourable because the player cannot see them.

    Args:
        spec: The game.
        direction: Where the player looks.
        around: The block numbers of the nine tiles around the player, row by row: `Row.around`.
        god_mode: Craftax's parameter: the player needs neither a free tile nor a ladder.

    Returns:
        Fact -> what cannot be told, in words. Shared: not to be changed.
    """
    found = dict[str, str]()
    ahead = around[CELLS_AHEAD[DIRECTIONS.index(direction) - 1]]
    if ahead == DARK:
        faced = [name for name in formulas(spec) if name.startswith(("site_", "spare_"))]
        found = dict.fromkeys([*faced, f"free_{direction}", "gem"], "it is too dark to tell what you face")
    elif spec.blocks[ahead].name == "out_of_bounds" and direction in ("left", "up"):
        found[f"free_{direction}"] = "what lies beyond the edge of the world cannot be seen"
    beside = around[:4] + around[5:]
    if DARK in beside:
        for station in ("crafting_table", "furnace"):
            if spec.block_index[station] not in beside:
                found[station] = f"it is too dark to tell whether a {spaced(station)} is within reach"
    if around[4] == DARK:
        for way in ("down", "up"):
            found[f"on_ladder_{way}"] = f"it is too dark to tell whether you are on a ladder {way}"
    if god_mode:
        found = {fact: words for fact, words in found.items() if not fact.startswith(("free_", "on_ladder_"))}
    return found
