"""A model behind any OpenAI-compatible endpoint plays: pip install openai; set OPENAI_BASE_URL and OPENAI_API_KEY.

Run it with the model's name: python openai_agent.py gpt-5-mini
"""

import sys
from typing import Any

from openai import OpenAI

from craftax_text_gym import TextSession
from craftax_text_gym.replies import tool_schemas

client, model = OpenAI(), sys.argv[1]
session = TextSession("classic", max_steps=20)
tools: list[Any] = [tool_schemas.openai_chat("classic")]
messages: list[Any] = [
    {"role": "system", "content": session.system_prompt},
    {"role": "user", "content": session.reset(seed=0)},
]
while not session.done:
    message = client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message
    messages.append(message.model_dump(exclude_none=True))
    if not message.tool_calls:  # a plain-text reply works too
        messages.append({"role": "user", "content": session.act(message.content or "").text})
    for call in message.tool_calls or ():
        text = "The episode is over." if session.done else session.act(call.function.arguments).text
        messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
print(session.score(), len(session.record().achievements), "achievements", sep="\n")
