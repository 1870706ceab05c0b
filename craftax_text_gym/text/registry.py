"""The named sections and markups, one line each."""

from __future__ import annotations

from collections.abc import Mapping

SECTIONS: Mapping[str, str] = {
    "feedback": "Feedback",
    "status": "Status",
    "inventory": "Inventory",
    "nearby": "Nearby",
    "map": "Map",
    "achievements": "Achievements",
    "actions": "Actions",
    "balrog": "Balrog",
}
"""Section name, which is also that of its file in `text/sections/` -> its class."""

MARKUPS: Mapping[str, str] = {
    "markdown": "Markdown",
    "xml": "Xml",
    "json": "Json",
    "plain": "Plain",
}
"""Markup name, which is also that of its file in `text/markups/` -> its class."""
