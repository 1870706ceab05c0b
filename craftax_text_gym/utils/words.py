"""English words for names and numbers: articles, plurals, lists. No game, no NumPy, no JAX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_PLURALS = {
    "torches": ("torch", "torches"),
    "arrows": ("arrow", "arrows"),
    "books": ("book", "books"),
    "potions": ("potion", "potions"),
    "ruby": ("ruby", "rubies"),
    **{name: (name, f"{name}s") for name in ("diamond", "sapphire", "sapling")},
}
"""Inventory field -> singular and plural; fields that are not listed are mass nouns."""


def spaced(name: str) -> str:
    """Turn a key such as `iron_pickaxe` into words: `iron pickaxe`."""
    return name.replace("_", " ")


def with_article(label: str) -> str:
    """Put the indefinite article before a noun: `a stone pickaxe`, `an iron pickaxe`."""
    return f"{'an' if label[0] in 'aeiou' else 'a'} {label}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Join words as a list: `a, b and c`."""
    *rest, final = words
    return f"{', '.join(rest)} {last} {final}" if rest else final


def counted(number: int, field: str) -> str:
    """Count an inventory field: `1 wood`, `3 diamonds`, `4 torches`."""
    singular, plural = _PLURALS.get(field, (field, field))
    return f"{number} {spaced(singular if number == 1 else plural)}"


def priced(costs: Mapping[str, int]) -> str:
    """List the costs of a recipe: `1 wood, 1 stone and 1 coal`."""
    return listed([counted(amount, field) for field, amount in costs.items()])


def plural(creature: str) -> str:
    """Form the plural of a creature's name: `zombies`, `orc warriors`, `frostmen`."""
    return f"{creature[:-3]}men" if creature.endswith("man") else f"{creature}s"


def percent(fraction: float) -> str:
    """Write a fraction as a whole percentage: `10%`."""
    return f"{round(100 * fraction)}%"


def number(value: float) -> str:
    """Write a number with at most two decimals: `9`, `0.4`; never `0` for a value above zero."""
    if value == int(value):
        return str(int(value))
    return "0.01" if 0 < value < 0.01 else f"{value:.2f}".rstrip("0").rstrip(".")
