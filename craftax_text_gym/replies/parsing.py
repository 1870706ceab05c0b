r"""From a language model's reply to actions. It never guesses: what is not clearly an action is refused with a reason.

A reply is read in these steps, each a module of this package:

1. `contents`: messages and lists of content parts become tool calls and texts. Thoughts and what others say are left
   out; where there are calls, the texts beside them are not read.
2. `thoughts`, `channels`: thoughts of every dialect (`<think>`, `[THINK]`, channels, ...), comments and struck text are
   taken out of a text. A reply that breaks off inside of one is refused.
3. `turns`: the header of the turn and special tokens at the end are taken off.
4. `json_values`, `loose`: a text that is JSON, almost JSON or a Python call is read as that value.
5. `markers`, `calls`, `labels`: where a text marks actions, what is marked is read and the prose around it is not.
   From the most formal to the least: tool calls of every dialect and tags (`<action>`, `<answer>`, ...), `\boxed{...}`,
   a JSON object that gives an action, fenced code, a label (`Action: ...` or a heading), a phrase (`The answer is ..`).
   All markers of the most formal kind present must be readable, and every readable marker must say the same. Markers of
   one kind with nothing but white space, commas or semicolons between them are a sequence.
6. `context`: what is quoted, given as an example or ruled out is not read; what is taken back is refused.
7. `entries`: without a marker, or inside of one, there may be nothing but actions. A sentence is refused even if it
   holds a single name: `do`, `left` and `rest` are plain English.

Actions are names in any case with spaces, hyphens, underscores, capitals or quotes, the aliases of `aliases.ALIASES`,
or an index that stands alone (or is an element of a JSON list). Between them stand commas, semicolons, `->`, `then` or
line ends; one-word names (`place_stone left`) need only spaces, but for `do`. `left*3`, `left x3`, `3x left` and
`left 3 times` repeat. A remark in brackets may follow: `left (to reach the tree)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from craftax_text_gym import games
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.replies.aliases import Vocabulary, vocabulary_of
from craftax_text_gym.replies.contents import is_list
from craftax_text_gym.replies.entries import check_choice
from craftax_text_gym.replies.reader import Reader, is_index
from craftax_text_gym.replies.refusal import Reason, Refused
from craftax_text_gym.utils import validation as checks

MAX_ACTIONS = 100
"""The most actions that one reply may ask for, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class ParsedActions:
    """What a reply asks for: actions, or the reason why there are none.

    Attributes:
        actions: The numbers of the actions in order, repeats kept; empty if the reply is refused.
        names: Their names.
        reason: None if the reply was read, else why not, as one of the words of `Reason`.
        error: None if the reply was read, else a sentence that a model can be shown.
        suggestions: Names of actions that a refused reply may have meant, likeliest first; possibly none.
    """

    actions: tuple[int, ...]
    names: tuple[str, ...]
    reason: Reason | None = None
    error: str | None = None
    suggestions: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the reply was read; then there is at least one action."""
        return self.reason is None


def parse_actions(
    reply: str | int | Mapping[str, object] | Sequence[object],
    game: str | GameSpec,
    *,
    max_actions: int = MAX_ACTIONS,
) -> ParsedActions:
    """Read the actions that a language model's reply asks for.

    Args:
        reply: The text of a reply; a message or content parts as APIs give them; or the arguments of a tool call: a
            mapping with the key `"action"` or `"actions"`, a list of names and indices, or an index.
        game: `"full"`, `"classic"`, an environment id, or a spec.
        max_actions: The most actions that the reply may ask for. More are refused, never cut off.

    Returns:
        The actions, or the reason why there are none. Whatever a reply of the right type holds, nothing is raised.

    Raises:
        TypeError: If the reply is of another type, or `max_actions` is no int.
        ValueError: If there is no such game, or `max_actions` is below 1.
    """
    checks.check_count("max_actions", max_actions)
    if not (isinstance(reply, str | Mapping) or is_index(reply) or is_list(reply)):
        raise TypeError(
            f"Expected a reply as a str, or a tool call's arguments as a mapping, list or int, "
            f"got a {type(reply).__name__}."
        )
    vocabulary = vocabulary_of(games.get(game))
    try:
        actions = Reader(vocabulary, max_actions).read(reply)
        check_choice(actions)
    except Refused as refusal:
        return _refused(refusal, vocabulary)
    return ParsedActions(tuple(actions), tuple([vocabulary.names[action] for action in actions]))


def _refused(refusal: Refused, vocabulary: Vocabulary) -> ParsedActions:
    error, suggestions = refusal.message, refusal.suggestions
    if refusal.unknown and (suggestions := vocabulary.nearest(refusal.unknown)):
        error = f"{error} The closest names: {', '.join(suggestions)}."
    return ParsedActions((), (), refusal.reason, error, suggestions)
