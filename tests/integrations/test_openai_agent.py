from __future__ import annotations

from pathlib import Path

from craftax_text_gym.session import TextSession
from tests.integrations import scripted_model
from tests.integrations.frameworks import require
from tests.subprocesses import ROOT, run_example

require("sdks", "openai")
REPLIES = ('{"action": "left"}', "I go up. <action>up</action>", '{"action": "fly"}')


def test_the_example_plays_with_tool_calls_and_words(tmp_path: Path) -> None:
    session = TextSession("classic", max_steps=20)
    texts = [session.reset(0)]
    while not session.done:
        texts.append(session.act(REPLIES[(len(texts) - 1) % len(REPLIES)]).text)
    with scripted_model.serve(REPLIES) as (url, sent):
        example = ROOT / "examples" / "frameworks" / "openai_agent.py"
        printed = run_example(example, tmp_path, "scripted", OPENAI_BASE_URL=url, OPENAI_API_KEY="any")
    assert printed.startswith(f"{session.score()}\n")
    assert [message["content"] for message in sent[-1] if message["role"] in ("user", "tool")] == texts[:-1]
