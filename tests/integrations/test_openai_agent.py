from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from craftax_text_gym.integrations.session import TextSession
from tests.integrations import scripted_model
from tests.integrations.frameworks import require

require("sdks", "openai")
ROOT = Path(__file__).parents[2]
REPLIES = ('{"action": "left"}', "I go up. <action>up</action>", '{"action": "fly"}')


def test_the_example_plays_with_tool_calls_and_words(tmp_path: Path) -> None:
    session = TextSession("classic", max_steps=20)
    texts = [session.reset(0)]
    while not session.done:
        texts.append(session.act(REPLIES[(len(texts) - 1) % len(REPLIES)]).text)
    with scripted_model.serve(REPLIES) as (url, sent):
        done = subprocess.run(
            [sys.executable, ROOT / "examples" / "frameworks" / "openai_agent.py", "scripted"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "any"},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{session.score()}\n")
    assert [message["content"] for message in sent[-1] if message["role"] in ("user", "tool")] == texts[:-1]
