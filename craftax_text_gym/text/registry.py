"""The named sections and markups, one line each."""

from __future__ import annotations

from collections.abc import Mapping

_HERE = "craftax_text_gym.text"

SECTIONS: Mapping[str, str] = {
    "feedback": f"{_HERE}.sections.feedback:Feedback",
    "status": f"{_HERE}.sections.status:Status",
    "inventory": f"{_HERE}.sections.inventory:Inventory",
    "nearby": f"{_HERE}.sections.nearby:Nearby",
    "map": f"{_HERE}.sections.map:Map",
    "achievements": f"{_HERE}.sections.achievements:Achievements",
    "actions": f"{_HERE}.sections.actions:Actions",
    "balrog": f"{_HERE}.sections.balrog:Balrog",
}
"""Section name -> `"module:Class"`."""

MARKUPS: Mapping[str, str] = {
    "markdown": f"{_HERE}.markups.markdown:Markdown",
    "xml": f"{_HERE}.markups.xml:Xml",
    "json": f"{_HERE}.markups.json:Json",
    "plain": f"{_HERE}.markups.plain:Plain",
}
"""Markup name -> `"module:Class"`."""
