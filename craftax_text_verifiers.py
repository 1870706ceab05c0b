"""What verifiers loads as `craftax-text-verifiers`: it takes a module at the top level with one taskset and one env."""

from __future__ import annotations

from craftax_text_gym.integrations.verifiers import CraftaxTextEnv, CraftaxTextTaskset

__all__ = ["CraftaxTextEnv", "CraftaxTextTaskset"]
