"""Reads a text that holds actions and nothing else: `left`, `place table; do*3`, a list with bullets or numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from craftax_text_gym.replies.aliases import Vocabulary
from craftax_text_gym.replies.refusal import Refused, quoted
from craftax_text_gym.replies.tidy import SIGNS
from craftax_text_gym.replies.unread import explain

_TIDY = {
    **SIGNS,
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u00ab\u00bb"), '"'),
    **dict.fromkeys(map(ord, "\u2018\u2019"), "'"),
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff")),
    ord("\u00d7"): "*",
}
_CLOSING = {'"': '"', "'": "'", "`": "`", "*": "*", "(": ")", "[": "]"}
_MAX_WRAPPERS = 6
_MAX_DIGITS = 9
_LONGEST_NAME = 100
_LISTED, _OFFERED = 5, 4

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATOR = re.compile(r"\([^()\n]*\)|([,;\n]|[-=]>|\u2192|\b(?:and )?then\b)")
_BULLET = re.compile(r"\(?([0-9]{1,4})[.):]+ ?|[*+\u2022\u2023-] ")
_NUMBER = re.compile(r"[+-]?[0-9][0-9.e+-]*")
_LIST_NUMBER = re.compile(r"[0-9] ?[.):]+\W*\Z")
_REPEATED = re.compile(
    r" ?\* ?([^ ]+)| x ?([+-]?[0-9][0-9.]*)(?= |$)| \(x?([0-9]+)(?:x| times)?\)| ([0-9]+) times(?= |$)"
)
_REPEATED_BEFORE = re.compile(r"([0-9]+) ?(?:x |\* ?)([^*]+)")
_REMARK = re.compile(r" ?\(([^()]+)\)\Z")
_COUNT = re.compile(r"x?[0-9]+(?:x| times)?")
_PART = re.compile(r"[,;/|]")
_DOUBT = re.compile(
    r"[0-9?]|^(?:and|plus)\b|n't\b|\b(?:or|else|otherwise|alternatively|instead|then|unless|if|either|maybe|perhaps"
    r"|possibly|not|no|never|dont|before|after|twice|thrice|times|rather|wait|actually|followed)\b"
)
_BOUND = frozenset({("rest", "up")})
"""Names that, one after the other, are English for one action."""


def read_entries(text: str, vocabulary: Vocabulary, max_actions: int) -> list[int]:
    """The actions of a text that holds nothing else.

    Args:
        text: Any text.
        vocabulary: The game's.
        max_actions: The most actions that it may hold.

    Returns:
        Their numbers in order, at least one.

    Raises:
        Refused: If anything in it is no action, or they are too many.
    """
    body = (text if text.islower() else _HUMP.sub("_", text)).lower()
    body = _unwrapped(body if body.isascii() else body.translate(_TIDY))
    if _NUMBER.fullmatch(body):
        if _LIST_NUMBER.search(text):
            raise _list_number(text)
        return [index_of(body, vocabulary)]
    if means := vocabulary.meanings(_spaced(body)):
        return [_only(means, body, vocabulary)]
    actions: list[int] = []
    numbering: list[tuple[str | None, int]] = []
    for entry in _split(body):
        bullet = _BULLET.match(entry)
        entry = entry[bullet.end() :] if bullet else entry
        if not entry:
            raise _list_number(text)
        read = _read_remarked(entry, vocabulary, max_actions)
        numbering.append((bullet[1] if bullet else None, read[0]))
        actions += read
        check_count(len(actions), max_actions)
    if not actions:
        raise Refused("empty", "The reply holds no action.")
    _check_numbering(numbering)
    return actions


def index_of(number: str | int, vocabulary: Vocabulary) -> int:
    """The action of a number.

    Args:
        number: An integer, or a text that looks like a number.
        vocabulary: The game's.

    Returns:
        The same as an int.

    Raises:
        Refused: If no action has it.
    """
    count = len(vocabulary.names)
    if isinstance(number, str):
        known = [index for index in range(count) if str(index) == number]
        shown = quoted(number)
    else:
        known = [number] if 0 <= number < count else []
        shown = str(number) if abs(number) < 10**_MAX_DIGITS else "a huge number"
    if known:
        return known[0]
    raise Refused("index", f"Expected an index from 0 to {count - 1}, got {shown}.")


def _list_number(text: str) -> Refused:
    return Refused("index", f"{quoted(text.strip())} may be a number of a list or an index: write the index alone.")


def read_name(name: str, vocabulary: Vocabulary) -> int | None:
    """The action that a function is named after, or None."""
    means = vocabulary.meanings(_spaced(_HUMP.sub("_", name[:_LONGEST_NAME]).lower()))
    return means[0] if len(means) == 1 else None


def check_count(count: int, max_actions: int) -> None:
    """Refuse more than `max_actions` actions."""
    if count > max_actions:
        noun = "action" if max_actions == 1 else "actions"
        raise Refused("too_many", f"Expected at most {max_actions} {noun}, got more.")


def check_choice(actions: list[int]) -> None:
    """Refuse a list of actions in the game's own order: that is an echo of what there is, and no choice.

    Such a list has all actions from one on, or, as in an observation, the available ones from `noop` on.
    """
    is_listed = len(actions) >= _LISTED and actions == list(range(actions[0], actions[0] + len(actions)))
    is_offered = len(actions) >= _OFFERED and actions[0] == 0 and all(map(int.__lt__, actions, actions[1:]))
    if is_listed or is_offered:
        raise Refused("ambiguous", "The reply lists the actions that there are, and chooses none.")


def _read_remarked(entry: str, vocabulary: Vocabulary, max_actions: int) -> list[int]:
    """`left (to reach the tree)`: the remark may explain the action, and nothing else."""
    remark = _REMARK.search(entry) if entry.endswith(")") else None
    if not remark or not remark.start() or _COUNT.fullmatch(remark[1]):
        return _read_entry(entry, vocabulary, max_actions)
    actions = _read_entry(entry[: remark.start()], vocabulary, max_actions)
    meant = [vocabulary.meanings(_spaced(_unwrapped(part))) for part in _PART.split(remark[1])]
    names_others = any(part and part != tuple(actions[:1]) for part in meant)
    if names_others or _DOUBT.search(remark[1]) or vocabulary.words.keys() >= set(remark[1].split()):
        raise Refused("ambiguous", f"The remark {quoted(remark[1])} leaves open what {quoted(entry)} asks for.")
    return actions


def _read_entry(entry: str, vocabulary: Vocabulary, max_actions: int) -> list[int]:
    if means := vocabulary.phrases.get(entry) or vocabulary.meanings(_spaced(_unwrapped(entry))):
        return [_only(means, entry, vocabulary)]
    if (before := _REPEATED_BEFORE.fullmatch(entry)) and (means := vocabulary.meanings(_spaced(before[2]))):
        return [_only(means, before[2], vocabulary)] * _count(before[1], max_actions)
    marked = _REPEATED.sub(lambda match: f"*{next(filter(None, match.groups()))}", entry)
    phrase, star, count = marked.partition("*")
    if star and (means := vocabulary.meanings(_spaced(_unwrapped(phrase)))) and " " not in count:
        return [_only(means, phrase, vocabulary)] * _count(count, max_actions)
    return _read_words(marked, entry, vocabulary, max_actions)


def _read_words(marked: str, entry: str, vocabulary: Vocabulary, max_actions: int) -> list[int]:
    """`place_stone left do*3`: several names with nothing between them, each one word, and no aliases."""
    actions: list[int] = []
    last = ""
    for word in marked.split(" "):
        name, star, count = word.partition("*")
        index = vocabulary.words.get(name.replace("-", "_"))
        if index is None:
            raise explain(entry, _spaced(_unwrapped(entry)), vocabulary)
        name = vocabulary.names[index]
        if (last == "do" and name != "do") or (last, name) in _BOUND:
            raise Refused(
                "unclear", f"'{last} {name}' may be one action or two: put a comma between two.", (name, last)
            )
        actions += [index] * (_count(count, max_actions) if star else 1)
        check_count(len(actions), max_actions)
        last = "" if star else name
    return actions


def _split(body: str) -> Iterator[str]:
    """The entries between the separators, each with single spaces, one at a time."""
    start = 0
    for separator in _SEPARATOR.finditer(body):
        if separator[1] is None:
            continue
        if entry := " ".join(body[start : separator.start()].split()):
            yield entry
        start = separator.end()
    if entry := " ".join(body[start:].split()):
        yield entry


def _unwrapped(text: str) -> str:
    """A text without the quotes, brackets, emphasis and full stop around it."""
    for _ in range(_MAX_WRAPPERS):
        text = text.strip()
        opening = text[:2] if text[:2] == "**" else text[:1]
        closing = _CLOSING.get(text[:1], "") * len(opening)
        inner = text[len(opening) : len(text) - len(closing)]
        if (
            closing
            and text.endswith(closing)
            and len(text) > len(opening)
            and not (opening in inner or closing in inner)
        ):
            text = inner
        elif text[-1:] in (".", "!"):
            text = text[:-1]
        else:
            break
    return text


def _spaced(text: str) -> str:
    return " ".join(text.replace("_", " ").replace("-", " ").split())


def _count(digits: str, max_actions: int) -> int:
    if not (digits.isascii() and digits.isdigit()) or not digits.strip("0"):
        raise Refused("count", f"Expected a whole number of times from 1, got {quoted(digits)}.")
    count = int(digits) if len(digits) <= _MAX_DIGITS else 10**_MAX_DIGITS
    check_count(count, max_actions)
    return count


def _only(means: tuple[int, ...], phrase: str, vocabulary: Vocabulary) -> int:
    if len(means) > 1:
        names = [vocabulary.names[index] for index in means]
        raise Refused("unclear", f"{quoted(phrase)} may mean {', '.join(names)}.", names)
    return means[0]


def _check_numbering(numbering: list[tuple[str | None, int]]) -> None:
    """Numbers before entries count them from 1, or are the indices of their actions."""
    numbers = [number for number, _ in numbering]
    if not any(numbers):
        return
    counted = [str(position + 1) for position in range(len(numbers))]
    if numbers not in (counted, [str(index) for _, index in numbering]):
        shown = ", ".join(str(number) for number in numbers[:5])
        raise Refused("ambiguous", f"The numbers before the actions ({shown}) neither count them nor are theirs.")
