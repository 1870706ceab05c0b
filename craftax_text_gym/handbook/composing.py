"""The manual of a game: its rules by topic and by floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook import basics, fighting, floors, gathering, goals, light, magic, making, short, survival
from craftax_text_gym.handbook.rule import Rule
from craftax_text_gym.utils.validation import nearest

_TITLES: Mapping[str, str] = {
    "basics": "Seeing and moving",
    "survival": "Staying alive",
    "gathering": "Gathering with do",
    "crafting": "Crafting",
    "placing": "Placing on the tile that you face",
    "fighting": "Fighting",
    "creatures": "Creatures",
    "light": "Day, night and light",
    "floors": "Floors and ladders",
    "treasure": "Chests and potions",
    "magic": "Mana, spells and enchantments",
    "attributes": "Experience and attributes",
    "boss": "The necromancer",
    "goals": "Rewards and the end",
}
TOPICS: tuple[str, ...] = tuple(_TITLES)
"""The topics of the manual, in order. Classic has no floors, treasure, magic, attributes or boss."""

_LEADS: Mapping[str, str] = {
    "gathering": "What stands in front of you, what do takes from it, and what is left:",
    "crafting": "What each costs, all of it in your bags, and where it is made:",
    "creatures": "What harm they do, and how many blows with which sword kill them{}:",
}
_WHOLE, _SHORT, _ONE_FLOOR = "whole", "short", "floor"


def manual(game: str | GameSpec = "full", *, detail: str = _WHOLE, floor: int | None = None) -> str:
    """The rules of a game in words, every number filled in.

    It holds what a player may know, and nothing that the game hides.

    Args:
        game: `"full"`, `"classic"`, an environment id, or a spec.
        detail: `"whole"`; `"short"`, at most 700 tokens, for a system prompt; one of `TOPICS`; or `"floor"`: only
            what `floor` adds to the floors above it, to be read on arrival.
        floor: The lowest floor to cover; None for all.

    Returns:
        Markdown, or for `"short"` plain sentences.

    Raises:
        ValueError: If the game has no such detail or floor, or `"floor"` comes without a floor.
        TypeError: If `floor` is not an int.
    """
    spec = games.get(game)
    choices = (_WHOLE, _SHORT, _ONE_FLOOR, *topics_of(spec))
    if detail not in choices:
        near = ", ".join(nearest(str(detail), choices))
        raise ValueError(f"Unknown detail {detail!r} for {spec.title}. The closest choices: {near}.")
    lowest = _check_floor(spec, floor)
    if detail == _ONE_FLOOR:
        if floor is None:
            raise ValueError("Expected a floor with detail='floor', such as manual(detail='floor', floor=1), got None.")
        return _one_floor(spec, lowest)
    if detail == _SHORT:
        return short.write(spec, lowest)
    chosen = [rule for rule in rules_of(spec) if rule.floor <= lowest]
    if detail != _WHOLE:
        return _section(spec, detail, chosen)
    sections = [_section(spec, topic, chosen) for topic in TOPICS if any(rule.topic == topic for rule in chosen)]
    return "\n\n".join([_opening(spec), *sections])


def topics_of(spec: GameSpec) -> tuple[str, ...]:
    """The topics that a game has."""
    found = {rule.topic for rule in rules_of(spec)}
    return tuple([topic for topic in TOPICS if topic in found])


def rules_of(game: str | GameSpec) -> tuple[Rule, ...]:
    """Every rule of a game, by topic.

    Args:
        game: As for `manual`.

    Returns:
        The rules in the order of the manual.
    """
    return _rules(games.get(game))


@lru_cache
def _rules(spec: GameSpec) -> tuple[Rule, ...]:
    sources = (basics, survival, gathering, making, fighting, light, floors, magic, goals)
    return tuple([rule for source in sources for rule in source.rules(spec)])


def _check_floor(spec: GameSpec, floor: int | None) -> int:
    last = len(spec.floors) - 1
    if floor is None:
        return last
    if isinstance(floor, bool) or not isinstance(floor, int):
        raise TypeError(f"Expected floor as an int or None, got {floor!r}.")
    if not 0 <= floor <= last:
        raise ValueError(f"Expected a floor from 0 to {last} of {spec.title}, got {floor}.")
    return floor


def _opening(spec: GameSpec) -> str:
    return (
        f"# {spec.title}: the rules\n"
        "A survival game, played step by step on a grid seen from above. Words_with_underscores, and single words "
        "such as do, sleep or up where they name what you do, are the names of actions."
    )


def _section(spec: GameSpec, topic: str, chosen: Sequence[Rule]) -> str:
    at_levels = " at strength 1, without enchantment" if spec.key == "full" else ""
    lead = [_LEADS[topic].format(at_levels)] if topic in _LEADS else []
    return "\n".join([f"## {_TITLES[topic]}", *lead, *[f"- {rule.text}" for rule in chosen if rule.topic == topic]])


def _one_floor(spec: GameSpec, floor: int) -> str:
    chosen = [rule for rule in rules_of(spec) if rule.floor == floor]
    first = [rule for rule in chosen if rule.key == f"floors.{floor}"]
    rest = [rule for rule in chosen if rule not in first]
    return "\n".join([f"# {spec.title}: floor {floor}", *[f"- {rule.text}" for rule in [*first, *rest]]])
