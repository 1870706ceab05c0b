"""Observations in words: which sections, in which markup."""

from __future__ import annotations

from craftax_text_gym.text.formats import PRESETS, TextFormat, resolve
from craftax_text_gym.text.schema import json_schema

__all__ = ["PRESETS", "TextFormat", "json_schema", "resolve"]
