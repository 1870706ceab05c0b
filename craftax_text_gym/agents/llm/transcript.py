"""The conversation of an episode, verbatim, in memory and on disk."""

from __future__ import annotations

import os
from typing import Any

from craftax_text_gym.agents.llm.answer import Tokens
from craftax_text_gym.recording import json_lines


class Transcript:
    """The messages of one episode in order, each once, with thoughts and private notes."""

    def __init__(self, path: str | os.PathLike[str] | None, seed: int) -> None:
        """Begin an episode.

        Args:
            path: A JSON Lines file, which may be shared; None for no file. Each turn appends `{"seed", "turn",
                "messages", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens"}` with the new
                messages; reasoning that the endpoint gives is in the answer, as `reasoning_content`.
            seed: The episode's seed.
        """
        self._path = path
        self._seed = seed
        self._num_turns = 0
        self._system = ""
        self.messages: list[dict[str, Any]] = []

    def add(self, system: str, newest: dict[str, Any], answer: dict[str, Any], tokens: Tokens) -> None:
        """Add a turn.

        Args:
            system: The system prompt, recorded when it changes.
            newest: The last message of the request.
            answer: The model's answer, as a message.
            tokens: Tokens read and written.

        Raises:
            RecordingError: If the file cannot be written.
        """
        prompts = [{"role": "system", "content": system}] if system != self._system else []
        self._system = system
        messages = [*prompts, newest, answer]
        self.messages += messages
        if self._path is not None:
            line = {"seed": self._seed, "turn": self._num_turns, "messages": messages}
            names = ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
            json_lines.append(self._path, {**line, **dict(zip(names, tokens, strict=True))})
        self._num_turns += 1
