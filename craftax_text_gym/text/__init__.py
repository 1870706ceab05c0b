"""Observations in words: formats, sections, markups, notes, and what a user's own section or markup is built from.

May not import JAX, Craftax, `engine`, or any layer above (`settings`, `env`, `wrappers`).
"""

from __future__ import annotations

from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import PRESETS, TextFormat, resolve
from craftax_text_gym.text.markup import DataMarkup, WordMarkup
from craftax_text_gym.text.schema import json_schema
from craftax_text_gym.text.section import Body, Section

__all__ = [
    "PRESETS",
    "Body",
    "DataMarkup",
    "Moment",
    "Section",
    "TextFormat",
    "WordMarkup",
    "json_schema",
    "resolve",
]
