"""The command `craftax-text`."""

from __future__ import annotations

from craftax_text_gym.cli.app import app


def main() -> None:
    """Run the command with the arguments of the process."""
    app(prog_name="craftax-text")


__all__ = ["app", "main"]
