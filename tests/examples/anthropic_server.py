"""A server on loopback that speaks as much of Anthropic's Messages API as the examples use, and checks what it gets."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "anthropic-key"


@contextmanager
def serve(script: Callable[[int], dict[str, Any] | None]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve for as long as the block lasts; gives the address, and the bodies of the requests as they come.

    `script` says the arguments of the tool's call for each request by its number; None for words only.
    """
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 5

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            keys = {self.headers["x-api-key"], self.headers["Authorization"]}  # clients of different age send either
            problem = _problem(self.path, keys, body)
            if problem is None:
                requests.append(body)
                self._send(200, _message(len(requests), script(len(requests) - 1)))
            else:
                self._send(400, {"type": "error", "error": {"type": "invalid_request_error", "message": problem}})

        def _send(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = False
    thread = threading.Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_port}", requests
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def _problem(path: str, keys: set[str | None], body: dict[str, Any]) -> str | None:
    """What the API would refuse."""
    if path != "/v1/messages" or not keys & {KEY, f"Bearer {KEY}"}:
        return f"no such path or key: {path}"
    roles = [message["role"] for message in body["messages"]]
    if roles != ["user", "assistant"] * (len(roles) // 2) + ["user"]:
        return "roles must take turns"
    for asked, answered in zip(body["messages"][1::2], body["messages"][2::2], strict=True):
        ids = [block["id"] for block in asked["content"] if block["type"] == "tool_use"]
        if ids != [block["tool_use_id"] for block in answered["content"]]:
            return "each tool_use must have its tool_result in the next message"
    return None


def _message(number: int, arguments: dict[str, Any] | None) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": "I look around."}]
    if arguments is not None:
        content.append({"type": "tool_use", "id": f"toolu_{number}", "name": "act", "input": arguments})
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": content,
        "stop_reason": "max_tokens" if arguments is None else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
