"""Takes off what a chat template puts around a reply: the header of the turn, and special tokens at its end."""

from __future__ import annotations

import re

from craftax_text_gym.replies.refusal import Refused

_ROLE = r"(?:assistant|model)"
_OTHER = r"(?:user|human|system|tool|observation|environment|ipython|developer)"
_OPENINGS = (
    r"<\|im_start\|>\s*{role}",
    r"<\|start_header_id\|>\s*{role}\s*<\|end_header_id\|>",
    r"<\|header_start\|>\s*{role}\s*<\|header_end\|>",
    r"<\|start_of_role\|>\s*{role}\s*<\|end_of_role\|>",
    r"<start_of_turn>\s*{role}",
    r"<\|turn>\s*{role}",
    r"<\|{role}\|>",
    r"<\|start\|>\s*{role}",
    r"\[\|{role}\|\]",
)
_NAMES = (
    "im_end|eot_id|eom_id|eos|eot|eod|(?-i:end)|return|call|stop|pad|endoftext|end_of_text|end_of_turn|end_of_sentence"
    "|endofturn|end_of_turn_token|hy_eos|hy_place_holder_no_2|end_of_message|end_of_document|im_sep|message_end|eoa"
    "|end_response|end_of_solution|fim_pad|endofprompt|end_assistant"
)
_HEADER = re.compile(
    r"(?:\s*(?:<\|begin_of_text\|>|<\|begin_of_sentence\|>|<bos>|<\|startoftext\|>|<\|start_response\|>"
    rf"|<\|begin_of_solution\|>|{'|'.join(_OPENINGS).replace('{role}', _ROLE)}))+|\s*{_ROLE}[ \t]*\n",
    re.IGNORECASE,
)
_ENDS = (
    re.compile(
        rf"<(?:\|(?:{_NAMES})\|>|/s>|eos>|pad>|end_of_turn>|end_of_utterance>|turn\|>|\|/s\|>|\|user\|>|\|observation\|>"
        r"|extra_id_1>|\|start_of_role\|>user)",
        re.IGNORECASE,
    ),
    re.compile(r"\[(?:eos\]|/s\]|\|endofturn\|\]|/inst\])", re.IGNORECASE),
)
_SPACE = re.compile(r"\s+")
_STARTS_OTHER_TURN = ("<|user|>", "<|observation|>", "<|start_of_role|>user")
_OTHER_TURN = re.compile(rf"\s*(?:{'|'.join(_OPENINGS).replace('{role}', _OTHER)}|{_OTHER}\b)", re.IGNORECASE)


def own_turn(text: str) -> str:
    """A reply without the tokens of its turn.

    Args:
        text: A reply without its thoughts.

    Returns:
        What the turn holds. If the model went on with the turn of someone else, that is left out.

    Raises:
        Refused: If the model goes on after the end of its turn.
    """
    header = _HEADER.match(text)
    start = header.end() if header else 0
    ends = [end for pattern in _ENDS if (end := pattern.search(text, start))]
    if not ends:
        return text[start:]
    end = min(ends, key=lambda end: end.start())
    after, last = end.end(), end
    while more := next(filter(None, (pattern.match(text, after) for pattern in (_SPACE, *_ENDS))), None):
        after, last = more.end(), last if more[0].isspace() else more
    if after < len(text) and last[0].lower() not in _STARTS_OTHER_TURN and not _OTHER_TURN.match(text, after):
        raise Refused("ambiguous", "The reply goes on after the token that ends it.")
    return text[start : end.start()]
