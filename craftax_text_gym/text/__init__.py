"""Observations in words: which sections, in which markup; and what sections and markups of one's own are made of."""

from __future__ import annotations

from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.text.formats import PRESETS, TextFormat, resolve
from craftax_text_gym.text.markups import DataMarkup, WordMarkup
from craftax_text_gym.text.schema import json_schema
from craftax_text_gym.text.sections import Body, Section

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
