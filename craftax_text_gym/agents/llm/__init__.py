"""A ReAct-style baseline for any endpoint with OpenAI's Chat Completions API.

May not import a client library, such as `openai`, before an agent connects.
"""

from __future__ import annotations

from craftax_text_gym.agents.llm.agent import LLMAgent
from craftax_text_gym.agents.llm.cost_estimate import DryRun, dry_run
from craftax_text_gym.agents.llm.errors import LLMError
from craftax_text_gym.agents.llm.options import LLMOptions

__all__ = ["DryRun", "LLMAgent", "LLMError", "LLMOptions", "dry_run"]
