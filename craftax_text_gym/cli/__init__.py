"""The command `craftax-text`."""

from __future__ import annotations

import sys

from craftax_text_gym.cli.app import app


def main() -> None:
    """Run the command with the arguments of the process.

    Modules of the user's own are found in the current folder too, as `python -m` finds them: first, and not where
    Python is told to be safe.
    """
    if not sys.flags.safe_path:
        sys.path.insert(0, "")
    app(prog_name="craftax-text")


__all__ = ["app", "main"]
