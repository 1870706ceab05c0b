"""The command `craftax-text`, one module per subcommand.

Nothing may import this package; each subcommand imports optional extras only when it runs.
"""

from __future__ import annotations

import sys

from craftax_text_gym.cli.app import app


def main() -> None:
    """Run the command with the arguments of the process.

    As with `python -m`, the current folder comes first on the import path, so that users can name their own modules,
    unless Python runs in safe-path mode.
    """
    if not sys.flags.safe_path:
        sys.path.insert(0, "")
    app(prog_name="craftax-text")


__all__ = ["app", "main"]
