"""A model that gives the same replies in every conversation, behind OpenAI's chat API on this machine."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextlib.contextmanager
def serve(replies: Sequence[str]) -> Iterator[tuple[str, list[list[dict[str, Any]]]]]:
    """Serve the model.

    Args:
        replies: What it replies, the n-th time it is asked in a conversation, and then again from the first on.
            Where there are tools, one that is JSON is a call of the first of them.

    Yields:
        The base URL, and the conversations that it was sent, as they come.
    """
    sent: list[list[dict[str, Any]]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            messages = request["messages"]
            sent.append(messages)
            turn = sum(message["role"] == "assistant" for message in messages)
            body, kind = _answer(replies[turn % len(replies)], request)
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", sent
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _answer(reply: str, request: dict[str, Any]) -> tuple[bytes, str]:
    message: dict[str, Any] = {"role": "assistant", "content": reply}
    if request.get("tools") and reply.startswith("{"):
        call = {"name": request["tools"][0]["function"]["name"], "arguments": reply}
        message = {"role": "assistant", "tool_calls": [{"id": "call", "type": "function", "function": call}]}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    whole = {"id": "1", "created": 0, "model": request["model"]}
    if not request.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        completion = {**whole, "object": "chat.completion", "choices": [choice], "usage": usage}
        return json.dumps(completion).encode(), "application/json"
    chunk = {**whole, "object": "chat.completion.chunk"}
    parts: list[dict[str, Any]] = [
        {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {**chunk, "choices": [], "usage": usage},
    ]
    lines = [f"data: {json.dumps(part)}\n\n" for part in parts] + ["data: [DONE]\n\n"]
    return "".join(lines).encode(), "text/event-stream"
