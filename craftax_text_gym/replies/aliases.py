"""The phrases that name an action: its own name and a table of known aliases."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import product

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec

_MAKE = "make|craft|create|build"
_PLACE = "place|put|put_down"
_STEP = "move|face|walk|step|head"
_CLIMB = "go|climb|walk"

ALIASES: Mapping[str, tuple[str, ...]] = {
    "noop": ("no op|operation|action", "wait|idle|nothing", "do nothing", "stay ~|still|put", "stand still"),
    "left": (f"{_STEP}|go left|west", "west"),
    "right": (f"{_STEP}|go right|east", "east"),
    "up": (f"{_STEP} up|north", "north", "go north"),
    "down": (f"{_STEP} down|south", "south", "go south"),
    "do": (
        "interact|attack|hit|strike|use|collect|gather|harvest|mine|chop|eat",
        "chop|cut ~|down tree|wood",
        "drink ~|from water",
    ),
    "sleep": ("go to sleep",),
    "rest": ("take a rest",),
    "place_stone": (f"{_PLACE} stone",),
    "place_table": (f"{_PLACE}|{_MAKE} table|crafting_table|workbench|crafting_bench",),
    "place_furnace": (f"{_PLACE}|{_MAKE} furnace",),
    "place_plant": (f"{_PLACE}|plant sapling", f"{_PLACE} plant"),
    "place_torch": (f"{_PLACE} torch",),
    **{
        f"make_{material}_{tool}": (f"{_MAKE}|~ {words} {tool_words}",)
        for material, words in (("wood", "wood|wooden"), *((name, name) for name in ("stone", "iron", "diamond")))
        for tool, tool_words in (("pickaxe", "pickaxe|pick_axe"), ("sword", "sword"))
    },
    "make_iron_armour": (f"{_MAKE}|~ iron armour|armor",),
    "make_diamond_armour": (f"{_MAKE}|~ diamond armour|armor",),
    "make_arrow": (f"{_MAKE} arrow", f"{_MAKE} arrows"),
    "make_torch": (f"{_MAKE} torch", f"{_MAKE} torches"),
    "shoot_arrow": ("shoot|fire arrow|bow", "shoot"),
    "cast_fireball": ("cast|throw|shoot|~ fireball|fire_ball",),
    "cast_iceball": ("cast|throw|shoot|~ iceball|ice_ball",),
    **{
        f"drink_potion_{colour}": (f"drink|quaff|use|~ {colour} potion", f"quaff|~ potion {colour}")
        for colour in games.FULL.potions
    },
    "read_book": ("read book", "read"),
    "enchant_sword": ("enchant sword",),
    "enchant_armour": ("enchant armour|armor",),
    "enchant_bow": ("enchant bow",),
    **{
        f"level_up_{attribute}": (f"level_up|level|upgrade|increase|raise {attribute}|{short}",)
        for attribute, short in (("dexterity", "dex"), ("strength", "str"), ("intelligence", "int"))
    },
    "descend": (
        f"{_CLIMB}|descend down ladder|stairs",
        "descend ladder|stairs",
        "climb down",
        "go downstairs",
    ),
    "ascend": (f"{_CLIMB}|ascend up ladder|stairs", "ascend ladder|stairs", "climb up", "go upstairs"),
}
"""Action -> templates of what else it is called.

A template is a row of slots; `|` separates a slot's choices, `~` is the empty choice, `_` a space within a choice.
Articles (`make a wood pickaxe`) are dropped when a phrase is looked up.
"""

UNCLEAR: Mapping[str, tuple[str, ...]] = {
    "go up": ("up", "ascend"),
    "go down": ("down", "descend"),
    "climb": ("descend", "ascend"),
    "~|use|take ladder|stairs": ("descend", "ascend"),
    "drink": ("do", "drink_potion_*"),
    "drink|use|quaff potion": ("drink_potion_*",),
    f"{_PLACE}": ("place_*",),
    f"{_MAKE}": ("make_*",),
    f"{_MAKE}|~ pickaxe": ("make_*_pickaxe",),
    f"{_MAKE}|~ sword": ("make_*_sword",),
    f"{_MAKE}|~ armour|armor": ("make_*_armour",),
    "arrow|arrows": ("make_arrow", "shoot_arrow"),
    "torch": ("make_torch", "place_torch"),
    "plant|sapling": ("place_plant", "do"),
    "fire": ("shoot_arrow", "cast_fireball"),
    "cast ~|spell": ("cast_*",),
    "enchant": ("enchant_*",),
    "level up": ("level_up_*",),
}
"""Template -> the actions it may mean, as patterns. Where a game has just one of them, that one is meant."""

_ARTICLES = frozenset({"a", "an", "the", "my", "some"})
_LONGEST = 100
"""More characters than any phrase has."""

_DONE_BY_DO = ("collect", "eat", "defeat", "open")
_HARVEST = "collect|gather|harvest|mine"
_FIGHT = "attack|hit|fight|kill|defeat"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a game's actions may be called.

    Attributes:
        names: The actions' names by number.
        phrases: Phrase, in lower case with single spaces -> the actions that it may mean: one, or several if unclear.
        words: Name, underscored and in lower case -> its number; the only words that need no separator.
        foreign: Phrases that mean something in the other game only -> the title of that game.
    """

    names: tuple[str, ...]
    phrases: Mapping[str, tuple[int, ...]]
    words: Mapping[str, int]
    foreign: Mapping[str, str]

    def meanings(self, phrase: str) -> tuple[int, ...]:
        """The actions that a phrase may mean.

        Args:
            phrase: In lower case, with single spaces.

        Returns:
            Their numbers: none if the phrase is unknown, several if it is unclear.
        """
        return self.phrases.get(phrase) or self.phrases.get(_without_articles(phrase), ())

    def home_of(self, phrase: str) -> str | None:
        """The title of the only game that knows a phrase, if that is another one."""
        return self.foreign.get(_without_articles(phrase))

    def nearest(self, phrase: str) -> tuple[str, ...]:
        """The names of the actions that a phrase may have meant, likeliest first; few, and possibly none."""
        spelled = {name.replace("_", " "): name for name in self.names}
        contained = [spelled[word] for word in phrase[:_LONGEST].split() if word in spelled]
        spelled |= {
            alias: self.names[means[0]] for alias, means in self.phrases.items() if len(means) == 1 and " " not in alias
        }
        close = difflib.get_close_matches(phrase[:40], spelled, n=6, cutoff=0.6)
        return tuple(dict.fromkeys([*contained, *(spelled[found] for found in close)]))[:3]


def vocabulary_of(spec: GameSpec) -> Vocabulary:
    """The vocabulary of a game, made once."""
    return _vocabularies()[spec.key]


@cache
def _vocabularies() -> Mapping[str, Vocabulary]:
    phrases = {spec.key: _phrases(spec) for spec in games.ALL}
    return {
        spec.key: Vocabulary(
            names=spec.actions,
            phrases=phrases[spec.key],
            words={name: index for index, name in enumerate(spec.actions)},
            foreign={
                phrase: other.title
                for other in games.ALL
                for phrase in phrases[other.key]
                if phrase not in phrases[spec.key]
            },
        )
        for spec in games.ALL
    }


def _phrases(spec: GameSpec) -> dict[str, tuple[int, ...]]:
    known: dict[str, tuple[int, ...]] = {}
    for index, name in enumerate(spec.actions):
        known[name.replace("_", " ")] = known[name.replace("_", "")] = (index,)
    for name, templates in _named(spec):
        if name in spec.action_index:
            for phrase in (phrase for template in templates for phrase in _expanded(template)):
                if known.setdefault(phrase, (spec.action_index[name],)) != (spec.action_index[name],):
                    raise ValueError(f"The phrase {phrase!r} of {name!r} means another action as well.")
    for template, patterns in UNCLEAR.items():
        means = tuple(i for i, name in enumerate(spec.actions) if any(fnmatchcase(name, p) for p in patterns))
        known |= dict.fromkeys((phrase for phrase in _expanded(template) if means and phrase not in known), means)
    return known


def _without_articles(phrase: str) -> str:
    if len(phrase) > _LONGEST or phrase.count(" ") <= 1:
        return phrase
    first, *inner, last = phrase.split(" ")
    return " ".join([first, *(word for word in inner if word not in _ARTICLES), last])


def _named(spec: GameSpec) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from ALIASES.items()
    yield "do", tuple(_things_done(spec))


def _things_done(spec: GameSpec) -> Iterator[str]:
    for key in spec.achievement_keys:
        verb, _, thing = key.partition("_")
        if verb in _DONE_BY_DO:
            yield f"{verb} {thing}"
    for harvest in spec.harvests:
        yield from (f"{_HARVEST} {thing}" for thing in (harvest.block, *harvest.gives))
    yield from (f"{_FIGHT} {mob.label.replace(' ', '_')}" for mob in spec.mobs)


def _expanded(template: str) -> Iterator[str]:
    slots = [slot.split("|") for slot in template.split()]
    for choice in product(*slots):
        yield " ".join(word.replace("_", " ") for word in choice if word != "~")
