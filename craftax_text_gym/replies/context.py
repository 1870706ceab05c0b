"""Whether the words around a marked answer quote it, rule it out, or take it back."""

from __future__ import annotations

import re

from craftax_text_gym.replies.refusal import Refused
from craftax_text_gym.replies.regions import Region

_REACH = 240
"""How many characters before and after a marker are looked at."""

_FLAGS = re.IGNORECASE
_SENTENCE_END = re.compile(r"[.!?][\"')*]*\s+(?=[^a-z])")
_QUOTED_LINE = re.compile(r"[ \t]*(?:>|//)")
_LISTED = re.compile(r"[ \t,;]*")
_EXAMPLE = re.compile(
    r"(?:\be\.? ?g\.?|\bi\.e\.|\bfor (?:example|instance)|\bexamples?(?: is| are| would be)?|\bsuch as|\blike(?: this)?"
    r"|\bthink first and mark it|^\W*mark it|\bcarried out in (?:their|this|that|the) order"
    r"|\bend your reply with [\w ,]+|\bonly its arguments count"
    r"|\bformat (?:is|was|looks like|would be|should be)"
    r"|^\W*(?:(?:reply|answer|response|output|required|expected) )*format"
    r"|\b(?:options?|alternatives|choices|(?:available|valid|possible|allowed|legal)(?: actions| moves| answers)?)"
    r"(?: are| include)?"
    r"|\b(?:last|previous) (?:action|move|turn|step|reply|answer)(?: was| is)?)[\s:,\"'`(\u201c-]*$",
    _FLAGS,
)
_QUOTE = re.compile(
    r"\b(?:you (?:asked|said|told|wrote)|(?:instructions?|prompt|rules?|system message|user|example|task)"
    r" (?:says?|said|asks?|asked|tells?|told|states?|stated|reads?|mentions?|shows?|wants?))\b",
    _FLAGS,
)
_OWN_WORDS = re.compile(r"\b(?:so|thus|therefore|hence|i|my|me|i'll|let|let's|here|answer:)\b", _FLAGS)
_NEGATION = re.compile(
    r"(?:\b(?:not|never|cannot|avoid|without|instead of|rather than|neither|nor|against|refuse to)|n['\u2019]t)"
    r"(?:[ \t]+(?!(?:but|so|then|therefore|only|just)\b)[\w'-]+){0,3}[ \t\"'`*(]*$",
    _FLAGS,
)
_TAKEN_BACK = re.compile(
    r"[\s\"'`*)}\]$.,;:!\-\u2014\u2026]{0,12}(?:"
    r"(?:no|wait|oops|hold on|hm+|sorry|actually|correction)\b"
    r"(?=[ \t]*[,.!:;\u2014\u2026-]|[ \t]+(?:no|wait)\b|[ \t]*$)"
    r"|(?:scratch that|on second thoughts?|never ?mind|strike that|my mistake|or|no wait)\b)",
    _FLAGS,
)
_LEFT_OPEN = re.compile(
    r"[\"'`*)$]{0,6}[ \t]*(?:\?|[ \t,(/|]*(?:or|if|unless|otherwise|else|alternatively)\b"
    r"|(?:is|are|was|will be|seems|looks) (?:not|no|wrong|bad|unsafe|impossible|blocked|dangerous|deadly)\b"
    r"|(?:is|are|was) (?:only |just |merely )?(?:an?|one|the) (?:example|option|placeholder|possib|alternative)"
    r"|(?:means?|would|could|might|may|to go|cannot|will not|does not|did not|(?:is|wo|ca|would|does|did)n't)\b)",
    _FLAGS,
)
_PLACEHOLDER = re.compile(
    r"[\s.\u2026\[\]{}<>`\"']*(?:(?:your|the|one|an?)?[ _]?(?:chosen|next)?[ _]?(?:action|move|answer)?"
    r"[ _]?(?:name|here)?s?)[\s.\u2026\[\]{}<>`\"']*",
    _FLAGS,
)


def without_asides(text: str, regions: list[Region]) -> list[Region]:
    """The marked parts of a text that are no quotations, no examples and not ruled out.

    Args:
        text: The text that they stand in.
        regions: The parts in order.

    Returns:
        The others; what follows on the same line with nothing between is the same quotation.
    """
    kept: list[Region] = []
    aside_end: int | None = None
    for region in regions:
        goes_on = aside_end is not None and _LISTED.fullmatch(text, aside_end, region.start)
        if goes_on or _is_aside(text, region):
            aside_end = region.end
        else:
            aside_end = None
            kept.append(region)
    return kept


def is_placeholder(region: Region) -> bool:
    """Whether a marked part holds the placeholder of a format, such as `name`, instead of an action."""
    value = region.value
    return isinstance(value, str) and bool(value.strip()) and _PLACEHOLDER.fullmatch(value) is not None


def check_kept(text: str, region: Region) -> None:
    """Refuse a marked part that is taken back or made a condition by the words that follow.

    Args:
        text: The text that it stands in.
        region: The part.

    Raises:
        Refused: If it is.
    """
    after = text[region.end : region.end + _REACH]
    if after and (_TAKEN_BACK.match(after) or _LEFT_OPEN.match(after)):
        raise Refused("ambiguous", "The words after the marked action take it back or leave it open.")


def _is_aside(text: str, region: Region) -> bool:
    """Whether the words before a marked part in its sentence, or quotes around it, say that it is no answer."""
    line_start = text.rfind("\n", 0, region.start) + 1
    if _QUOTED_LINE.match(text, line_start):
        return True
    before = text[max(line_start, region.start - _REACH) : region.start]
    if not before:
        return False
    if before[-1] in '"\u201c' and before[:-1].strip():
        return True
    if _EXAMPLE.search(before) or _NEGATION.search(before):
        return True
    sentence = _SENTENCE_END.split(before)[-1]
    quote = _QUOTE.search(sentence)
    return quote is not None and not _OWN_WORDS.search(sentence, quote.end())
