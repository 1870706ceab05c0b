"""The agent under `evaluate`: several episodes at once, each with an agent of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from craftax_text_gym.agents import EndpointError
from craftax_text_gym.evaluation import Report, evaluate
from craftax_text_gym.recording import replay, trajectory
from tests.agents.llm.playing import quick as quick
from tests.agents.llm.server import KEY, MODEL, Fail, Say, in_turn, serve

pytestmark = pytest.mark.usefixtures("quick")


def _options(url: str) -> dict[str, Any]:
    return {"model": MODEL, "base_url": url, "api_key": KEY, "price_in": 1.0, "price_out": 2.0}


def test_episodes_side_by_side_are_those_one_after_another() -> None:
    def script(body: dict[str, Any]) -> Any:
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        sight = body["messages"][-1]["content"]
        return Say(f"<action>{('left', 'up', 'do', 'fly')[(turn + len(sight)) % 4]}</action>")

    reports, totals = [], []
    for num_envs in (1, 3):
        with serve(script) as server:
            options = _options(server.url)
            reports.append(
                evaluate("llm", "classic", seeds=[3, 4, 5], max_decisions=8, agent_options=options, num_envs=num_envs)
            )
            totals.append((server.prompt_tokens, server.completion_tokens))
    ordered = [sorted(report.episodes, key=lambda record: record.seed) for report in reports]
    assert ordered[0] == ordered[1]
    assert totals[0] == totals[1]
    episodes = reports[0].episodes
    assert sum(record.input_tokens or 0 for record in episodes) == totals[0][0]
    assert sum(record.output_tokens or 0 for record in episodes) == totals[0][1]
    assert sum(record.invalid_replies for record in episodes) > 0
    assert {record.end_reason for record in episodes} <= {"decision_cap", "death"}


def test_a_failing_endpoint_stops_the_evaluation_with_one_line() -> None:
    with serve(lambda _: Fail(500)) as server:
        options = {**_options(server.url), "max_retries": 1}
        with pytest.raises(EndpointError, match="asked 2 times") as caught:
            evaluate("llm", "classic", episodes=4, max_decisions=5, agent_options=options, num_envs=4)
    assert "\n" not in str(caught.value)


def test_reasoning_is_in_the_recording_which_replays(tmp_path: Path) -> None:
    script = in_turn(Say("<action>left</action>", more={"reasoning_content": "Wood first."}), "I fly", "up")
    with serve(script) as server:
        evaluate(
            "llm",
            "classic",
            seeds=[3],
            max_decisions=3,
            agent_options=_options(server.url),
            output=tmp_path,
            trajectories=True,
        )
    (path,) = (tmp_path / "trajectories").glob("*.jsonl")
    told = trajectory.read(path)
    assert told.steps[0]["reply"] == {
        "role": "assistant",
        "reasoning_content": "Wood first.",
        "content": "<action>left</action>",
    }
    assert [step["reply"] for step in told.steps[1:]] == ["I fly", "up"]
    assert [step["action"] for step in told.steps] == [["left"], ["noop"], ["up"]]
    assert replay.check(told) == 3


def test_broken_replies_are_in_the_results_and_in_the_first_line_of_the_report(tmp_path: Path) -> None:
    for name, script in {
        "broken": in_turn(Say("I go", finish="length"), "", "I fly", "left", Say("I", finish="length")),
        "whole": in_turn("left", "", "up", "left"),
    }.items():
        with serve(script) as server:
            report = evaluate(
                "llm",
                "classic",
                seeds=[3],
                max_decisions=5,
                agent_options=_options(server.url),
                output=tmp_path / name,
            )
        (record,) = report.episodes
        heading, *rest = (tmp_path / name / "report.md").read_text().splitlines()
        usage = next(line for line in rest if line.startswith("- asked: "))
        if name == "broken":
            assert (record.cut_replies, record.empty_replies, record.invalid_replies) == (2, 1, 4)
            assert heading.endswith("BROKEN, of 5 replies 4 name no action, 2 are cut at max_tokens, 1 are empty")
            assert "invalid replies 4, cut replies 2, empty replies 1" in usage
        else:
            assert "BROKEN" not in heading
            assert (record.cut_replies, record.empty_replies, record.invalid_replies) == (0, 1, 1)
        assert Report.load(tmp_path / name).episodes == report.episodes
