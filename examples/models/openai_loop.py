"""A model plays through any endpoint that speaks OpenAI's API: pip install openai; python openai_loop.py MODEL [TURNS].

Set OPENAI_API_KEY, and OPENAI_BASE_URL for another server, such as http://localhost:8000/v1 (there any key will do).
"""

import sys
from typing import Any

from openai import OpenAI

from craftax_text_gym.session import TextSession

model, turns = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
with OpenAI() as client, TextSession("classic", max_decisions=turns, max_actions=5) as game:
    system: Any = {"role": "system", "content": game.system_prompt}
    messages: list[Any] = [{"role": "user", "content": game.reset(seed=0)}]
    while not game.done:
        answer = client.chat.completions.create(model=model, messages=[system, *messages])
        reply = answer.choices[0].message.content or ""
        turn = game.act(reply)  # a reply that names no action costs a turn, and the text says why
        messages += [{"role": "assistant", "content": reply or "-"}, {"role": "user", "content": turn.text}]
        messages = messages[-21:]  # the last 10 turns
    print(game.text, len(game.record().achievements), "achievements", sep="\n")
