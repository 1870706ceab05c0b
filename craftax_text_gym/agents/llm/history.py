"""The conversation history: past exchanges within a token budget, and the messages made from them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from craftax_text_gym.agents.llm.answer import Answer, Call
from craftax_text_gym.agents.llm.scratchpad import format_notes
from craftax_text_gym.agents.llm.tokens import count_messages
from craftax_text_gym.recording.trajectory import REASONING
from craftax_text_gym.replies.thoughts import without_thoughts
from craftax_text_gym.wrappers.turns import CountTokens

Message = dict[str, Any]

_NOTHING = "(no answer)"
_SEE_NEXT = "See the next result."


@dataclass(frozen=True, slots=True)
class Exchange:
    """An observation and the model's answer to it.

    Attributes:
        observation: The text that the model read, with all that was told beside it.
        reply: The answer, as a message.
        num_tokens: The tokens of both.
    """

    observation: str
    reply: Message
    num_tokens: int


class History:
    """The last exchanges of an episode that fit a token budget.

    Where they no longer fit, half of the budget is emptied at once: between two cuts each request begins as the one
    before it, so that servers read only what is new.

    Attributes:
        budget: The maximum number of tokens of all exchanges together.
        num_dropped: How many exchanges of the episode have been dropped.
    """

    def __init__(self, budget_tokens: int, count: CountTokens) -> None:
        """Start empty.

        Args:
            budget_tokens: The maximum number of tokens of all exchanges together.
            count: Counts the tokens of a text.
        """
        self.budget = budget_tokens
        self._count = count
        self._exchanges: deque[Exchange] = deque()
        self.num_dropped = 0

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The exchanges, the oldest first."""
        return tuple(self._exchanges)

    @property
    def num_tokens(self) -> int:
        """The tokens of all exchanges together."""
        return sum(exchange.num_tokens for exchange in self._exchanges)

    @property
    def num_exchanges(self) -> int:
        """How many exchanges the episode has had."""
        return self.num_dropped + len(self._exchanges)

    def add(self, observation: str, reply: Message) -> None:
        """Add an exchange, and make room if they no longer fit.

        Args:
            observation: The text that the model read, with all that was told beside it.
            reply: The model's answer, as a message.
        """
        num_tokens = count_messages([user_message(observation), reply], self._count)
        self._exchanges.append(Exchange(observation, reply, num_tokens))
        if self.num_tokens > self.budget:
            self._drop_to(self.budget // 2)
        if self.num_tokens > self.budget:  # the newest alone
            self._drop()

    def shrink(self) -> bool:
        """Drop half of it, for it was too much for the model, and keep the budget below what it was.

        Returns:
            Whether there was anything to drop.
        """
        if not self._exchanges:
            return False
        self.budget = min(self.budget, self.num_tokens * 9 // 10)
        half = self.num_tokens // 2
        while self._exchanges and self.num_tokens > half:
            self._drop()
        return True

    def _drop_to(self, num_tokens: int) -> None:
        """Drop the oldest exchanges, but never the newest."""
        while self.num_tokens > num_tokens and len(self._exchanges) > 1:
            self._drop()

    def _drop(self) -> None:
        self._exchanges.popleft()
        self.num_dropped += 1


def messages_of(system: str, exchanges: Iterable[Exchange], observation: str) -> list[Message]:
    """Build the messages of a request.

    Args:
        system: The system prompt.
        exchanges: The past exchanges, the oldest first.
        observation: The text that the model reads now.

    Returns:
        The messages. An observation that follows tool calls becomes their result.
    """
    messages: list[Message] = [{"role": "system", "content": system}]
    calls: Sequence[Any] = ()
    for exchange in exchanges:
        messages += [*_observation_messages(exchange.observation, calls), exchange.reply]
        calls = exchange.reply.get("tool_calls", ())
    return [*messages, *_observation_messages(observation, calls)]


def user_message(text: str) -> Message:
    """A message with the role `user`."""
    return {"role": "user", "content": text}


def to_message(answer: Answer, is_raw: bool = False, notes: str | None = None) -> Message:
    """Turn an answer into a message.

    Args:
        answer: The model's answer.
        is_raw: Whether to keep it unchanged. Otherwise thoughts are removed, and anything that servers reject in a
            history is repaired, and reasoning is left out.
        notes: The private notes in it, which are kept; None for none.

    Returns:
        A message with the role `assistant`.
    """
    text = answer.text if is_raw else without_thoughts(answer.text).strip()
    if notes is not None and not is_raw:
        text = f"{format_notes(notes)}\n{text}".strip()
    message: Message = {"role": "assistant"}
    if is_raw and answer.reasoning:
        message[REASONING] = answer.reasoning
    if not answer.calls:
        return {**message, "content": text if is_raw else text or _NOTHING}
    calls = [_tool_call(call, call.arguments if is_raw else _valid_arguments(call.arguments)) for call in answer.calls]
    return {**message, "content": text or None, "tool_calls": calls}


def _tool_call(call: Call, arguments: str) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _observation_messages(observation: str, calls: Sequence[Any]) -> Iterator[Message]:
    if not calls:
        yield user_message(observation)
    for index, call in enumerate(calls):
        is_last = index == len(calls) - 1
        yield {"role": "tool", "tool_call_id": call["id"], "content": observation if is_last else _SEE_NEXT}


def _valid_arguments(arguments: str) -> str:
    """The arguments if they are a JSON object, else an empty one: servers reject a history with invalid arguments."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except ValueError:
        return "{}"
