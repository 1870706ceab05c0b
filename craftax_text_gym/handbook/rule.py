"""What a rule is, and the words that several rules share."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.utils.words import listed

UNUSED = frozenset({"invalid", "wood", "gravel"})
"""Blocks that occur in no world."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; a test plays it in the engine.

    Attributes:
        key: Its name, such as `"survival.food"`; the part before the first dot is its topic.
        text: The rule in words. Every number in it is measured by the test.
        floor: The first floor on which it matters.
    """

    key: str
    text: str
    floor: int = 0

    @property
    def topic(self) -> str:
        """Its topic."""
        return self.key.partition(".")[0]


def labels(spec: GameSpec, names: Iterable[str]) -> list[str]:
    """The words for blocks, without those that occur in no world; those of a set by number."""
    ordered = sorted(names, key=spec.block_index.__getitem__) if isinstance(names, Set) else names
    return [spec.blocks[spec.block_index[name]].label for name in ordered if name not in UNUSED]


def steps_over(limit: float, rate: float = 1) -> int:
    """How many steps a counter needs to get from 0 above its limit, at `rate` per step."""
    return int(limit / rate) + 1


def maxima_words(spec: GameSpec) -> str:
    """The maximum of each vital, by the attribute that raises it (full game)."""
    by_formula: dict[str, list[str]] = {}
    for vital, (base, attribute, factor) in spec.maxima.items():
        words = f"{base} + {f'{factor} x ' if factor > 1 else ''}{attribute}"
        by_formula.setdefault(words, []).append(vital)
    return "; ".join([f"{listed(vitals)} {words}" for words, vitals in by_formula.items()])


def parameter(spec: GameSpec, name: str) -> int:
    """Craftax's default for a parameter of the game."""
    return int(next(param.default for param in spec.params if param.name == name))


def shot_damage(spec: GameSpec, label: str) -> int:
    """The damage of a projectile, of all kinds together."""
    return sum(next(projectile.damage for projectile in spec.projectiles if projectile.label == label))


def plain(number: float) -> str:
    """`2`, `3.5`."""
    return f"{number:g}"
