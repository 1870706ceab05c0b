"""Options that several subcommands share."""

from __future__ import annotations

from typing import Annotated

import typer

from craftax_text_gym.observation.layout import REVEALABLE
from craftax_text_gym.text import PRESETS

Game = Annotated[str, typer.Option(help="'full' or 'classic'.")]
Format = Annotated[str, typer.Option(help=f"The format of observations: {', '.join(PRESETS)}.")]
Reveal = Annotated[str, typer.Option(help=f"Hidden facts to show, comma-separated: {', '.join(REVEALABLE)}.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def split(names: str) -> list[str]:
    """Split comma-separated names."""
    return [name.strip() for name in names.split(",") if name.strip()]
