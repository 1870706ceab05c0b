"""The LLM agent: what it asks a model each turn, and what it remembers in between."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar
from xml.sax.saxutils import escape

from craftax_text_gym.agents.agent import Usage
from craftax_text_gym.agents.llm.answer import Answer, Tokens
from craftax_text_gym.agents.llm.client import ChatClient
from craftax_text_gym.agents.llm.endpoints import endpoint_of
from craftax_text_gym.agents.llm.errors import ContextOverflowError
from craftax_text_gym.agents.llm.history import History, Message, messages_of, to_message
from craftax_text_gym.agents.llm.options import LLMOptions
from craftax_text_gym.agents.llm.prompt import lowest_floor, system_prompt
from craftax_text_gym.agents.llm.request import build_request
from craftax_text_gym.agents.llm.scratchpad import extract_notes, format_notes
from craftax_text_gym.agents.llm.tokens import count_messages, load_counter
from craftax_text_gym.agents.llm.transcript import Transcript
from craftax_text_gym.replies.parsing import parse_actions
from craftax_text_gym.replies.tool_schemas import TOOL_NAME
from craftax_text_gym.replies.unread import HOW_TO_MARK
from craftax_text_gym.text.notes import add_notes
from craftax_text_gym.text.progress import progress_note

HOW_TO_CALL = f"call the tool {TOOL_NAME}"


@dataclass(slots=True)
class _Episode:
    """The state of an agent within an episode.

    `notes_at` is the number of the exchange that shows the newest notes; `complaints` is what the next observation
    begins with.
    """

    history: History
    transcript: Transcript
    first_step: int | None = None
    floor: int = 0
    notes: str = ""
    notes_at: int = -1
    complaints: tuple[str, ...] = ()
    tokens: Tokens = field(default_factory=Tokens)
    num_cut: int = 0
    num_empty: int = 0
    num_invalid: int = 0


class LLMAgent(LLMOptions):
    """Asks a language model each turn: the model reads the rules and the last turns, thinks, and answers (ReAct).

    Its arguments are the fields of `LLMOptions`. It plays one episode at a time, in one event loop; concurrent
    episodes need an agent each. It returns the model's answer unchanged: the environment refuses a reply that names no
    action, and the model reads why with the next observation.

    Attributes:
        replies: True: `act` returns free text, or the arguments of tool calls, for `parse_actions`.
    """

    replies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the options. Nothing is imported or sent yet."""
        super().__post_init__()
        self._count = load_counter(self.counter)
        self._client: ChatClient | None = None
        self._budget = self.history_tokens
        self._begin(0)

    def reset(self, seed: int) -> None:
        """Begin an episode, and forget the previous one.

        Args:
            seed: The episode's seed, which is only written to the transcript: a model samples by itself.

        Raises:
            ImportError: If the client is not installed; the message names the extra.
            EndpointError: If there is no API key.
        """
        if self._client is None:
            self._client = ChatClient(self)
        self._begin(seed)

    async def act(self, observation: Any, info: Mapping[str, Any]) -> str | list[str] | dict[str, Any]:
        """Ask the model for the next action or actions.

        Args:
            observation: The text, or a dict that has it under `"text"`.
            info: Its `achievements` show which floors have been reached.

        Returns:
            What `parse_actions` will read: the text of the reply, or the arguments of its tool calls; in a message if
            the endpoint gives the model's reasoning beside them.

        Raises:
            TypeError: If there is no text.
            LLMError: If the request is too long even without past turns.
            EndpointError: If the endpoint fails for good.
            RuntimeError: If the event loop differs from that of earlier turns.
            RecordingError: If the transcript cannot be written.
        """
        request, answer = await self._ask(observation, info)
        tokens = answer.tokens or self._count_tokens(request["messages"], answer)
        self._count_reply(answer, tokens)
        raw = to_message(answer, is_raw=True)
        self._episode.transcript.add(request["messages"][0]["content"], request["messages"][-1], raw, tokens)
        self._remember(request["messages"][-1]["content"], answer)
        return answer.message

    async def _ask(self, observation: Any, info: Mapping[str, Any]) -> tuple[dict[str, Any], Answer]:
        """Ask until the model answers; a request that is too long for it loses past turns."""
        if self._client is None:
            self._client = ChatClient(self)
        while True:
            request = self.prepare(observation, info)
            try:
                return request, await self._client.ask(request)
            except ContextOverflowError:
                if not self._episode.history.shrink():
                    raise
                self._budget = self._episode.history.budget

    async def close(self) -> None:
        """Close the connection; a later `reset` opens a new one."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def prepare(self, observation: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        """Build the request that `act` would send.

        Args:
            observation: As for `act`.
            info: As for `act`.

        Returns:
            The body of the request.

        Raises:
            TypeError: If there is no text.
        """
        self._episode.floor = max(self._episode.floor, lowest_floor(self.spec, info))
        system = system_prompt(self, self._episode.floor)
        newest = self._newest(_text_of(observation), info)
        body = build_request(self, messages_of(system, self._episode.history.exchanges, newest))
        return endpoint_of(self).fit(body)

    @property
    def usage(self) -> Usage:
        """The tokens consumed since `reset`, and the broken replies."""
        episode = self._episode
        read, written, cached, reasoning = episode.tokens
        return Usage(
            read,
            written,
            self.cost(read, written, cached),
            cached_tokens=cached,
            reasoning_tokens=reasoning,
            num_cut=episode.num_cut,
            num_empty=episode.num_empty,
            num_invalid=episode.num_invalid,
        )

    @property
    def stamp(self) -> dict[str, Any]:
        """What was chosen by default and decides how it plays, and a digest of its first prompt."""
        digest = hashlib.sha256(system_prompt(self, 0).encode()).hexdigest()[:12]
        chosen = {"strategy": self.strategy, "scratchpad": self.has_scratchpad, "progress": self.progress}
        return {**chosen, "prompt_digest": digest}

    @property
    def transcript(self) -> list[Message]:
        """The conversation since `reset`: system prompt, observations and replies, each once."""
        return list(self._episode.transcript.messages)

    def __getstate__(self) -> dict[str, Any]:
        """A copy opens its own connection."""
        return {**self.__dict__, "_client": None}

    def _begin(self, seed: int) -> None:
        self._episode = _Episode(History(self._budget, self._count), Transcript(self.transcript_file, seed))

    def _newest(self, text: str, info: Mapping[str, Any]) -> str:
        """The newest message: the observation, what is wrong before it, and what is told of the episode after it."""
        episode = self._episode
        if self.mode == "tools":
            text = text.replace(HOW_TO_MARK, HOW_TO_CALL).replace(escape(HOW_TO_MARK), HOW_TO_CALL)
        notes = [progress_note(self.spec, info["achievements"], self.format)] if self.progress else []
        step = int(info["timestep"])
        episode.first_step = step if episode.first_step is None else episode.first_step
        notes.append(self.caps.left(step - episode.first_step, episode.history.num_exchanges))
        text = add_notes(text, [note for note in notes if note], self.format.markup)
        parts = [*episode.complaints, text]
        if self.has_scratchpad and episode.notes and episode.notes_at < episode.history.num_dropped:
            parts.append(format_notes(episode.notes))
        return "\n\n".join(parts)

    def _remember(self, newest: str, answer: Answer) -> None:
        """Keep an exchange, and what it means for the next one."""
        episode, notes = self._episode, extract_notes(answer.text) if self.has_scratchpad else None
        number = episode.history.num_exchanges
        if notes is not None:
            episode.notes, episode.notes_at = notes, number
        elif episode.notes_at < episode.history.num_dropped:
            episode.notes_at = number  # the newest message has just shown them
        episode.history.add(newest, to_message(answer, notes=notes))
        episode.complaints = tuple(self._complaints(answer))

    def _complaints(self, answer: Answer) -> Iterator[str]:
        if answer.is_truncated:
            yield f"Your last reply was cut off after {self.max_tokens or 'too many'} tokens: be brief."
        if self.mode == "tools" and not answer.calls:
            yield f"Your last reply called no tool: {HOW_TO_CALL}."

    def _count_reply(self, answer: Answer, tokens: Tokens) -> None:
        episode = self._episode
        episode.tokens = episode.tokens.plus(tokens)
        episode.num_cut += answer.is_truncated
        episode.num_empty += answer.is_empty
        episode.num_invalid += not parse_actions(answer.message, self.spec, max_actions=self.max_actions).valid

    def _count_tokens(self, messages: list[Message], answer: Answer) -> Tokens:
        """Tokens read and written, for servers that do not report them."""
        written = [to_message(answer, is_raw=True)]
        reasoning = self._count(answer.reasoning) if answer.reasoning else 0
        return Tokens(
            count_messages(messages, self._count), count_messages(written, self._count) + reasoning, 0, reasoning
        )


def _text_of(observation: Any) -> str:
    text = observation.get("text") if isinstance(observation, Mapping) else observation
    if not isinstance(text, str):
        raise TypeError(
            f"Expected an observation with text, got a {type(observation).__name__}: make the environment with "
            f'obs_mode="text" or "both".'
        )
    return text
