"""Takes out of a reply what is not said to the game: thoughts, comments, struck text, and the observation repeated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from craftax_text_gym.replies import channels
from craftax_text_gym.replies.pairs import Scanner, Token
from craftax_text_gym.replies.refusal import Refused

_NAME = (
    r"(?:think(?:ing)?|thoughts?|thought[_-]?process|reason(?:ing)?|rationale|analysis|scratch_?pad|reflect(?:ion)?"
    r"|(?:inner|internal)[_-]?(?:monologue|thoughts?|reasoning)|monologue|chain[_-]of[_-]thought|cot|antthinking"
    r"|deliberation|planning|plan)"
)


@dataclass(frozen=True, slots=True)
class Aside:
    """A dialect of what is not said; see `pairs.Pair`.

    Attributes:
        opening: How it opens.
        closing: How it closes.
        kind: What it is.
        closes_alone: Whether a closing token that nothing opened ends an aside that began before the reply.
    """

    opening: str
    closing: str
    kind: Literal["thought", "comment", "struck text", "observation"] = "thought"
    closes_alone: bool = True


ASIDES = (
    Aside(rf"<((?:[\w-]+:)?{_NAME})(?:\s[^<>]*)?/?>", rf"</((?:[\w-]+:)?{_NAME})\s*>"),
    Aside(rf"\[({_NAME})\]", rf"\[/({_NAME})\]"),
    Aside(f"\u25c1({_NAME})\u25b7", f"\u25c1/({_NAME})\u25b7"),
    Aside(rf"<\|({_NAME})\|>", rf"<\|/({_NAME})\|>"),
    Aside(rf"<\|(?:begin|start)(?:_of)?_({_NAME})\|>", rf"<\|end(?:_of)?_({_NAME})\|>"),
    Aside(rf"<\|({_NAME})_(?:begin|start)\|>", rf"<\|({_NAME})_end\|>"),
    Aside(rf"<\|channel>\s*{_NAME}\b", r"<channel\|>"),
    Aside(r"<unused94>", r"<unused95>"),
    Aside(r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),
    Aside(rf"```{_NAME}\b", r"```", closes_alone=False),
    Aside(r"<details\s+type=[\"']?reasoning[^<>]*>", r"</details\s*>", closes_alone=False),
    Aside(r"<!--", r"-->", "comment", closes_alone=False),
    Aside(r"/\*", r"\*/", "comment", closes_alone=False),
    Aside(r"<(del|s|strike)>", r"</(del|s|strike)>", "struck text", closes_alone=False),
    Aside(r"<(observation)>", r"</(observation)>", "observation", closes_alone=False),
    Aside(r"~(?<!~~)~(?=[^~\s][^~\n]*~~)", r"~~", "struck text", closes_alone=False),
)
_SCANNER = Scanner(ASIDES)
_MAX_TAGS = 20_000
_ARTICLES = {"thought": "a ", "comment": "a ", "observation": "an "}


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply without its asides.

    Attributes:
        text: What is left.
        aside: The kind of the last aside; None if there was none.
        is_cut: Whether the reply breaks off inside of that aside.
    """

    text: str
    aside: str | None = None
    is_cut: bool = False


def without_thoughts(text: str) -> str:
    """A reply without its thoughts and other asides, unclosed ones included.

    Args:
        text: A reply.

    Returns:
        What is outside of them.
    """
    return split(text).text


def spoken(text: str) -> str:
    """What a reply says outside of its asides.

    Args:
        text: A reply.

    Returns:
        The rest of it.

    Raises:
        Refused: If it breaks off inside of an aside, or holds nothing else, or more tags than any reply.
    """
    if text.count("<") > _MAX_TAGS:
        raise Refused("malformed", f"The reply holds more than {_MAX_TAGS} tags.")
    rest = split(text)
    if rest.is_cut:
        raise Refused("unfinished", f"The reply was cut off inside its {rest.aside}.")
    if rest.aside and not rest.text.strip():
        raise Refused("empty", f"The reply holds nothing but {_ARTICLES.get(rest.aside, '')}{rest.aside}.")
    return rest.text


def split(text: str) -> Spoken:
    """Part a reply from its asides.

    Args:
        text: A reply.

    Returns:
        The rest. What precedes the end of a thought that nothing opened is a thought as well. Only its own dialect
        closes an aside, as often as it was opened.
    """
    final = channels.read_final(text)
    kept: list[str] = []
    start, depth = 0, 0
    aside = "thought" if final.has_thought or final.is_cut else None
    opened: Token[Aside] | None = None
    for token in _SCANNER.tokens(final.text):
        if opened is None:
            if token.closes and not token.pair.closes_alone:
                continue
            aside = token.pair.kind
            if token.closes:
                kept.clear()
            else:
                kept.append(final.text[start : token.start])
                opened, depth = (None if token.text.endswith("/>") else token), 1
            start = token.end
        elif token.key == opened.key:
            if token.closes or token.pair.closing == token.text:
                depth -= 1
            elif final.text[start : token.start].strip():
                depth += 1
            opened = opened if depth else None
            start = token.end
    if opened is None:
        kept.append(final.text[start:])
    return Spoken("".join(kept), aside, final.is_cut or opened is not None)
