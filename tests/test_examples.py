from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.subprocesses import ROOT, run_example

TESTS = {
    "agent_loop.py": "test_examples.py::test_the_agent_loop_runs_in_any_folder",
    "custom_agent.py": "examples/test_own_examples.py::test_the_forager_beats_random_play",
    "custom_section.py": "examples/test_own_examples.py::test_the_section_says_what_the_environment_says",
    "frameworks/openai_agent.py": "integrations/test_openai_agent.py::test_the_example_plays_with_tool_calls_and_words",
    "frameworks/ppo_symbolic.py": "integrations/test_sb3.py::test_the_example_runs",
    "frameworks/trl_grpo.py": "integrations/test_trl_example.py::test_the_example_trains_a_tiny_model",
    "models/anthropic_tool_use.py": "examples/test_model_examples.py::test_tool_use_with_anthropics_client",
    "models/openai_loop.py": "examples/test_model_examples.py::test_the_loop_with_openais_client",
    "tree_search.py": "examples/test_own_examples.py::test_the_plan_of_the_search_replays_and_beats_random_play",
    "vector_rollouts.py": "examples/test_own_examples.py::test_the_rollouts_are_summed_up",
}
"""Example -> the test that runs it and looks at what it prints, where what it needs is installed."""


def test_every_example_has_a_test() -> None:
    examples = ROOT / "examples"
    assert {path.relative_to(examples).as_posix() for path in examples.rglob("*.py")} == set(TESTS)


@pytest.mark.parametrize("example", TESTS)
def test_the_named_test_runs_its_example(example: str) -> None:
    file, _, name = TESTS[example].partition("::")
    source = (ROOT / "tests" / file).read_text()
    assert re.search(rf"^def {name}\(", source, re.MULTILINE)
    assert f'"{Path(example).name}"' in source


def test_the_agent_loop_runs_in_any_folder(tmp_path: Path) -> None:
    printed = run_example(ROOT / "examples" / "agent_loop.py", tmp_path)
    text, count, last = printed.rsplit("\n", maxsplit=3)[:-1]
    assert last == "achievements"
    assert 0 <= int(count) <= 67
    assert text.startswith("## ")
