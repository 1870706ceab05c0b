"""A server on loopback that speaks the Chat Completions API, and fails in every way that servers do."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from craftax_text_gym.agents.llm import endpoints

KEY = "secret-key"
MODEL = "scripted"
Script = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class Say:
    """An answer in words and calls of tools."""

    text: str | None = None
    calls: tuple[str, ...] = ()
    finish: str = "stop"
    has_usage: bool = True
    more: Mapping[str, Any] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Fail:
    """An answer of another kind."""

    status: int = 500
    body: Any = field(default_factory=lambda: {"error": {"message": "out of order", "type": "server_error"}})
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Reset:
    """A connection that breaks; in a stream after some chunks."""

    after: Say | None = None


@dataclass(frozen=True)
class Hang:
    """No answer until the server is shut down."""


@dataclass
class Server:
    """What was asked and answered."""

    script: Script
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    shutting_down: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def usage(self, body: dict[str, Any], say: Say) -> dict[str, Any]:
        """Count by a rule of the server's own: a token a word."""
        read = sum(len(str(message.get("content")).split()) for message in body["messages"])
        written = len(f"{say.text} {' '.join(say.calls)}".split())
        with self.lock:
            self.prompt_tokens += read
            self.completion_tokens += written
        counted = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        return {**counted, **say.usage}


@contextmanager
def serve(script: Script, port: int = 0, forgets: bool = True) -> Iterator[Server]:
    """Serve for as long as the block lasts; `script` says what to answer to each request's body."""
    if forgets:  # a port may be that of an earlier server
        endpoints.forget()
    server = Server(script)
    http = _Http(("127.0.0.1", port), _Handler)
    http.server = server
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutting_down.set()
        http.shutdown()
        http.server_close()
        thread.join()


def in_turn(*answers: Any) -> Script:
    """A script of one answer a request, the last one for all that follow."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def dead_url() -> str:
    """An address where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


class _Http(ThreadingHTTPServer):
    server: Server
    daemon_threads = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that time out break connections; that is meant."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http
    timeout = 5
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = self._refused(body)
        if answer is None:
            with self.server.server.lock:
                self.server.server.requests.append(body)
                answer = self.server.server.script(body)
        self._answer(answer, body)

    def _refused(self, body: dict[str, Any]) -> Fail | None:
        if self.headers["Authorization"] != f"Bearer {KEY}":
            return Fail(401, {"error": {"message": "Incorrect API key provided.", "code": "invalid_api_key"}})
        if self.path != "/v1/chat/completions":
            return Fail(404, "<html>Not Found</html>", (("Content-Type", "text/html"),))
        if body["model"] != MODEL:
            message = f"The model `{body['model']}` does not exist."
            return Fail(404, {"error": {"message": message, "code": "model_not_found"}})
        return None

    def _answer(self, answer: Any, body: dict[str, Any]) -> None:
        if isinstance(answer, Hang):
            self.server.server.shutting_down.wait(5)
            self.close_connection = True
        elif isinstance(answer, Reset):
            if answer.after is not None:
                self._stream(_chunks(answer.after, None)[:-1])
            self._break()
        elif isinstance(answer, Fail):
            content = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            self._send(answer.status, content, dict(answer.headers))
        else:
            say = Say(answer) if isinstance(answer, str) else answer
            usage = self.server.server.usage(body, say) if say.has_usage else None
            if body.get("stream"):
                self._stream([*_chunks(say, usage), "[DONE]"])
                self._chunk(b"")
            else:
                self._send(200, json.dumps(_completion(say, usage)), {})

    def _send(self, status: int, content: str, headers: dict[str, str]) -> None:
        data = content.encode(errors="surrogateescape")
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: list[Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events:
            data = event if isinstance(event, str) else json.dumps(event)
            self._chunk(f"data: {data}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _break(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()


def _completion(say: Say, usage: dict[str, Any] | None) -> dict[str, Any]:
    calls = [_call(index, arguments) for index, arguments in enumerate(say.calls)]
    message = {"role": "assistant", "content": say.text, **({"tool_calls": calls} if calls else {}), **say.more}
    choice = {"index": 0, "message": message, "finish_reason": say.finish, "logprobs": None}
    whole: dict[str, Any] = {**_frame("chat.completion"), "choices": [choice]}
    return whole if usage is None else {**whole, "usage": usage}


def _chunks(say: Say, usage: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Words one character at a time, arguments in two halves, then the end, then the usage."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{name: half} for name, value in say.more.items() for half in _halves(value)]
    deltas += [{"content": character} for character in say.text or ""]
    for index, arguments in enumerate(say.calls):
        half = len(arguments) // 2
        first = _call(index, arguments[:half])
        deltas.append({"tool_calls": [{"index": index, **first}]})
        deltas.append({"tool_calls": [{"index": index, "function": {"arguments": arguments[half:]}}]})
    frame = _frame("chat.completion.chunk")
    chunks = [{**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": say.finish}]})
    return chunks if usage is None else [*chunks, {**frame, "choices": [], "usage": usage}]


def _halves(value: Any) -> tuple[Any, ...]:
    return (value[: len(value) // 2], value[len(value) // 2 :]) if isinstance(value, str) else (value,)


def _call(index: int, arguments: str) -> dict[str, Any]:
    return {"id": f"call_{index}", "type": "function", "function": {"name": "act", "arguments": arguments}}


def _frame(kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": MODEL}
