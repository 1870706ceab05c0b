"""The conversation: past turns within a budget of tokens, and the messages that they make."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from craftax_text_gym.agents.llm.answer import Answer, Call
from craftax_text_gym.agents.llm.tokens import count_messages
from craftax_text_gym.replies.thoughts import without_thoughts
from craftax_text_gym.wrappers.turns import CountTokens

Message = dict[str, Any]

_NOTHING = "(no answer)"
_SEE_NEXT = "See the next result."


@dataclass(frozen=True, slots=True)
class Turn:
    """A past turn.

    Attributes:
        observation: What the model read.
        reply: Its answer, as a message.
        num_tokens: What both take.
    """

    observation: str
    reply: Message
    num_tokens: int


class History:
    """The last turns of an episode that fit a budget."""

    def __init__(self, budget_tokens: int, count: CountTokens) -> None:
        """Remember nothing yet.

        Args:
            budget_tokens: The most tokens of the turns together.
            count: What counts them.
        """
        self._budget = budget_tokens
        self._count = count
        self._turns: deque[Turn] = deque()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What is remembered, the oldest first."""
        return tuple(self._turns)

    @property
    def num_tokens(self) -> int:
        """What it takes."""
        return sum(turn.num_tokens for turn in self._turns)

    def add(self, observation: str, answer: Answer) -> None:
        """Remember a turn, and forget the oldest ones that no longer fit.

        Args:
            observation: What the model read.
            answer: What it answered.
        """
        reply = to_message(answer)
        num_tokens = count_messages([user(observation), reply], self._count)
        self._turns.append(Turn(observation, reply, num_tokens))
        while self.num_tokens > self._budget:
            self._turns.popleft()


def messages_of(system: str, turns: Iterable[Turn], observation: str) -> list[Message]:
    """The messages of a request.

    Args:
        system: The system prompt.
        turns: Past turns, the oldest first.
        observation: What the model is to read now.

    Returns:
        The messages. An observation that follows tool calls is their result.
    """
    messages: list[Message] = [{"role": "system", "content": system}]
    calls: Sequence[Any] = ()
    for turn in turns:
        messages += [*_seen(turn.observation, calls), turn.reply]
        calls = turn.reply.get("tool_calls", ())
    return [*messages, *_seen(observation, calls)]


def user(text: str) -> Message:
    """A message to the model."""
    return {"role": "user", "content": text}


def to_message(answer: Answer, is_raw: bool = False) -> Message:
    """An answer as a message.

    Args:
        answer: What the model answered.
        is_raw: Whether to leave it as it came. Else thoughts and private notes are taken out, and what servers fail on
            when they get it back is mended.

    Returns:
        A message of the assistant.
    """
    text = answer.text if is_raw else without_thoughts(answer.text).strip()
    if not answer.calls:
        return {"role": "assistant", "content": text if is_raw else text or _NOTHING}
    calls = [_tool_call(call, call.arguments if is_raw else _whole(call.arguments)) for call in answer.calls]
    return {"role": "assistant", "content": text or None, "tool_calls": calls}


def _tool_call(call: Call, arguments: str) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _seen(observation: str, calls: Sequence[Any]) -> Iterator[Message]:
    if not calls:
        yield user(observation)
    for index, call in enumerate(calls):
        is_last = index == len(calls) - 1
        yield {"role": "tool", "tool_call_id": call["id"], "content": observation if is_last else _SEE_NEXT}


def _whole(arguments: str) -> str:
    """Arguments that are a JSON object, for servers fail on a history that holds others."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except ValueError:
        return "{}"
