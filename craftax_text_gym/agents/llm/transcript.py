"""The conversation of an episode, verbatim, in memory and on disk."""

from __future__ import annotations

import os
from typing import Any

from craftax_text_gym.recording import json_lines


class Transcript:
    """The messages of one episode in order, each once, with thoughts and private notes."""

    def __init__(self, path: str | os.PathLike[str] | None, seed: int) -> None:
        """Begin an episode.

        Args:
            path: A JSON Lines file, which may be shared; None for no file. Each turn appends `{"seed", "turn",
                "messages", "input_tokens", "output_tokens"}` with the new messages.
            seed: The episode's seed.
        """
        self._path = path
        self._seed = seed
        self._num_turns = 0
        self._system = ""
        self.messages: list[dict[str, Any]] = []

    def add(self, system: str, newest: dict[str, Any], answer: dict[str, Any], tokens: tuple[int, int]) -> None:
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
            json_lines.append(self._path, {**line, "input_tokens": tokens[0], "output_tokens": tokens[1]})
        self._num_turns += 1
