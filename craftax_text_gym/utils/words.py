"""English words for names and numbers: articles, plurals, lists. No game, no NumPy, no JAX."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from decimal import ROUND_DOWN, Decimal

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
    """Write a number with at most two decimals: `9`, `0.4`; cut, never rounded up, and never `0` above zero."""
    return str(int(value)) if value == int(value) else _trimmed(cut(shortest(value)))


def difference(left: float, right: float) -> str:
    """Write how far apart two numbers are, to the nearest hundredth; never `0` unless they are equal."""
    if left == int(left) and right == int(right):
        return str(abs(int(left) - int(right)))
    apart = abs(shortest(left) - shortest(right))
    return _trimmed(max(round(apart, 2), Decimal("0.01")) if apart else apart)


def _trimmed(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def json_number(value: float) -> float:
    """Cut a number to four decimals; never 0 above zero."""
    return value if value == int(value) else float(cut(shortest(value), 4))


def shortest(value: float) -> Decimal:
    """The shortest decimal that a float32 stands for: 8.9, though the float itself is 8.89999961853."""
    single = struct.pack("<f", value)
    candidates = (f"{value:.{digits}g}" for digits in range(6, 10))
    return Decimal(next(text for text in candidates if struct.pack("<f", float(text)) == single))


def cut(value: Decimal, places: int = 2) -> Decimal:
    """Drop all but some decimals; what is above zero stays above it."""
    least = Decimal(1).scaleb(-places)
    kept = value.quantize(least, ROUND_DOWN)
    return least if value > 0 and not kept else kept
