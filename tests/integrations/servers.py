"""Servers of the command in processes of their own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

COMMAND = str(Path(sys.executable).parent / "craftax-text")


@contextlib.contextmanager
def serve(*arguments: str, **environ: str) -> Iterator[int]:
    """Run `craftax-text serve`, and wait until it listens.

    Args:
        arguments: Those after `serve`, without the port.
        environ: Additional environment variables.

    Yields:
        The port on 127.0.0.1.
    """
    port = free_port()
    with tempfile.TemporaryFile("w+") as output:  # a pipe that nobody reads would stop a server that says much
        process = subprocess.Popen(
            [COMMAND, "serve", *arguments, "--port", str(port)],
            env={**os.environ, **environ},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until_it_listens(process, port)
            yield port
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            output.seek(0)
            print(output.read())


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_it_listens(process: subprocess.Popen[bytes], port: int, timeout: float = 60.0) -> None:
    """Return when connections are taken; fail if the process ends first."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise AssertionError(f"No server at port {port}.")
