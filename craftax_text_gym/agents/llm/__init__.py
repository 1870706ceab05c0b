"""A ReAct-style baseline on any endpoint that speaks OpenAI's Chat Completions API. Importing it imports no client."""

from __future__ import annotations

from craftax_text_gym.agents.llm.agent import LLMAgent
from craftax_text_gym.agents.llm.dry_run import DryRun, dry_run
from craftax_text_gym.agents.llm.errors import LLMError
from craftax_text_gym.agents.llm.options import LLMOptions

__all__ = ["DryRun", "LLMAgent", "LLMError", "LLMOptions", "dry_run"]
