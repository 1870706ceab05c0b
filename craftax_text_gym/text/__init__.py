"""Observations in words: which sections, in which markup."""

from __future__ import annotations

from craftax_text_gym.text.formats import PRESETS, TextFormat, resolve

__all__ = ["PRESETS", "TextFormat", "resolve"]
