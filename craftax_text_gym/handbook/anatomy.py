"""How to read an observation in a given format, and how to answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook.rule import UNUSED, maxima_words
from craftax_text_gym.replies.parsing import MAX_ACTIONS
from craftax_text_gym.replies.tool_schemas import TOOL_NAME
from craftax_text_gym.text import phrases
from craftax_text_gym.text.formats import TextFormat, resolve
from craftax_text_gym.text.loading import load_markup, load_section
from craftax_text_gym.text.symbols import symbols
from craftax_text_gym.utils.validation import check_choice, check_count
from craftax_text_gym.utils.words import listed

Answer = Literal["name", "marked", "tool"]
ANSWERS: tuple[Answer, ...] = ("name", "marked", "tool")


def instructions(
    game: str | GameSpec = "full",
    text_format: str | Mapping[str, object] | TextFormat = "markdown",
    *,
    max_actions: int | None = None,
    answer: Answer = "name",
) -> str:
    """How to read the observations of a game in a format, and how to answer them.

    Args:
        game: `"full"`, `"classic"`, an environment id, or a spec.
        text_format: The same as the environment was made with.
        max_actions: How many actions a reply may ask for; None for as many as `parse_actions` takes.
        answer: The one way to answer that is described: `"name"`, the action alone or, after thoughts, marked;
            `"marked"`, thoughts and then the marked action; `"tool"`, a call of the tool of
            `replies.tool_schemas`.

    Returns:
        Markdown.

    Raises:
        ValueError: If the game or format is unknown, or `max_actions` is below 1.
        TypeError: If `text_format` is not a format.
    """
    spec, chosen = games.get(game), resolve(text_format)
    most = MAX_ACTIONS if max_actions is None else max_actions
    check_count("max_actions", most)
    check_choice("answer", answer, ANSWERS)
    return "\n".join([*_Anatomy(spec, chosen).lines(), "", *_answering(spec, most, answer)])


def _answering(spec: GameSpec, most: int, answer: Answer) -> Iterator[str]:
    yield "# How to answer"
    yield f"The actions are: {', '.join(spec.actions)}."
    if answer == "tool":
        yield from _calling(most)
        return
    ways = {
        "name": "Reply with the name of an action and nothing else, or think first and mark it: <action>left</action>.",
        "marked": "Think first, in a few sentences. Then end your reply with your action: <action>left</action>.",
    }
    yield ways[answer]
    if most > 1:
        yield (
            f"Several, at most {most}, are carried out in their order: <action>left*3, do</action> is left, left, "
            "left, do."
        )
    else:
        yield "Only one action at a time."


def _calling(most: int) -> Iterator[str]:
    call = '{"action": "left"}' if most == 1 else '{"actions": ["left", "left", "do"]}'
    yield f"Think first, in a few sentences. Then call the tool {TOOL_NAME} once; only its arguments count: {call}."
    yield "Only one action at a time." if most == 1 else f"At most {most} actions a call, carried out in their order."


class _Anatomy:
    """Describes one format of one game."""

    def __init__(self, spec: GameSpec, chosen: TextFormat) -> None:
        self.spec = spec
        self.chosen = chosen
        self.structured = load_markup(chosen.markup).structured
        self.words = phrases.DIRECTIONS[chosen.directions]
        self.is_full = spec.key == "full"

    def lines(self) -> Iterator[str]:
        """The lines on how to read it."""
        yield "# How to read an observation"
        yield f"{self._frame()} its parts, in this order:"
        yield from [
            f"- {self._heading(name)}{self._part(name)}" for name in self.chosen.sections if self._is_shown(name)
        ]
        yield from self._offsets()
        if self.chosen.map in ("both", "grid") and "map" in self.chosen.sections:
            yield self._legend()
        if self.is_full:
            yield f'"{phrases.DARKNESS}" is an unlit tile: what is on it cannot be told.'
        on_dark_floors = ", which on dark floors is darkness too" if self.is_full else ""
        yield f'"out of bounds" is beyond the edge of the world{on_dark_floors}.'

    def _frame(self) -> str:
        frames = {
            "xml": "It is an <observation> element;",
            "json": "It is a JSON object;",
            "markdown": "It is Markdown;",
            "plain": "It is plain text;",
        }
        return frames.get(self.chosen.markup, "It is a text;")

    def _is_shown(self, name: str) -> bool:
        return name != "map" or self.chosen.map in ("both", "grid")

    def _heading(self, name: str) -> str:
        title = load_section(name).title
        if self.structured:
            return f'"{name}": '
        if self.chosen.markup == "xml":
            return f"<{name.rpartition(':')[2]}>: "
        if self.chosen.terse or not title:
            return ""
        return f"## {title}: " if self.chosen.markup == "markdown" else f"{title}: "

    def _part(self, name: str) -> str:
        parts: dict[str, Callable[[], str]] = {
            "feedback": self._feedback,
            "status": self._status,
            "inventory": self._inventory,
            "nearby": self._nearby,
            "map": self._map,
            "achievements": lambda: "the achievements that you have unlocked, and how many there are.",
            "actions": self._actions,
            "balrog": self._balrog,
        }
        return parts[name]() if name in parts else "a part of the user's own."

    def _feedback(self) -> str:
        when_absent = "empty after a reset" if self.structured else "missing after a reset"
        return f"what your last action did, or why it did nothing, and what else changed ({when_absent})."

    def _status(self) -> str:
        if self.structured:
            return self._status_data()
        vitals = f"{listed(self.spec.maxima)}, "
        vitals += self._formula() if self.chosen.terse else "each as what you have / the most you can have"
        lines = [vitals]
        if self.is_full:
            short = "experience (xp), dexterity (dex), strength (str) and intelligence (int)"
            names = short if self.chosen.terse else "experience, dexterity, strength and intelligence"
            lines.append(f"{names}, and the spells that you know")
            lines.append(
                "the floor, the daylight, and whether the ladder down is open (on the last floor, whether the "
                "necromancer is vulnerable)"
            )
        else:
            lines.append("the daylight")
        states = "asleep, resting or dead" if self.is_full else "asleep or dead"
        lines.append(f"whether you are {states}, if you are")
        return f"{'; '.join(lines)}; {self._tiles()}."

    def _formula(self) -> str:
        if not self.is_full:
            return f"each at most {self.spec.maxima['health'][0]}"
        return f"at most ({maxima_words(self.spec)})"

    def _tiles(self) -> str:
        return (
            'after "facing", the way you look and the tile in front of you, from its top to its ground; after '
            '"underfoot", the tile that you stand on'
        )

    def _status_data(self) -> str:
        more = ", attributes, floor, spells and ladder" if self.is_full else ""
        return (
            f'vitals and their "maxima"{more}, daylight from 0 to 1; "facing" is the way you look, "faced" the tile '
            "in front "
            'of you and "underfoot" the one you stand on, each with its block, item and things (creatures and '
            "projectiles); null is none, or for a block that it is dark."
        )

    def _inventory(self) -> str:
        none = '"carrying nothing"' if self.chosen.terse else '"nothing"'
        enchanted = "; enchantments in brackets; armour; potions by colour" if self.is_full else ""
        if self.structured:
            return (
                "what you carry by name, also what you have none "
                f"of{'; armour and potions too' if self.is_full else ''}."
            )
        empty = "what you have none of is listed too" if self.chosen.absent else f"{none} if it is empty"
        return f"what you carry, with its number{enchanted}; {empty}."

    def _nearby(self) -> str:
        things = "creatures and projectiles" + (", then items," if self.is_full else "")
        terrain = listed([block.label for block in self.spec.blocks if block.terrain and block.name not in UNUSED])
        lists = {
            "both": f"then all other blocks but terrain ({terrain}); last, the nearest tile of each kind of terrain",
            "list": 'then every tile, but for one kind, which "everything else" names',
        }
        if self.structured:
            lists["both"], lists["list"] = (
                f"all blocks but terrain ({terrain})",
                'every tile but those of "everything_else"',
            )
        rest = f"; {lists[self.chosen.map]}" if self.chosen.map in lists else ""
        if self.chosen.radius is not None:
            rest += f"; all this up to {self.chosen.radius} rows and columns away"
        flight = "" if self.structured else " (with the way they fly)"
        return f"{things.replace('projectiles', f'projectiles{flight}')} by offset, and the ground they are on{rest}."

    def _map(self) -> str:
        rows, columns = self.spec.window
        where = ' in "rows"' if self.structured else ""
        items = "item over " if self.is_full else ""
        spacing = {"dense": "", "spaced": " with spaces between them", "labelled": " with spaces between them"}
        labels = " At the sides stand the offsets of columns and rows, negative left and above."
        return (
            f"what you see, as {rows} rows of {columns} characters{spacing[self.chosen.grid]}{where}, {self.words.up} "
            f"at the top, yourself in the middle as @; on each tile the topmost: creature over projectile over {items}"
            f"block.{labels if self.chosen.grid == 'labelled' else ''}"
            f"{' The characters that occur are explained with it.' if self.chosen.legend else ''}"
        )

    def _actions(self) -> str:
        unseen = "where something that you cannot see decides"
        if self.structured:
            return f'"available", the actions that would do something now; "perhaps", those that may, {unseen}.'
        return f'the actions that would do something now; after "perhaps:", those that may, {unseen}.'

    def _balrog(self) -> str:
        more = "the floor, the daylight and so on" if self.is_full else "the daylight and so on"
        return (
            f'an entry a line: after "Your status:" {listed(self.spec.maxima)}, each as what you have / the most you '
            "can "
            f'have, {more}; after "Your inventory:" what you carry, with its number; after "You see:" '
            f"{self._nearby()} Then the tile in front of you, from its top to its ground, and the one that you stand "
            "on."
        )

    def _offsets(self) -> Iterator[str]:
        words = self.words
        if self.structured:
            yield (
                'An offset is [rows down, columns right] from you, or "down" and "right": [-2,1] is 2 rows up and 1 '
                "column right; negative is up or left."
            )
        else:
            one, run, across = (
                phrases.offset(-2, 1, words),
                phrases.offset(1, -3, words, -1),
                phrases.offset(2, -1, words, 1),
            )
            yield (
                f'An offset counts rows and columns from you: "{one}" is 2 rows {words.up} and 1 column '
                f'{words.right}; "{run}" is '
                f'the 3 tiles from 1 to 3 columns {words.left}, in the row below; "{across}" the 3 tiles of the '
                "second row below."
            )
        if self.chosen.directions == "north" and not self.structured:
            yield "North is up, south down, west left and east right: the action up goes north."

    def _legend(self) -> str:
        hidden = {block.symbol for block in self.spec.blocks if block.name in UNUSED}
        shown = [f"{symbol} {words}" for symbol, words in symbols(self.spec).items() if symbol not in hidden]
        if not self.is_full:
            shown = [entry for entry in shown if not entry.endswith(phrases.DARKNESS)]
        escaped = " In XML, <, > and & are written &lt;, &gt; and &amp;." if self.chosen.markup == "xml" else ""
        return f"On the map: {', '.join(shown)}.{escaped}"
