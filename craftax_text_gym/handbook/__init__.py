"""The rules of a game in words, from `games/`, and how to read and answer an observation.

May not import JAX, Craftax, `engine`, `recording`, or any layer above (`wrappers`, `session`, `agents`).
"""

from __future__ import annotations

from craftax_text_gym.handbook.anatomy import Answer, instructions
from craftax_text_gym.handbook.composing import TOPICS, manual, rules_of, topics_of
from craftax_text_gym.handbook.rule import Rule

__all__ = ["TOPICS", "Answer", "Rule", "instructions", "manual", "rules_of", "topics_of"]
