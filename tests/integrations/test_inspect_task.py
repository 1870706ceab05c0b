from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from craftax_text_gym.session import TextSession
from tests.integrations.frameworks import require

inspect_ai: Any = require("inspect", "inspect_ai")
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

from craftax_text_gym.integrations.inspect_task import craftax_text  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # streams it leaves open
]

REPLIES = ("left", "<action>do</action>", "I would rather fly.", "up")


class Scripted:
    """A model that gives the replies in turn, and keeps what it was sent."""

    def __init__(self, num_samples: int) -> None:
        self.sent: list[list[Any]] = []
        self._is_alone = num_samples == 1

    def __call__(self, messages: list[Any], *_: Any) -> ModelOutput:
        turn = len(self.sent) if self._is_alone else sum(message.role == "assistant" for message in messages)
        self.sent.append(list(messages))
        output = ModelOutput.from_content("mockllm/model", REPLIES[turn % len(REPLIES)])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it downloads a tokenizer
        return output


def evaluate(task: Any, tmp_path: Path) -> tuple[Any, Scripted]:
    model = Scripted(len(task.dataset))
    (log,) = inspect_ai.eval(
        task,
        model=get_model("mockllm/model", custom_outputs=model, memoize=False),
        log_dir=str(tmp_path),
        display="none",
        score=True,
        max_samples=4,
    )
    return log, model


def expected(seed: int, max_decisions: int) -> dict[str, Any]:
    session = TextSession("classic", max_decisions=max_decisions)
    replies = [REPLIES[turn % len(REPLIES)] for turn in range(max_decisions)]
    texts = [session.reset(seed), *[session.act(reply).text for reply in replies]]
    return {"texts": texts, "score": session.score(), "record": session.record().to_json()}


def test_an_evaluation_of_several_samples_at_once(tmp_path: Path) -> None:
    log, model = evaluate(craftax_text("classic", 3, first_seed=2, max_decisions=6, history=None), tmp_path)
    assert log.status == "success", log.error
    assert [sample.id for sample in log.samples] == [2, 3, 4]
    for sample in log.samples:
        played = expected(sample.id, 6)
        (score,) = sample.scores.values()
        assert score.value == played["score"]
        assert score.metadata == {"record": played["record"]}
        users = [message.text for message in sample.messages if message.role == "user"]
        assert users == played["texts"]
        assert users[-1].endswith("The episode is over: your last reply is used up.")
        assert sample.messages[0].text == TextSession("classic", max_steps=300, max_decisions=6).system_prompt
    assert len(model.sent) == 18
    named = {score.name: score.metrics for score in log.results.scores}
    assert named["decisions"]["mean"].value == 6
    assert {"total_reward", "achievements", "reward_percent", "invalid_replies"} <= set(named)
    again = inspect_ai.log.read_eval_log(log.location)
    assert again.results == log.results


@pytest.mark.parametrize("history", [0, 1, 3])
def test_the_model_sees_only_its_last_turns(history: int, tmp_path: Path) -> None:
    texts = expected(0, 5)["texts"]
    log, model = evaluate(craftax_text("classic", 1, max_decisions=5, history=history), tmp_path)
    assert log.status == "success", log.error
    for turn, messages in enumerate(model.sent):
        assert [message.role for message in messages[:1]] == ["system"]
        users = [message.text for message in messages if message.role == "user"]
        assert users == texts[max(0, turn - history) : turn + 1]


def test_a_limit_of_inspects_own_ends_the_episode(tmp_path: Path) -> None:
    task = craftax_text("classic", 1, max_steps=50, history=None)
    task.message_limit = 8
    log, _ = evaluate(task, tmp_path)
    assert log.status == "success", log.error
    (sample,) = log.samples
    assert sample.limit.type == "message"
    (score,) = sample.scores.values()
    assert 0 < score.value["decisions"] < 50
    assert score.metadata["record"]["end_reason"] == "unfinished"


def test_wrong_settings_are_told_before_any_episode() -> None:
    with pytest.raises(ValueError, match="markdown"):
        craftax_text("classic", text_format="markdwn")
    with pytest.raises(ValueError, match="'classic'"):
        craftax_text("chess")
