"""Reads the messages of gpt-oss (harmony): only the final channel and calls of tools are said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r"(<\|(?:start|channel|constrain|message|end|return|call)\|>)")
_RECIPIENT = re.compile(r"\bto=([\w.:-]+)")
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w*)")
_LONGEST_HEADER = 500

_BARE = re.compile(r"\s*analysis(?=[A-Z<\"'])")
_BARE_FINAL = re.compile(r"assistantfinal|assistantcommentary to=([\w.:-]+)\s*(?:code|json)?(?=\s*[{\[])")


@dataclass(frozen=True, slots=True)
class Final:
    """What a reply says outside of the channel for thoughts.

    Attributes:
        text: The final channel's text, calls of tools as Hermes writes them; the whole reply if it has no channels.
        has_thought: Whether there were thoughts.
        is_cut: Whether the reply breaks off before it says anything.
    """

    text: str
    has_thought: bool = False
    is_cut: bool = False


def read_final(text: str) -> Final:
    """What a reply says outside of the channel for thoughts.

    Args:
        text: A reply, with the tokens of harmony, or as it reads where a server has removed them.

    Returns:
        The rest of it.
    """
    if "<|channel|>" in text or "<|message|>" in text:
        return _read_messages(text)
    if "analysis" in text[:_LONGEST_HEADER] and (bare := _BARE.match(text)):
        return _read_bare(text[bare.end() :])
    return Final(text)


def _read_messages(text: str) -> Final:
    said, has_thought, is_cut = [], False, False
    for header, body, is_finished in _messages(text):
        channel, recipient = _CHANNEL.search(header), _RECIPIENT.search(header)
        if body is None:
            is_cut = channel is not None
        elif recipient:
            said.append(_to_call(recipient[1], body))
        elif channel is None or channel[1] == "final":
            said.append(body)
        else:
            has_thought, is_cut = True, not is_finished
    return Final(_joined(said), has_thought, is_cut)


def _messages(text: str) -> Iterator[tuple[str, str | None, bool]]:
    """The header of each message, its body (None if it breaks off before), and whether a token ends it."""
    header: str = ""
    body: str | None = None
    for piece in _TOKEN.split(text):
        if not _TOKEN.fullmatch(piece):
            if body is None:
                header = (header + piece)[-_LONGEST_HEADER:]
            else:
                body += piece
        elif piece == "<|message|>":
            body = ""
        else:
            if body is not None:
                yield header, body, True
            header = piece if body is not None or piece == "<|start|>" else (header + piece)[-_LONGEST_HEADER:]
            body = None
    if body is not None or header.strip():
        yield header, body, False


def _read_bare(text: str) -> Final:
    marks = list(_BARE_FINAL.finditer(text))
    if not marks:
        return Final("", has_thought=True, is_cut=True)
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    said = [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    calls = [_to_call(mark[1], body) if mark[1] else body for mark, body in zip(marks, said, strict=True)]
    return Final(_joined(calls), has_thought=True)


def _joined(said: list[str]) -> str:
    """Messages in one text, apart from each other: they may say the same, and are no sequence."""
    return "\n---\n".join(said)


def _to_call(tool: str, arguments: str) -> str:
    call = json.dumps({"name": tool, "arguments": arguments.strip()})
    return f"<tool_call>{call.replace('<', chr(92) + 'u003c')}</tool_call>"
