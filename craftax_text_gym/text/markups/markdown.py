"""Markdown: a heading for each section."""

from __future__ import annotations


def write(sections: list[tuple[str, list[str]]]) -> str:
    """Write titled sections as Markdown.

    Args:
        sections: Titles and lines.

    Returns:
        The text.
    """
    return "\n\n".join(["\n".join((f"## {title}", *lines)) for title, lines in sections])
