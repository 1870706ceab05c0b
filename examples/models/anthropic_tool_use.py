"""A model of Anthropic's plays by calling a tool: pip install anthropic; python anthropic_tool_use.py MODEL [TURNS].

Set ANTHROPIC_API_KEY, and ANTHROPIC_BASE_URL for another endpoint with the same API.
"""

import sys
from typing import Any

from anthropic import Anthropic

from craftax_text_gym.replies import tool_schemas
from craftax_text_gym.session import TextSession

model, turns = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
with Anthropic() as client, TextSession("classic", max_decisions=turns, max_actions=5) as game:
    tools: list[Any] = [tool_schemas.anthropic("classic", max_actions=5)]
    messages: list[Any] = [{"role": "user", "content": game.reset(seed=0)}]
    while not game.done:
        answer = client.messages.create(
            model=model,
            max_tokens=1024,
            system=game.system_prompt,
            tools=tools,
            tool_choice={"type": "any", "disable_parallel_tool_use": True},
            messages=messages,
        )
        call = next((block for block in answer.content if block.type == "tool_use"), None)
        if call is None:
            sys.exit(f"Expected a tool call, got none ({answer.stop_reason}): raise max_tokens.")
        turn = game.act(call.input)  # a call that names no action costs a turn, and the text says why
        result = {"type": "tool_result", "tool_use_id": call.id, "content": turn.text}
        messages += [{"role": "assistant", "content": answer.content}, {"role": "user", "content": [result]}]
    print(game.text, len(game.record().achievements), "achievements", sep="\n")
